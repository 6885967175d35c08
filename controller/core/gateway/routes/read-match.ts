import type { GrpcMatch } from "../../../model/objects/gateway/grpc-route.ts"
import type { HttpMatch, PathMatch, ValueMatch } from "../../../model/objects/gateway/http-match.ts"
import type { Condition, Route } from "../../../model/route-records.ts"

/** Which requests, in the words of routes, and how specific that is. */
export interface ReadMatch {
  readonly path: string
  readonly match: Route["match"]
  readonly conditions: readonly Condition[]
  /** how many of these it has; what a path is worth is in `path` and `match` */
  readonly methods: number
  readonly headers: number
  readonly parameters: number
}

export function readHttpMatch({ path, headers, query, method }: HttpMatch): ReadMatch {
  const ofHeaders = distinct(headers, (name) => name.toLowerCase()).map((it) => condition("header", it))
  const ofQuery = distinct(query, (name) => name).map((it) => condition("query", it))
  return {
    ...pathOf(path),
    conditions: [...(method === "" ? [] : [ofMethod(method)]), ...ofHeaders, ...ofQuery],
    methods: method === "" ? 0 : 1,
    headers: ofHeaders.length,
    parameters: ofQuery.length,
  }
}

function ofMethod(value: string): Condition {
  return { of: "method", value }
}

function condition(of: "header" | "query", { type, name, value }: ValueMatch): Condition {
  return { of, name, value, ...(type === "RegularExpression" && { match: "regex" as const }) }
}

/** Of several with one name the first counts. */
function distinct(all: readonly ValueMatch[], keyOf: (name: string) => string): readonly ValueMatch[] {
  return all.filter((it, at) => all.findIndex(({ name }) => keyOf(name) === keyOf(it.name)) === at)
}

type ReadPath = Pick<ReadMatch, "path" | "match">

function pathOf({ type, value }: PathMatch): ReadPath {
  switch (type) {
    case "Exact":
      return { path: decoded(value), match: "exact" }
    case "PathPrefix":
      return { path: withoutSlash(decoded(value)), match: "prefix" }
    case "RegularExpression":
      return pattern(value)
    default:
      return type satisfies never
  }
}

/** As those of Ingresses: from the beginning of the path, whatever the case; and one that is no pattern is passed over. They begin with a slash. */
function pattern(value: string): ReadPath {
  return value.startsWith("/")
    ? { path: value, match: "regex" }
    : { path: `/{0}(?:${value})`, match: "regex" }
}

/** By elements a slash at the end makes no difference. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
}

/** nginx compares paths without escapes. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A call of gRPC is a POST to `/SERVICE/METHOD`. */
export function readGrpcMatch({ type, service, method, headers }: GrpcMatch): ReadMatch {
  const conditions = distinct(headers, (name) => name.toLowerCase()).map((it) => condition("header", it))
  const path = type === "Exact" ? exactCall(service, method) : callPattern(service, method)
  return { ...path, conditions, methods: 0, headers: conditions.length, parameters: 0 }
}

function exactCall(service: string, method: string): ReadPath {
  if (service === "" && method !== "") return { path: `^/[^/]+/${method}$`, match: "pattern" }
  if (method === "") return { path: `/${service}`, match: "prefix" }
  return { path: `/${service}/${method}`, match: "exact" }
}

/** Either may be no pattern: see above. */
function callPattern(service: string, method: string): ReadPath {
  return { path: `/{0}(?-i:/(?:${service || "[^/]+"})/(?:${method || "[^/]+"})$)`, match: "regex" }
}
