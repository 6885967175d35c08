import type { RouteFilter } from "../../../model/objects/gateway/filters.ts"
import type { Cors } from "../../../model/route.ts"

/** What a filter says of other origins; absent: nothing. */
export function corsOf(filters: readonly RouteFilter[]): Cors | undefined {
  const cors = filters.find((filter) => filter.type === "CORS")?.cors
  if (cors === undefined) return undefined
  const { methods, headers, exposedHeaders: exposed, maxAgeSeconds, allowsCredentials } = cors
  // With credentials a `*` is the name of a header, and exposes nothing (Fetch standard).
  const exposedHeaders = allowsCredentials ? exposed.filter((name) => name !== "*") : exposed
  return {
    origins: cors.origins.map(originAsSent),
    ...(methods.length > 0 && { methods: listOrAll(methods) }),
    ...(headers.length > 0 && { headers: listOrAll(headers) }),
    ...(exposedHeaders.length > 0 && { exposedHeaders: exposedHeaders.join(", ") }),
    ...{ maxAgeSeconds, allowsCredentials },
    isGateway: true,
  }
}

/** Browsers leave the usual port of a scheme out. */
function originAsSent(origin: string): string {
  return origin
    .toLowerCase()
    .replace(/^(http:.*):80$/, "$1")
    .replace(/^(https:.*):443$/, "$1")
}

function listOrAll(names: readonly string[]): string {
  return names.includes("*") ? "*" : names.join(", ")
}
