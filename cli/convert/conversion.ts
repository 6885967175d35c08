import { gatewayVersion } from "../../controller/model/objects/gateway/names.ts"
import type { ObjectName } from "../../controller/model/problem.ts"
import type { Subject } from "../lint/subject.ts"
import type { Change } from "./changes.ts"

/** A part of an object, as it is printed. */
export type Json = Readonly<Record<string, unknown>>

/** An object of the Gateway API, standard channel. */
export interface GatewayObject {
  readonly apiVersion: typeof gatewayVersion
  readonly kind:
    | "Gateway"
    | "ListenerSet"
    | "HTTPRoute"
    | "GRPCRoute"
    | "TLSRoute"
    | "BackendTLSPolicy"
    | "ReferenceGrant"
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: Json
}

export function gatewayObject(
  kind: GatewayObject["kind"],
  namespace: string,
  name: string,
  spec: Json,
): GatewayObject {
  return { apiVersion: gatewayVersion, kind, metadata: { namespace, name }, spec }
}

/**
 * Something that is not as it was. `open`: it kept requests away, and nothing of the standard channel does. `left-out`: it has no equivalent.
 * `changed`: what is written in its place does not quite do the same. `unread`: it could not be read, so nothing is printed for it.
 */
export interface Remark {
  readonly kind: "open" | "left-out" | "changed" | "unread"
  readonly object: ObjectName
  /** as in a Problem */
  readonly field: string
  /** one sentence, without its dot */
  readonly what: string
  /** what kind of change it is; absent: none */
  readonly change?: Change
}

export interface Conversion {
  readonly objects: readonly GatewayObject[]
  readonly remarks: readonly Remark[]
  /** `namespace/name` of Ingresses whose routes lead nowhere, as they would be open to everybody */
  readonly closed: readonly string[]
  /** those of which nothing could be read, too */
  readonly ingresses: number
  /** how many of them were converted */
  readonly converted: number
  /** `namespace/name` of Ingresses of other controllers, which are not converted */
  readonly others: readonly string[]
}

/** What has been found while one Ingress is converted. */
export interface Remarks {
  readonly add: (kind: Exclude<Remark["kind"], "changed">, field: string, what: string) => void
  readonly addChange: (change: Change, field: string, what: string) => void
}

export function remarksOf(object: ObjectName, into: Remark[]): Remarks {
  return {
    add: (kind, field, what) => void into.push({ kind, object, field, what }),
    addChange: (change, field, what) => void into.push({ kind: "changed", object, field, what, change }),
  }
}

export function remarksOfIngress({ ingress: { meta } }: Subject, into: Remark[]): Remarks {
  return remarksOf({ kind: "Ingress", namespace: meta.namespace, name: meta.name }, into)
}
