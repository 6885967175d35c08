import type { Ingress } from "../model/objects/ingress.ts"
import { parseObject } from "../model/objects/parse.ts"
import { isRecord } from "../model/objects/reader.ts"
import type { Finding } from "./finding.ts"

/** An Ingress that asks to be let in. */
export interface Candidate {
  readonly ingress: Ingress
  /** metadata.deletionTimestamp is set: it is served until its finalizers have gone */
  readonly isDeleting: boolean
}

export type Decoded =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  | { readonly kind: "undecodable"; readonly faults: readonly Finding[] }

/** Whatever an API server would not take is no candidate. @param nowMs when it is made, milliseconds since 1970 */
export function decode(object: unknown, nowMs: number): Decoded {
  const parsed = parseObject(object, { firstSeenMs: () => nowMs, origin: "" })
  if (parsed.kind === "object" && parsed.object.kind === "Ingress" && parsed.problems.length === 0)
    return { kind: "candidate", candidate: { ingress: parsed.object, isDeleting: isDeleting(object) } }
  const faults = parsed.problems.map(({ field, message }) => ({ field: field || "object", message }))
  return { kind: "undecodable", faults: faults.length > 0 ? faults : [noIngress] }
}

const noIngress: Finding = { field: "object", message: "is no Ingress of networking.k8s.io/v1" }

function isDeleting(object: unknown): boolean {
  return (
    isRecord(object) && isRecord(object.metadata) && typeof object.metadata.deletionTimestamp === "string"
  )
}
