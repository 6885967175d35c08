import { createPrivateKey, type KeyObject } from "node:crypto"
import { type PemBlock, pemBlocks } from "./pem.ts"
import { Unusable } from "./unusable.ts"

/**
 * The first private key of `tls.key`: PKCS#8, PKCS#1 or SEC1, parameters of its curve before it or not.
 *
 * @throws Unusable
 */
export function privateKeyIn(bytes: Uint8Array): KeyObject {
  const blocks = pemBlocks("tls.key", bytes)
  const block = blocks.find(({ label }) => label.endsWith("PRIVATE KEY"))
  if (block === undefined) throw new Unusable(`"tls.key" holds ${insteadOfKey(blocks)}`)
  if (isEncrypted(block)) throw new Unusable('"tls.key" has a password: store the key without one')
  try {
    return createPrivateKey(block.text)
  } catch {
    throw new Unusable('"tls.key" holds a private key that cannot be read')
  }
}

function insteadOfKey(blocks: readonly PemBlock[]): string {
  const isCertificate = blocks.some(({ label }) => label.endsWith("CERTIFICATE"))
  return isCertificate ? "a certificate where the private key should be" : "no private key"
}

/** Source: RFC 5958, and RFC 1421 for the older form. */
function isEncrypted({ label, text }: PemBlock): boolean {
  return label === "ENCRYPTED PRIVATE KEY" || text.includes("Proc-Type: 4,ENCRYPTED")
}
