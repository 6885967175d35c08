import type { TlsHost } from "../../../model/certificate.ts"
import type { Ingress } from "../../../model/objects/ingress.ts"

/** What one Ingress says about TLS for its hosts. */
export interface TlsClaim extends Pick<TlsHost, "ciphers" | "prefersServerCiphers"> {
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

const noEntries: readonly TlsEntry[] = []

/** @param handshake what its annotations want */
export function tlsClaimOf(
  { tls, meta: { namespace } }: Ingress,
  handshake: Pick<TlsClaim, "ciphers" | "prefersServerCiphers">,
): TlsClaim {
  if (tls.length === 0) return { ...handshake, entries: noEntries }
  return {
    ...handshake,
    entries: tls.map(({ hosts, secretName }, at) => ({
      field: `spec.tls[${at}]`,
      hosts: hosts.map((host) => host.toLowerCase()),
      ...(secretName !== "" && { secret: `${namespace}/${secretName}` }),
    })),
  }
}
