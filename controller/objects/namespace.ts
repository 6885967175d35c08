import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

/** Of interest for its labels. */
export interface Namespace {
  readonly kind: "Namespace"
  readonly meta: Meta
}

export function readNamespace(at: Reader, meta: Meta): Namespace | undefined {
  return at.accepted({ kind: "Namespace", meta })
}
