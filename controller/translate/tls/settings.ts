import type { IngressClaims } from "../ingress/claim.ts"
import { noSettings, type TlsSettings } from "./host-tls.ts"

/**
 * What a handshake for a host goes by beside certificates; for each of it the oldest Ingress that says something decides.
 *
 * @param claims of the Ingresses that mention the host and are no canaries, the oldest first
 * @returns `noSettings` when none of them says anything
 */
export function tlsSettings(claims: readonly IngressClaims[]): TlsSettings {
  const ciphers = claims.find(({ tls }) => tls.ciphers !== undefined)?.tls.ciphers
  const prefersServerCiphers = claims.find(({ tls }) => tls.prefersServerCiphers !== undefined)?.tls
    .prefersServerCiphers
  if (ciphers === undefined && prefersServerCiphers === undefined) return noSettings
  return {
    ...(ciphers !== undefined && { ciphers }),
    ...(prefersServerCiphers !== undefined && { prefersServerCiphers }),
  }
}
