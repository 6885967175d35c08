/** TLS towards clients, as it is for every host. What a host has of its own is data (../certificate.ts). */
export interface Tls {
  /** versions that clients may use; at least one */
  readonly protocols: readonly TlsVersion[]
  /** OpenSSL's list, for TLS 1.2 and below; the server's order counts */
  readonly ciphers: string
  /** `auto`, or OpenSSL's names separated by colons */
  readonly curves: string
  /** a file of `Fixed.files` for DHE ciphers; without one there are none */
  readonly dhParam?: string
  /** the workers share what they know of sessions */
  readonly cachesSessions: boolean
  readonly sessionCacheBytes: number
  /** how long a session may be resumed */
  readonly sessionSeconds: number
  /** clients keep their sessions themselves */
  readonly usesTickets: boolean
  /** the file that tickets are encrypted with; without one nginx makes up a key with every reload */
  readonly ticketKey?: string
  /** the key before, for tickets that are still about */
  readonly formerTicketKey?: FormerTicketKey
  /** TLS 1.3: requests may come with the first bytes of a resumed session */
  readonly acceptsEarlyData: boolean
  /** size of a record */
  readonly recordBytes: number
  /** handshakes without a name, or for one that no Ingress mentions, are refused */
  readonly rejectsUnknown: boolean
}

export type TlsVersion = "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3"

export interface FormerTicketKey {
  /** of a file of `Fixed.files` */
  readonly name: string
  /** milliseconds since 1970: then no ticket that was made with it is good any more */
  readonly untilMs: number
}

/** What browsers are told to remember of a host: that it is for HTTPS only. Source: RFC 6797. */
export interface Hsts {
  readonly sendsHsts: boolean
  readonly hstsMaxAgeSeconds: number
  readonly hstsIncludesSubdomains: boolean
  /** agrees to a place in the lists that browsers are built with */
  readonly hstsAllowsPreload: boolean
}
