import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

export interface ConfigMap {
  readonly kind: "ConfigMap"
  readonly meta: Meta
  readonly data: Readonly<Record<string, string>>
}

/** Who keeps books in it: `TILLER` is Helm, up to version 2. */
export const ownerLabel = "OWNER"

export function readConfigMap(at: Reader, meta: Meta): ConfigMap | undefined {
  return at.accepted({ kind: "ConfigMap", meta, data: at.textMap("data") })
}
