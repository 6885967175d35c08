/** What becomes of a request that is not sent to any backend. */
export type Outcome =
  /** `target`: path and arguments as the backend would see them, decoded */
  | { readonly kind: "proxied"; readonly target: string }
  | { readonly kind: "redirected"; readonly status: number; readonly location: string }
  | { readonly kind: "answered"; readonly status: number }
