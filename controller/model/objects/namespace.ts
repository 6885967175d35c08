import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

/** Of interest for its labels. */
export interface Namespace {
  readonly kind: "Namespace"
  readonly meta: Meta
}

/** Every Namespace has a label with its name: an API server sees to that. */
export function readNamespace(at: Reader, meta: Meta): Namespace | undefined {
  const labels = { ...meta.labels, "kubernetes.io/metadata.name": meta.name }
  return at.accepted({ kind: "Namespace", meta: { ...meta, labels } })
}
