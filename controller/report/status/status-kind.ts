import type { StatusWriter } from "../../input/provider/status.ts"

/** What the status of an object is to say. The name is `namespace/name`. */
export type WantedPart<Part> = readonly [name: string, part: Part]

/** `unknown` is not "nothing": what a status says is left alone until there is something to say. The reason fits after a colon. */
export type Wanted<Part> =
  | { readonly kind: "known"; readonly parts: readonly WantedPart<Part>[] }
  | { readonly kind: "unknown"; readonly reason: string }

/** A kind of objects whose status is kept. */
export interface KeptStatus<Part> {
  readonly writer: StatusWriter<Part>
  /** our part of each object, or at least of those that have another one; those that have been there for longest come first */
  wanted(): Wanted<Part>
  isSame(a: Part, b: Part): boolean
  /** how long changes are collected before they are written; absent: a second */
  readonly collectMs?: number
  /** how many are written at a time; absent: ten */
  readonly maxAtOnce?: number
  /** how many are written before it is asked again what differs; absent: a thousand */
  readonly maxInRound?: number
  /** as log messages name the objects, `Ingresses` */
  readonly plural: string
  /** log message for `unknown` */
  readonly unknown: string
  /** fields of the log: how many, and one of the parts that were written */
  told(count: number, part?: Part): object
}
