import type { RouteKind } from "./objects/gateway/allowed.ts"
import type { ParentRef } from "./objects/gateway/references.ts"

// What this controller says in the status of objects of the Gateway API, without what depends on when it is written: lastTransitionTime, and
// observedGeneration, which is `ObjectStatus.generation` in every condition.

/** The conditions that are ours to say: those of other types, in the same lists, are of others. */
export const ownConditions = [
  "Accepted",
  "Programmed",
  "ResolvedRefs",
  "Conflicted",
  "PartiallyInvalid",
  "OverlappingTLSConfig",
  "InsecureFrontendValidationMode",
  "SupportedVersion",
] as const

/** Source: Kubernetes, Condition of meta/v1. */
export interface Condition {
  readonly type: (typeof ownConditions)[number]
  readonly status: "True" | "False" | "Unknown"
  /** one word */
  readonly reason: string
  /** a sentence; "" where the reason says it all */
  readonly message: string
}

export type StatusKind = ObjectStatus["kind"]

export const statusKinds = [
  "GatewayClass",
  "Gateway",
  "ListenerSet",
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "TCPRoute",
  "UDPRoute",
  "BackendTLSPolicy",
] as const satisfies readonly StatusKind[]

/** The status of one object, or our part of it. */
export type ObjectStatus = {
  /** "" for kinds without */
  readonly namespace: string
  readonly name: string
  /** of the object that was read */
  readonly generation: number
} & (
  | { readonly kind: "GatewayClass"; readonly status: GatewayClassStatus }
  | { readonly kind: "Gateway"; readonly status: GatewayStatus }
  | { readonly kind: "ListenerSet"; readonly status: ListenerSetStatus }
  | {
      readonly kind: "HTTPRoute" | "GRPCRoute" | "TLSRoute" | "TCPRoute" | "UDPRoute"
      readonly status: RouteStatus
    }
  | { readonly kind: "BackendTLSPolicy"; readonly status: PolicyStatus }
)

interface GatewayClassStatus {
  readonly conditions: readonly Condition[]
  /** in the order of their names */
  readonly supportedFeatures: readonly { readonly name: string }[]
}

interface GatewayStatus {
  readonly addresses: readonly StatusAddress[]
  readonly conditions: readonly Condition[]
  readonly listeners: readonly ListenerStatus[]
  /** ListenerSets that add listeners to it */
  readonly attachedListenerSets: number
}

export interface StatusAddress {
  readonly type: "IPAddress" | "Hostname"
  readonly value: string
}

export interface ListenerStatus {
  readonly name: string
  readonly supportedKinds: readonly RouteKind[]
  readonly attachedRoutes: number
  readonly conditions: readonly Condition[]
}

interface ListenerSetStatus {
  readonly conditions: readonly Condition[]
  readonly listeners: readonly ListenerStatus[]
}

/** One for each of its parents that is ours; those of other controllers stay. */
interface RouteStatus {
  readonly parents: readonly ParentStatus[]
}

export interface ParentStatus {
  /** as the route has it */
  readonly parentRef: ParentRef
  readonly controllerName: string
  readonly conditions: readonly Condition[]
}

/** One for each Gateway of ours that it has an effect on; those of other controllers stay. */
interface PolicyStatus {
  readonly ancestors: readonly AncestorStatus[]
}

/** How many entries an API server takes in the status of a policy, of all controllers together. Source: Gateway API, PolicyStatus.ancestors. */
export const maxAncestors = 16

export interface AncestorStatus {
  readonly ancestorRef: ParentRef
  readonly controllerName: string
  readonly conditions: readonly Condition[]
}

/** Of what has listeners. */
export function noneProgrammed(reason: "Invalid" | "Pending"): Condition {
  const message = "No listener can be served; their conditions say why"
  return { type: "Programmed", status: "False", reason, message }
}
