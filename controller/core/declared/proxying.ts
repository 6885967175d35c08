import type { AddressList } from "../../model/access.ts"
import type { Overrides } from "../../model/overrides.ts"
import type { Cors, Header, RouteVariables, Tracing } from "../../model/route.ts"
import type { Limits, Waf } from "../../model/route-records.ts"
import type { WantedRuleSet } from "../../model/rule-set.ts"
import type { BackendRef } from "./backend-ref.ts"
import type { DeclaredBackendTls } from "./backend-tls.ts"
import { defaultLocations, type RouteLocations } from "./locations.ts"

/** How rules pass requests on, and what becomes of the answers. */
export interface Proxying {
  readonly locations: RouteLocations
  readonly overrides: Overrides
  readonly variables: RouteVariables
  readonly headers: readonly Header[]
  readonly cors?: Cors
  readonly limits?: RuleLimits
  /** what looks at requests; absent: nothing */
  readonly waf?: Waf
  /** what is to look at them once it is checked */
  readonly ruleSet?: WantedRuleSet
  /** absent: requests are not traced */
  readonly tracing?: Tracing
  /** towards the rule's own backend, where its location speaks TLS; absent: endpoints are not looked at, and shown nothing */
  readonly backendTls?: DeclaredBackendTls
  /** serves when a route's own backend has no endpoints, and may make the error pages */
  readonly fallback?: OtherBackend
  readonly errorPages: ErrorPages
  /** who gets copies of requests */
  readonly mirror?: OtherBackend
  /** what endpoints are called by TLS is not said, and it is needed */
  readonly wantsName?: WantedName
  /** every request gets 503: an object that is named cannot be used, or an access control that is asked for is not built yet */
  readonly isDenied: boolean
}

/** A backend that is named beside that of the rule. */
export interface OtherBackend {
  readonly ref: BackendRef
  /** for Problems: where it is named, and what people call that */
  readonly field: string
  readonly asker: string
}

export interface WantedName {
  readonly purpose: "to-verify" | "to-send"
  /** what people call the place where it may be said */
  readonly asker: string
}

/** How much a client may request. */
export interface RuleLimits {
  readonly limits: Limits
  /** that it names */
  readonly exempt?: AddressList
}

/** Who answers errors: the server that makes them, the default backend, or the fallback, and without one the default backend. */
export type ErrorPages = "none" | "default" | "fallback"

/** Of a rule that says nothing. */
export const plainProxying: Proxying = {
  locations: defaultLocations,
  overrides: {},
  variables: {},
  headers: [],
  errorPages: "default",
  isDenied: false,
}
