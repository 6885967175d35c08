import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

export interface Pod {
  readonly kind: "Pod"
  readonly meta: Meta
  /** spec.nodeName; "" when it runs nowhere yet */
  readonly nodeName: string
}

export function readPod(at: Reader, meta: Meta): Pod | undefined {
  const nodeName = at.optional("spec", (spec) => spec.accepted(spec.text("nodeName")))
  return at.accepted({ kind: "Pod", meta, nodeName: nodeName ?? "" })
}
