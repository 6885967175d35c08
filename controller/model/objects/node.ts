import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

/** A machine of the cluster. */
export interface Node {
  readonly kind: "Node"
  readonly meta: Meta
  /** status.addresses, in the order written */
  readonly addresses: readonly NodeAddress[]
}

interface NodeAddress {
  /** as `InternalIP`, `ExternalIP`, `Hostname` */
  readonly type: string
  readonly address: string
}

/** In which zone it is. Source: Kubernetes, "Well-Known Labels, Annotations and Taints". */
export const zoneLabel = "topology.kubernetes.io/zone"

export function readNode(at: Reader, meta: Meta): Node | undefined {
  const addresses = at.optional("status", (status) => status.list("addresses", readAddress))
  return at.accepted({ kind: "Node", meta, addresses: addresses ?? [] })
}

function readAddress(at: Reader): NodeAddress | undefined {
  return at.accepted({ type: at.requiredText("type"), address: at.requiredText("address") })
}
