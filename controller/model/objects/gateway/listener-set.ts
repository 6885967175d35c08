import type { Meta } from "../meta.ts"
import type { Reader } from "../reader.ts"
import { type GatewayListener, readListeners } from "./gateway-listener.ts"
import { gatewayGroup, readGeneration } from "./names.ts"
import { type ObjectRef, readObjectRef } from "./references.ts"

/** Listeners that are added to a Gateway. */
export interface ListenerSet {
  readonly kind: "ListenerSet"
  readonly meta: Meta
  readonly generation: number
  readonly parent: ObjectRef
  readonly listeners: readonly GatewayListener[]
}

export function readListenerSet(at: Reader, meta: Meta): ListenerSet | undefined {
  const { namespace } = meta
  const generation = readGeneration(at)
  const spec = at.required("spec", (spec) => {
    const aGateway = { group: gatewayGroup, kind: "Gateway" }
    const parent = spec.required("parentRef", (ref) => readObjectRef(ref, namespace, aGateway))
    const listeners = readListeners(spec, namespace)
    return parent && spec.accepted({ parent, listeners })
  })
  return spec && at.accepted({ kind: "ListenerSet", meta, generation, ...spec })
}
