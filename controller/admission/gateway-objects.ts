import type { GatewayCandidate } from "../core/gateway/candidate.ts"
import { parseObject } from "../model/objects/parse.ts"
import { isRecord } from "../model/objects/reader.ts"
import type { Finding } from "./finding.ts"
import type { Review } from "./review.ts"

type Written = Readonly<Record<string, unknown>>

/** An object of the Gateway API that asks to be let in. */
export interface AskedObject {
  readonly candidate: GatewayCandidate
  /** as it was sent */
  readonly written: Written
}

export type DecodedObject =
  | ({ readonly kind: "candidate" } & AskedObject)
  | { readonly kind: "undecodable"; readonly faults: readonly Finding[] }

/** @param kind that it has to be of @param nowMs when it is made, milliseconds since 1970 */
export function decodeObject(written: unknown, kind: Review["kind"], nowMs: number): DecodedObject {
  const parsed = parseObject(written, { firstSeenMs: () => nowMs, origin: "" })
  const faults = parsed.problems.map(({ field, message }) => ({ field: field || "object", message }))
  if (parsed.kind === "object" && faults.length === 0 && parsed.object.kind === kind && isRecord(written))
    // `Review.kind` is one of those, or Ingress, which has a check of its own.
    return { kind: "candidate", candidate: parsed.object as GatewayCandidate, written }
  return {
    kind: "undecodable",
    faults: faults.length > 0 ? faults : [{ field: "object", message: `is no ${kind}` }],
  }
}

/** Where an object says what is served. */
function saidBy({ metadata, spec }: Written): unknown {
  return [isRecord(metadata) ? (metadata.annotations ?? {}) : {}, spec]
}

/** Whether two versions are served alike. */
export function saysTheSame(a: Written, b: Written): boolean {
  return JSON.stringify(saidBy(a)) === JSON.stringify(saidBy(b))
}

/**
 * The part of an object that a finding there is about, with all that decides what becomes of it: an annotation, an item of a list of its spec, or all of
 * the spec.
 */
export function partOf({ metadata, spec }: Written, field: string): unknown {
  const annotation = /^metadata\.annotations\["(?<key>[^"]+)"\]/.exec(field)?.groups?.key
  if (annotation !== undefined)
    return isRecord(metadata) && isRecord(metadata.annotations) ? metadata.annotations[annotation] : undefined
  const { list, at } = /^spec\.(?<list>\w+)\[(?<at>\d+)\]/.exec(field)?.groups ?? {}
  const items = isRecord(spec) && list !== undefined ? spec[list] : undefined
  return Array.isArray(items) ? items[Number(at)] : spec
}
