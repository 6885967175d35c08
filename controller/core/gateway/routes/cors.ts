import type { RouteFilter } from "../../../model/objects/gateway/filters.ts"
import type { Cors } from "../../../model/route.ts"

/** What a filter says of other origins; absent: nothing. */
export function corsOf(filters: readonly RouteFilter[]): Cors | undefined {
  const cors = filters.find((filter) => filter.type === "CORS")?.cors
  if (cors === undefined) return undefined
  const { origins, methods, headers, exposedHeaders, maxAgeSeconds, allowsCredentials } = cors
  return {
    origins: origins.map((origin) => origin.toLowerCase()),
    ...(methods.length > 0 && { methods: methods.join(", ") }),
    ...(headers.length > 0 && { headers: headers.join(", ") }),
    ...(exposedHeaders.length > 0 && { exposedHeaders: exposedHeaders.join(", ") }),
    ...{ maxAgeSeconds, allowsCredentials },
    isGateway: true,
  }
}
