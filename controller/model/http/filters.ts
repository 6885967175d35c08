/** Who is turned away whatever the route. */
export interface Filters {
  /** addresses and networks that get 403 */
  readonly blockedAddresses: readonly string[]
  /** User-Agent headers that get 403 */
  readonly blockedUserAgents: readonly MapKey[]
  /** Referer headers that get 403 */
  readonly blockedReferers: readonly MapKey[]
  /** addresses and networks that may see /nginx_status on the traffic ports */
  readonly statusReaders: readonly string[]
}

/** What a value is compared with: a whole text without regard to case, or a regular expression without named groups. */
export type MapKey =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "regex"; readonly pattern: string; readonly ignoresCase: boolean }
