import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

/** A machine of the cluster: of interest are its labels. */
export interface Node {
  readonly kind: "Node"
  readonly meta: Meta
}

export function readNode(at: Reader, meta: Meta): Node | undefined {
  return at.accepted({ kind: "Node", meta })
}
