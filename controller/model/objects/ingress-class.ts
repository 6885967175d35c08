import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

export interface IngressClass {
  readonly kind: "IngressClass"
  readonly meta: Meta
  /** spec.controller */
  readonly controller: string
}

export function readIngressClass(at: Reader, meta: Meta): IngressClass | undefined {
  const controller = at.required("spec", (spec) => spec.accepted(spec.requiredText("controller")))
  return controller === undefined ? undefined : at.accepted({ kind: "IngressClass", meta, controller })
}
