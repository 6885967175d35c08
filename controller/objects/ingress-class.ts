import type { Meta } from "./meta.ts"

export interface IngressClass {
  readonly kind: "IngressClass"
  readonly meta: Meta
  /** spec.controller */
  readonly controller: string
}
