/** What a policy is asked, what it answers, and what it is told in the end. */

export type Texts = Readonly<Record<string, string>>
/** A 64-bit number. */
export type Note = readonly [low: number, high: number]
export const noNote: Note = [0, 0]

/** A request for which an endpoint is wanted. */
export interface Asked {
  /** Value of upstream-hash-by. */
  readonly key?: string | undefined
  /** By lower-case name; also `:path`, `:method`, `:authority`. */
  readonly headers?: Texts | undefined
  readonly cookies?: Texts | undefined
  /** Slots of this request's earlier attempts. */
  readonly tried?: readonly number[] | undefined
  readonly note?: Note | undefined
}

export interface Chosen {
  /** -1: the policy declined. */
  readonly index: number
  /** Of the endpoint; -1 without one. */
  readonly slot: number
  readonly note: Note
}

/** How an attempt ended. */
export interface Ended {
  /** The endpoint's slot. */
  readonly slot: number
  readonly attempt: number
  readonly outcome: number
  readonly status: number
  readonly firstByteNs: number
  readonly note: Note
  /** Of the response. */
  readonly headers?: Texts | undefined
}
