import type { Authority, Certificate } from "./certificate.ts"

/** What a Secret brings for TLS, checked: nothing is in it that was not understood. */
export interface TlsSecret {
  /** `tls.crt` with `tls.key` */
  readonly pair?: KeyPair
  /** `ca.crt` with `ca.crl` */
  readonly authority?: Authority
}

/** A certificate that a server may show, and what a handshake need not know of it. */
export interface KeyPair {
  readonly certificate: Certificate
  /** of the SAN, lower-case, names as they stand there (`*.shop.test`); the CN where there is no SAN */
  readonly names: readonly string[]
  readonly notAfterMs: number
  /** as node:crypto calls it: `rsa`, `ec`, `ed25519` … */
  readonly keyType: string
}

/** What has CA certificates in the place of a Secret, among those: no name of one is like it. @param name `namespace/name` */
export function authorityKey(kind: string, name: string): string {
  return kind === "Secret" ? name : `${kind}:${name}`
}

/** Of the authorities of the operating system, likewise. */
export const systemAuthorities = "system:"

/**
 * What is known of a Secret that TLS needs. An update that cannot be used keeps what was there before it (behaviour of ingress-nginx); reasons
 * fit after a colon and never repeat what is in the Secret.
 */
export type TlsSecretState =
  | {
      readonly kind: "usable"
      readonly secret: TlsSecret
      /** of the pair, at the time of the snapshot; `soon` is within 10 days */
      readonly expiry?: "expired" | "soon"
      /** the newest version cannot be used; this is one before it */
      readonly stale?: { readonly reason: string }
      /** a certificate of the chain is neither there nor to be had from the URL */
      readonly incomplete?: { readonly url: string; readonly reason: string }
    }
  | { readonly kind: "refused"; readonly reason: string }
