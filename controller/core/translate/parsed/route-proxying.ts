import type { AddressList } from "../../../model/access.ts"
import type { Overrides } from "../../../model/overrides.ts"
import type { Cors, Header, RouteVariables, Tracing } from "../../../model/route.ts"
import type { Limits } from "../../../model/route-records.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import type { BackendRef } from "./backend-ref.ts"
import { defaultPolicies, type RoutePolicies } from "./route-policies.ts"

/** How the routes of one Ingress pass requests on, and what becomes of the answers. */
export interface Proxying {
  readonly policies: RoutePolicies
  readonly overrides: Overrides
  readonly variables: RouteVariables
  readonly headers: readonly Header[]
  readonly cors?: Cors
  readonly limits?: IngressLimits
  /** absent: requests are not traced */
  readonly tracing?: Tracing
  /** what the policies name */
  readonly files: readonly SecretFile[]
  /** serves when a route's own backend has no endpoints, and may make the error pages */
  readonly fallback?: BackendRef
  /** where the Ingress says so, for Problems */
  readonly fallbackField?: string
  readonly errorPages: ErrorPages
  /** who gets copies of requests */
  readonly mirror?: MirrorBackend
  /** what endpoints are called by TLS no annotation says, and it is needed for this */
  readonly wantsName?: "to-verify" | "to-send"
  /** every request gets 503: an object that an annotation names cannot be used, or an access control that one asks for is not built yet */
  readonly isDenied: boolean
}

export interface MirrorBackend {
  readonly ref: BackendRef
  /** where the Ingress names it, for Problems */
  readonly field: string
}

/** How much a client may request of one Ingress. */
export interface IngressLimits {
  readonly limits: Limits
  /** that it names */
  readonly exempt?: AddressList
}

/** Who answers errors: whoever makes them, the default backend, or the fallback, and without one the default backend. */
export type ErrorPages = "none" | "default" | "fallback"

/** Of a route that no Ingress declares. */
export const plainProxying: Proxying = {
  policies: defaultPolicies,
  overrides: {},
  variables: {},
  headers: [],
  files: [],
  errorPages: "default",
  isDenied: false,
}
