import { createPrivateKey, X509Certificate } from "node:crypto"
import { isIP } from "node:net"

/** PEM, as a Secret holds them. */
export interface KeptPair {
  /** of one or more authorities */
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

/** A certificate that ends within these days is made anew. Nobody looks between two upgrades of a chart. */
const minDaysLeft = 90
const dayMs = 86_400_000

/** Why a certificate has to be made anew, a phrase; undefined: it is good. */
export function staleness(
  { ca, certificate, key }: KeptPair,
  hosts: readonly string[],
  nowMs: number,
): string | undefined {
  const leaf = parsed(certificate)
  if (leaf === undefined || !fits(leaf, key)) return "certificate and key do not belong together"
  if (!certificatesIn(ca).some((authority) => leaf.verify(authority.publicKey)))
    return "its authority is another one"
  const until = leaf.validToDate
  if (until.getTime() - nowMs < minDaysLeft * dayMs) return `it ends on ${until.toISOString()}`
  const missing = hosts.filter((host) => !isFor(leaf, host))
  return missing.length === 0 ? undefined : `it is not for ${missing.join(", ")}`
}

/** The new authority first, then those of before that are still valid: older certificates are still believed for a while. */
export function bundle(ca: string, before: string, nowMs: number): string {
  const older = certificatesIn(before).filter((authority) => authority.validToDate.getTime() > nowMs)
  return [ca, ...older.slice(0, maxOlder).map(String)]
    .map((pem) => pem.trim())
    .join("\n")
    .concat("\n")
}

/** One is enough as long as everybody takes an upgrade before the next one begins. */
const maxOlder = 1

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? leaf.checkHost(host, { subject: "never" }) : leaf.checkIP(host)) !== undefined
}

function fits(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => parsed(block) ?? [])
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
