import type { Staple } from "./certificate.ts"

/** What responders say of a certificate (OCSP, RFC 6960). */
export interface OcspState {
  /** what handshakes may show; absent when there is none, or none any more */
  readonly staple?: Staple
  /** what its owner should know */
  readonly trouble?: OcspTrouble
}

/** Reasons fit after a colon; times are of ISO 8601. */
export type OcspTrouble =
  /** nobody can be asked, or nothing can be made of the answer, whatever it is */
  | { readonly kind: "impossible"; readonly reason: string }
  /** `since` then; `reason` is what was wrong at first */
  | { readonly kind: "failing"; readonly responder: string; readonly since: string; readonly reason: string }
  /** by who issued it */
  | { readonly kind: "revoked"; readonly responder: string; readonly since: string }
