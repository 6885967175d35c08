import { fieldPath } from "../../../model/field-path.ts"
import type { RouteFilter } from "../../../model/objects/gateway/filters.ts"
import type { GrpcRoute } from "../../../model/objects/gateway/grpc-route.ts"
import type {
  HttpBackendRef,
  HttpRetry,
  HttpRoute,
  HttpTimeouts,
} from "../../../model/objects/gateway/http-route.ts"
import type { SessionPersistence } from "../../../model/objects/gateway/session-persistence.ts"
import { type ReadMatch, readGrpcMatch, readHttpMatch } from "./read-match.ts"

/** A rule of an HTTPRoute or a GRPCRoute, in words that both have. */
export interface RouteRule {
  /** where it stands */
  readonly field: string
  /** "": it has none */
  readonly name: string
  readonly matches: readonly ReadMatch[]
  readonly filters: readonly RouteFilter[]
  readonly backends: readonly HttpBackendRef[]
  readonly timeouts: HttpTimeouts
  readonly retry?: HttpRetry
  readonly session?: SessionPersistence
}

export type WebRoute = HttpRoute | GrpcRoute

export function rulesOf(route: WebRoute): readonly RouteRule[] {
  return route.kind === "HTTPRoute" ? httpRules(route) : grpcRules(route)
}

function httpRules({ rules }: HttpRoute): readonly RouteRule[] {
  return rules.map(({ matches, ...rule }, at) => ({
    ...rule,
    field: fieldPath("spec", "rules", at),
    matches: matches.map(readHttpMatch),
  }))
}

function grpcRules({ rules }: GrpcRoute): readonly RouteRule[] {
  return rules.map(({ matches, ...rule }, at) => ({
    ...rule,
    field: fieldPath("spec", "rules", at),
    matches: matches.map(readGrpcMatch),
    timeouts: {},
  }))
}
