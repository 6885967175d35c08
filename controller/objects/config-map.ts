import type { Meta } from "./meta.ts"

export interface ConfigMap {
  readonly kind: "ConfigMap"
  readonly meta: Meta
  readonly data: Readonly<Record<string, string>>
}
