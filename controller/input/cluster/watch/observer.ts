/** Why a list or a watch came to its end too early; a label of metrics. */
export type Cause =
  /** no answer */
  | "unreachable"
  /** an answer that ended in the middle, went silent, or ended as soon as it had begun */
  | "cut"
  /** 410: what is asked for is too long ago */
  | "expired"
  /** 401, 403 */
  | "denied"
  /** 429 */
  | "throttled"
  /** 5xx, or an ERROR event */
  | "server"
  /** any other status */
  | "refused"
  /** not what an API server says */
  | "malformed"

/** An observer of how the reflection of a resource fares. */
export interface WatchObserver {
  /** Something came from the server. */
  contact(): void
  /** A list has been read to its end. */
  listed(): void
  /** An attempt failed; there will be another. @param message a sentence without the name of the resource */
  failed(cause: Cause, message: string): void
  /** It is over: nothing will be told any more. */
  close(): void
}
