import { fieldPath } from "../../../model/field-path.ts"
import type { ListenerStatus } from "../../../model/object-status.ts"
import type { AllowedNamespaces, RouteKind } from "../../../model/objects/gateway/allowed.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { GatewayListener } from "../../../model/objects/gateway/gateway-listener.ts"
import type { ListenerSet } from "../../../model/objects/gateway/listener-set.ts"
import { selects } from "../../../model/objects/label-selector.ts"
import type { Namespace } from "../../../model/objects/namespace.ts"
import { nameOf } from "../../../model/objects/object.ts"
import type { PortAsker } from "../../declared/listener.ts"
import type { SecretPair } from "../../declared/tls.ts"
import type { HostRules } from "../../options/keys/host-rules.ts"
import { conditionOf, type Finding } from "../finding.ts"
import type { ListenerClients } from "../tls/clients.ts"

/** A listener of a Gateway, of its own or of a ListenerSet, and what is to be said of it. */
export interface AttachableListener {
  readonly gateway: Gateway
  /** whose it is */
  readonly owner: Gateway | ListenerSet
  readonly spec: GatewayListener
  /** where it stands in its owner */
  readonly field: string
  /** what routes it takes */
  readonly kinds: readonly RouteKind[]
  /** that its protocol and port are served; absent: they are */
  readonly refused?: Finding
  /** it is refused for what may be meant to keep somebody out: nobody else serves its names */
  readonly isClosed?: true
  /** another listener has the same traffic */
  readonly conflict?: Finding
  /** what of its references cannot be used */
  readonly unresolved?: Finding
  /** of a listener with TLS that it ends */
  readonly pairs: readonly SecretPair[]
  /** of a listener with TLS: what clients have to show; absent: nothing */
  readonly clients?: ListenerClients
  /** `namespace/name` of Secrets that it depends on */
  readonly secrets: readonly string[]
  /** on the ports of Ingresses: which hosts routes may have; absent: all */
  readonly hostRules?: HostRules
  /** its namespace may not have its hostname: it has the names that its routes bring, and no other */
  readonly isNameless?: true
  /** the same of one that asks for a certain host */
  readonly withheld?: Finding
}

/** Whether routes are served by it. */
export function isServed(listener: AttachableListener): boolean {
  const { refused, conflict, spec, pairs } = listener
  const lacksPair = spec.tls?.mode !== "Passthrough" && endsTls(spec) && pairs.length === 0
  return refused === undefined && conflict === undefined && !lacksPair
}

/** Whether it has its port and its names, be it that all who come get an error. */
export function isHeld(listener: AttachableListener): boolean {
  return listener.isClosed === true || isServed(listener)
}

/** The object and field that declare its port. */
export function portAsker({ owner, field }: AttachableListener): PortAsker {
  return { source: nameOf(owner), field: fieldPath(field, "port") }
}

/** Whether it takes requests. */
export function isWeb({ protocol }: GatewayListener): boolean {
  return protocol === "HTTP" || protocol === "HTTPS"
}

export function findingsOf(listener: AttachableListener): readonly Finding[] {
  const { conflict, refused, unresolved, withheld } = listener
  return [conflict, refused, unresolved, withheld].filter((it) => it !== undefined)
}

/** Whether clients speak TLS to it. */
function endsTls({ protocol }: GatewayListener): boolean {
  return protocol === "HTTPS" || protocol === "TLS"
}

/** @param unserved why its Gateway is not served */
export function listenerStatus(
  listener: AttachableListener,
  attachedRoutes: number,
  unserved: Finding | undefined,
): ListenerStatus {
  const { spec, kinds, refused, conflict, unresolved } = listener
  const unaccepted = conflict ?? refused
  const unprogrammed = unaccepted ?? (isServed(listener) ? unserved : unresolved)
  return {
    name: spec.name,
    supportedKinds: kinds,
    attachedRoutes,
    conditions: [
      conditionOf("Accepted", unaccepted),
      conditionOf("Programmed", unprogrammed && { ...unprogrammed, reason: programmedReason(unprogrammed) }),
      conditionOf("ResolvedRefs", unresolved),
      conflictCondition(conflict),
    ],
  }
}

/** The API has few words for what keeps a listener from being served. */
function programmedReason({ reason }: Finding): string {
  return reason.endsWith("Conflict") ? reason : reason.startsWith("Address") ? "Pending" : "Invalid"
}

/** That there is a conflict is what this condition says. */
function conflictCondition(conflict: Finding | undefined) {
  const type = "Conflicted"
  if (conflict === undefined) return { type, status: "False", reason: "NoConflicts", message: "" } as const
  return { type, status: "True", reason: conflict.reason, message: conflict.message } as const
}

/** @param own the namespace of the object that allows */
export function allowsNamespace(
  allowed: AllowedNamespaces,
  own: string,
  other: string,
  namespaces: ReadonlyMap<string, Namespace>,
): boolean {
  switch (allowed.from) {
    case "All":
      return true
    case "Same":
      return own === other
    case "None":
      return false
    case "Selector": {
      const labels = namespaces.get(other)?.meta.labels
      return labels !== undefined && selects(allowed.selector, labels)
    }
    default:
      return allowed satisfies never
  }
}
