import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { type RouteFilter, readFilters } from "./filters.ts"
import { anyRequest, type HttpMatch, readHttpMatch } from "./http-match.ts"
import { readDuration, readGeneration, readHostnames, readNumber, readRuleName } from "./names.ts"
import { type BackendRef, type ParentRef, readBackendRef, readParentRefs } from "./references.ts"
import { readSessionPersistence, type SessionPersistence } from "./session-persistence.ts"

export interface HttpRoute {
  readonly kind: "HTTPRoute"
  readonly meta: Meta
  readonly generation: number
  readonly parents: readonly ParentRef[]
  /** none: those of its listeners */
  readonly hostnames: readonly string[]
  readonly rules: readonly HttpRule[]
}

interface HttpRule {
  /** "": it has none */
  readonly name: string
  /** one at least */
  readonly matches: readonly HttpMatch[]
  readonly filters: readonly RouteFilter[]
  readonly backends: readonly HttpBackendRef[]
  readonly timeouts: HttpTimeouts
  readonly retry?: HttpRetry
  readonly session?: SessionPersistence
}

export interface HttpBackendRef extends BackendRef {
  readonly filters: readonly RouteFilter[]
}

/** 0: none, however long it takes. */
export interface HttpTimeouts {
  readonly requestMs?: number
  readonly backendMs?: number
}

export interface HttpRetry {
  readonly codes: readonly number[]
  /** beside the first one */
  readonly attempts: number
  readonly backoffMs?: number
}

export function readHttpRoute(at: Reader, meta: Meta): HttpRoute | undefined {
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) =>
    spec.accepted({
      parents: readParentRefs(spec),
      hostnames: readHostnames(spec),
      rules: spec.has("rules") ? spec.every("rules", (rule) => readRule(rule, meta.namespace)) : [emptyRule],
    }),
  )
  return spec && at.accepted({ kind: "HTTPRoute", meta, generation, ...spec })
}

const emptyRule: HttpRule = { name: "", matches: [anyRequest], filters: [], backends: [], timeouts: {} }

function readRule(at: Reader, namespace: string): HttpRule | undefined {
  const matches = at.every("matches", readHttpMatch)
  const retry = at.expected("retry", readRetry)
  const session = at.expected("sessionPersistence", readSessionPersistence)
  const rule: HttpRule = {
    name: readRuleName(at),
    matches: matches.length === 0 ? [anyRequest] : matches,
    filters: readFilters(at, namespace),
    backends: at.every("backendRefs", (ref) => readHttpBackendRef(ref, namespace)),
    timeouts: at.expected("timeouts", readTimeouts) ?? {},
    ...(retry && { retry }),
    ...(session && { session }),
  }
  refuseContradictions(at, rule)
  return at.accepted(rule)
}

/** What an API server refuses by the rules of the CRD. */
function refuseContradictions(at: Reader, { matches, filters, backends }: HttpRule): void {
  if (backends.length > 0 && filters.some(({ type }) => type === "RequestRedirect"))
    at.refuse("backendRefs", "filter-twice", "excludes a filter RequestRedirect: write one of them")
  const replacesPrefix = [...filters, ...backends.flatMap((backend) => backend.filters)].some(
    (filter) =>
      (filter.type === "URLRewrite" && filter.rewrite.path?.replaces === "prefix") ||
      (filter.type === "RequestRedirect" && filter.redirect.path?.replaces === "prefix"),
  )
  const isOnePrefix = matches.length === 1 && matches[0]?.path.type === "PathPrefix"
  if (replacesPrefix && !isOnePrefix)
    at.refuse("filters", "prefix-missing", "has a ReplacePrefixMatch: write one match, of type PathPrefix")
}

export function readHttpBackendRef(at: Reader, namespace: string): HttpBackendRef | undefined {
  const ref = readBackendRef(at, namespace)
  const filters = readFilters(at, namespace)
  return ref && at.accepted({ ...ref, filters })
}

function readTimeouts(at: Reader): HttpTimeouts | undefined {
  const requestMs = readDuration(at, "request")
  const backendMs = readDuration(at, "backendRequest")
  if (requestMs !== undefined && requestMs > 0 && backendMs !== undefined && backendMs > requestMs)
    at.refuse("backendRequest", "duration-bad", "has to be at most that of request")
  return at.accepted({
    ...(requestMs !== undefined && { requestMs }),
    ...(backendMs !== undefined && { backendMs }),
  })
}

function readRetry(at: Reader): HttpRetry | undefined {
  const backoffMs = readDuration(at, "backoff")
  const codes = at.raw("codes") ?? []
  const isGood = (code: unknown) =>
    typeof code === "number" && Number.isInteger(code) && code >= 400 && code <= 599
  if (!Array.isArray(codes) || !codes.every(isGood))
    at.refuse("codes", "type-wrong", "has to be a list of status codes from 400 to 599")
  return at.accepted({
    codes: codes as readonly number[],
    attempts: readNumber(at, "attempts", 0, 1_000_000) ?? 1,
    ...(backoffMs !== undefined && { backoffMs }),
  })
}
