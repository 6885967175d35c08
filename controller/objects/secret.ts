import type { Meta } from "./meta.ts"

/** Values are decoded bytes; they are never printed. */
export interface Secret {
  readonly kind: "Secret"
  readonly meta: Meta
  readonly type: string
  readonly data: Readonly<Record<string, Uint8Array>>
}
