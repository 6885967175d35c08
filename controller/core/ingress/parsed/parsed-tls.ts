import type { TlsHost } from "../../../model/certificate.ts"

/** What one Ingress says about TLS for its hosts. */
export interface ParsedTls extends Pick<TlsHost, "ciphers" | "prefersServerCiphers"> {
  /** of its tls section, in order; empty: it has none */
  readonly entries: readonly TlsEntry[]
}

export interface TlsEntry {
  /** where it stands in the Ingress, for Problems */
  readonly field: string
  /** lower-case, else as written */
  readonly hosts: readonly string[]
  /** `namespace/name`; absent: the default certificate is wanted */
  readonly secret?: string
}
