/** Balancing policies of somebody else. */
export interface Policies {
  /** headers of requests and responses that they may read, in lower case */
  readonly readableHeaders: readonly string[]
}
