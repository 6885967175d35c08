import type { TlsSecret, TlsSecretState } from "../../model/tls-secret.ts"

type Expiry = Extract<TlsSecretState, { kind: "usable" }>["expiry"]

/** As ingress-nginx warns. */
const soonMs = 10 * 86_400_000

export function expiryOf({ pair }: TlsSecret, nowMs: number): Expiry {
  if (pair === undefined) return undefined
  const leftMs = pair.notAfterMs - nowMs
  return leftMs <= 0 ? "expired" : leftMs <= soonMs ? "soon" : undefined
}

/** When `expiryOf` will say something else; never, once the certificate has run out. */
export function nextLineMs({ pair }: TlsSecret, nowMs: number): number {
  if (pair === undefined) return Number.POSITIVE_INFINITY
  const lines = [pair.notAfterMs - soonMs, pair.notAfterMs]
  return lines.find((line) => line > nowMs) ?? Number.POSITIVE_INFINITY
}
