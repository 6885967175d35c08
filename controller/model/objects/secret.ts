import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

/** Values are decoded bytes; they are never printed. */
export interface Secret {
  readonly kind: "Secret"
  readonly meta: Meta
  readonly type: string
  readonly data: Readonly<Record<string, Uint8Array>>
}

/** `stringData` goes over `data`, as an API server does it. */
export function readSecret(at: Reader, meta: Meta): Secret | undefined {
  const type = at.text("type", "Opaque")
  const decoded = at.map("data", bytesOfBase64, "base64")
  const plain = at.map("stringData", bytesOfText, "a text: put it in quotes")
  return at.accepted({ kind: "Secret", meta, type, data: { ...decoded, ...plain } })
}

export function bytesOfBase64(value: unknown): Uint8Array | undefined {
  if (typeof value !== "string") return undefined
  const digits = value.replace(/[\r\n]/g, "")
  const isBase64 = digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits)
  return isBase64 ? new Uint8Array(Buffer.from(digits, "base64")) : undefined
}

function bytesOfText(value: unknown): Uint8Array | undefined {
  return typeof value === "string" ? new TextEncoder().encode(value) : undefined
}
