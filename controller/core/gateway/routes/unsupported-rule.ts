import { fieldPath } from "../../../model/field-path.ts"
import type { RouteFilter } from "../../../model/objects/gateway/filters.ts"
import { shown } from "../../../model/shown.ts"
import type { Said } from "../../declared/said.ts"
import type { Finding } from "../finding.ts"
import { askedBy, unsupportedAuth } from "./external-auth.ts"
import type { RouteRule } from "./read-route.ts"
import { unsupportedSession } from "./sessions.ts"

type FilterType = RouteFilter["type"]

const ofRules: readonly FilterType[] = [
  ...(["RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror"] as const),
  ...(["RequestRedirect", "URLRewrite", "CORS", "ExternalAuth"] as const),
]
const ofBackends: readonly FilterType[] = [
  ...(["RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror", "URLRewrite"] as const),
]

/**
 * What of a rule has no meaning here. Its requests are answered 500: what it says may be meant to keep them out, so that neither its backends nor a rule
 * behind it may serve them.
 *
 * @param said by annotations
 */
export function unsupportedIn(rule: RouteRule, said: Said): Finding | undefined {
  const { field, filters, backends, retry } = rule
  const ofRule = unsupportedFilter(filters, field, ofRules)
  const ofBackend = backends.map((backend, at) =>
    unsupportedFilter(backend.filters, fieldPath(field, "backendRefs", at), ofBackends),
  )
  const found = [ofRule, ...ofBackend].find((finding) => finding !== undefined)
  if (found !== undefined) return found
  const asked = askedBy(rule)
  const auth = asked && unsupportedAuth(asked, rule, said)
  if (asked !== undefined && auth !== undefined) return unsupported(asked.field, auth)
  if (retry?.backoffMs !== undefined)
    return unsupported(fieldPath(field, "retry", "backoff"), "a backoff between attempts")
  const session = unsupportedSession(rule)
  return session === undefined ? undefined : unsupported(fieldPath(field, "sessionPersistence"), session)
}

function unsupportedFilter(
  filters: readonly RouteFilter[],
  field: string,
  known: readonly FilterType[],
): Finding | undefined {
  const at = filters.findIndex(({ type }) => !known.includes(type))
  const filter = filters[at]
  if (filter === undefined) return undefined
  const type = filter.type === "unsupported" ? filter.name : filter.type
  return unsupported(fieldPath(field, "filters", at), `a filter of type ${shown(type)}`)
}

function unsupported(field: string, what: string): Finding {
  const message = `Cannot serve ${field}: ${what} is not supported; its requests are answered 500`
  return { reason: "UnsupportedValue", code: "route-unsupported", field, message }
}
