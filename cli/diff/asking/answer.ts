/** What became of a request. */
export type Answer = Received | Failed

export interface Received {
  readonly kind: "received"
  readonly status: number
  /** by their names in lower case, values in the order of the response */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Body
  /** between the end of the request and the beginning of the response, milliseconds */
  readonly waitMs: number
}

interface Body {
  /** of what was read */
  readonly sha256: string
  readonly bytes: number
  /** there was more than is read */
  readonly isCut: boolean
}

export interface Failed {
  readonly kind: "failed"
  readonly why: keyof typeof failures
}

export const failures = {
  refused: "connection refused",
  unreachable: "no connection",
  reset: "connection closed without an answer",
  slow: "no answer in time",
  untrusted: "certificate not trusted",
  handshake: "TLS handshake failed",
  unreadable: "an answer that is no HTTP",
} as const
