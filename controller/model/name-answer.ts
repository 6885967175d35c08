/** What DNS says about a name. The reasons fit after a colon. */
export type NameAnswer =
  | {
      readonly kind: "found"
      /** in order, each once; at least one */
      readonly addresses: readonly string[]
      /** it could not be asked again when it should have been; `since` is a time of ISO 8601 */
      readonly stale?: { readonly since: string; readonly reason: string }
    }
  /** it has no address, as far as DNS knows */
  | { readonly kind: "absent"; readonly reason: string }
  /** DNS has never answered */
  | { readonly kind: "unknown"; readonly reason: string }
