import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"
import { bytesOfBase64 } from "./secret.ts"

export interface ConfigMap {
  readonly kind: "ConfigMap"
  readonly meta: Meta
  readonly data: Readonly<Record<string, string>>
  /** decoded; absent when there is none */
  readonly binaryData?: Readonly<Record<string, Uint8Array>>
}

/** The label of its owner: `TILLER` is Helm, up to version 2. */
export const ownerLabel = "OWNER"

export function readConfigMap(at: Reader, meta: Meta): ConfigMap | undefined {
  const plain = { kind: "ConfigMap", meta, data: at.textMap("data") } as const
  const binaryData = at.has("binaryData") ? at.map("binaryData", bytesOfBase64, "base64") : undefined
  return at.accepted(binaryData ? { ...plain, binaryData } : plain)
}
