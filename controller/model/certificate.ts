import type { SecretText } from "./secret-file.ts"

// TLS as data. Field meanings, ranges and what an id is: docs/wire.md, CERTIFICATE to PASSTHROUGH. DER is base64 here as it is posted.

/** A certificate with its chain and key. What has the same id is the same. */
export interface Certificate {
  readonly id: string
  /** the leaf first */
  readonly chain: readonly string[]
  /** PKCS#8 */
  readonly key: SecretText
}

/** Whether two certificates are the same, with their chains and keys. */
export function isSameCertificate(a: Certificate, b: Certificate): boolean {
  const hasSameChain = a.chain.length === b.chain.length && a.chain.every((text, at) => text === b.chain[at])
  return hasSameChain && a.key.equals(b.key)
}

/** The OCSP response that goes with a certificate. */
export interface Staple {
  /** `Certificate.id` */
  readonly certificate: string
  readonly response: string
  /** milliseconds since 1970 */
  readonly untilMs: number
}

/** Who signs the certificates of clients. */
export interface Authority {
  readonly id: string
  readonly certificates: readonly string[]
  readonly crls: readonly string[]
}

/** What a handshake for a server name gets. */
export interface TlsHost {
  /** as `Host.host`, or `:default`; that of a listener is `placeAt` */
  readonly host: string
  /** the namespace that it belongs to; absent: the operator's */
  readonly owner?: string
  /** `Certificate.id`s; none: those of `:default`, else nginx's static one */
  readonly certificates: readonly string[]
  /** of TLS 1.2 and below */
  readonly ciphers?: string
  readonly prefersServerCiphers?: boolean
  readonly clientCertificate?: ClientVerification
  /** as `Host.listener` */
  readonly listener?: string
}

/** What a TLS host is called that only handshakes of this listener see, if it has one for `_`. @param listener as `Host.server` */
export function placeAt(listener: string | undefined, host: string): string {
  return listener === undefined ? host : `${listener}/${host}`
}

export interface ClientVerification {
  /** `Authority.id` */
  readonly authority: string
  /** `required`: a handshake ends without one that holds; else requests are refused */
  readonly verify: "on" | "optional" | "optional_no_ca" | "required"
  /** 1 to 100 */
  readonly depth: number
}

/** A server name whose connections are handed on undecrypted. */
export interface Passthrough {
  /** exact */
  readonly host: string
  /** the namespace that it belongs to */
  readonly owner: string
  /** name of a backend, whose endpoints they go to */
  readonly backend: string
}
