// What an nginx serves by TLS, as the control API shows it: docs/wire.md 1. There is no key in any of it.

export interface CertificateInForce {
  readonly id: string
  /** the leaf first */
  readonly chain: readonly string[]
}

export interface StapleInForce {
  readonly certificate: string
  readonly response: string
  readonly until_ms: number
}

export interface AuthorityInForce {
  readonly id: string
  readonly certificates: readonly string[]
  readonly crls: readonly string[]
}

export interface TlsHostInForce {
  readonly host: string
  readonly certificates: readonly string[]
  readonly ciphers?: string
  readonly prefer_server_ciphers?: boolean
  readonly client_certificate?: ClientVerificationInForce
}

export interface ClientVerificationInForce {
  readonly authority: string
  readonly verify: string
  readonly depth: number
}

export interface PassthroughInForce {
  readonly host: string
  readonly addresses: readonly string[]
}

/** Lists of the control API, and the argument that asks for one thing of each. */
export const tlsArguments = {
  certificates: "id",
  staples: "certificate",
  authorities: "id",
  tls_hosts: "host",
  passthroughs: "host",
} as const

export interface TlsInForce {
  readonly certificates: CertificateInForce
  readonly staples: StapleInForce
  readonly authorities: AuthorityInForce
  readonly tls_hosts: TlsHostInForce
  readonly passthroughs: PassthroughInForce
}
