// Printed by `npm run wire` from wire/: change it there.

import type { SecretText } from "./secret-file.ts"

/** A certificate with its chain and key. What has the same id is the same. */
export interface Certificate {
  readonly id: string
  /** the leaf first */
  readonly chain: readonly string[]
  /** PKCS#8 */
  readonly key: SecretText
}

/** The OCSP response that goes with a certificate. */
export interface Staple {
  /** `Certificate.id` */
  readonly certificate: string
  readonly response: string
  /** milliseconds since 1970 */
  readonly untilMs: number
}

/** The authorities that sign the certificates of clients. */
export interface Authority {
  readonly id: string
  readonly certificates: readonly string[]
  readonly crls: readonly string[]
}

/** What a handshake for a server name gets. */
export interface TlsHost {
  /** as `Host.host`, or `:default`; that of a listener is `placeAt` */
  readonly host: string
  /** `Certificate.id`s; none: those of `:default`, else nginx's static one */
  readonly certificates: readonly string[]
  /** of TLS 1.2 and below */
  readonly ciphers?: string
  readonly prefersServerCiphers?: boolean
  /** as `Host.listener` */
  readonly listener?: string
  readonly clientCertificate?: ClientVerification
}

/** What a handshake asks of the client. */
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
  /** name of a backend, whose endpoints they go to */
  readonly backend: string
}
