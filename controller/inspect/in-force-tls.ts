import type {
  PostedAuthority,
  PostedCertificate,
  PostedClientVerification,
  PostedPassthrough,
  PostedStaple,
  PostedTlsHost,
} from "../output/control/posted.ts"

// What an nginx serves by TLS, as the control API shows it: docs/wire.md 1. There is no key in any of it.

export type CertificateInForce = Omit<PostedCertificate, "key">

export type StapleInForce = PostedStaple

export type AuthorityInForce = PostedAuthority

export interface TlsHostInForce extends PostedTlsHost {
  readonly certificates: readonly string[]
}

export type ClientVerificationInForce = PostedClientVerification

export type PassthroughInForce = PostedPassthrough

/** By list of the control API. */
export interface TlsInForce {
  readonly certificates: CertificateInForce
  readonly staples: StapleInForce
  readonly authorities: AuthorityInForce
  readonly tls_hosts: TlsHostInForce
  readonly passthroughs: PassthroughInForce
}
