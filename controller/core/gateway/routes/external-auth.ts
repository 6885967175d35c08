import { fieldPath } from "../../../model/field-path.ts"
import type { ExternalAuthFilter } from "../../../model/objects/gateway/filter-auth.ts"
import type { ObjectName } from "../../../model/problem.ts"
import type { RouteAccess } from "../../declared/access.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { literal } from "../../declared/literal.ts"
import type { RouteRule } from "./read-route.ts"
import type { Way } from "./ways.ts"

/** Where a rule says which service is asked. */
export interface AskedService {
  readonly auth: ExternalAuthFilter
  readonly field: string
}

export function askedBy({ field, filters }: RouteRule): AskedService | undefined {
  for (const [at, filter] of filters.entries())
    if (filter.type === "ExternalAuth") return { auth: filter.auth, field: fieldPath(field, "filters", at) }
  return undefined
}

/** The API's characters, from the beginning of a path. */
const path = /^(?:\/(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})*)?$/
const dots = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** What a filter says that cannot be asked here; undefined: nothing. */
export function unsupportedAuth(
  { auth }: AskedService,
  { filters }: RouteRule,
  { access }: { readonly access: RouteAccess },
): string | undefined {
  if (auth.protocol !== "HTTP") return "an ExternalAuth filter of protocol GRPC"
  if (auth.bodyBytes > 0) return "forwardBody of an ExternalAuth filter"
  if (!path.test(auth.path) || dots.test(auth.path))
    return "a path of an ExternalAuth filter that does not begin with a slash, or has segments of dots,"
  // nginx would redirect first.
  if (filters.some(({ type }) => type === "RequestRedirect"))
    return "an ExternalAuth filter beside a RequestRedirect"
  if (access.external !== undefined)
    return "an ExternalAuth filter beside another authentication service, of auth-url or global-auth-url,"
  return undefined
}

/** The service that is asked, and how. */
interface ServiceWay {
  readonly ref: BackendRef
  readonly way: Way
}

/** As the annotations have it, and the service is asked, too: that one of both is enough they cannot say of a filter. */
export function withService(
  { needsOneOnly: _, ...access }: RouteAccess,
  { auth, field }: AskedService,
  { ref, way: { backendTls: tls } }: ServiceWay,
  object: ObjectName,
): RouteAccess {
  const { requestHeaders, responseHeaders } = auth
  return {
    ...access,
    external: {
      ...{ ref, object, field, asker: "filter ExternalAuth" },
      auth: {
        location: tls === undefined ? "auth-http" : "auth-https",
        backend: ref.key,
        target: `${literal(auth.path.replace(/\/$/, ""))}$request_uri`,
        host: "$http_host",
        isFilter: true,
        ...(requestHeaders.length > 0 && { requestHeaders }),
        ...(responseHeaders.length > 0 && { responseHeaders }),
        alwaysSetsCookie: false,
        ...(tls && { backendTls: tls.said }),
      },
      ...(tls && { tls }),
    },
  }
}
