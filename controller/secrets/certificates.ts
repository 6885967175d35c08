import { X509Certificate } from "node:crypto"
import { type PemBlock, pemBlocks } from "./pem.ts"
import { Unusable } from "./unusable.ts"

const labels: readonly string[] = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

/**
 * The certificates of a text, each once.
 *
 * @param name the Secret's key, for the reason
 * @param most how many there may be
 * @throws Unusable
 */
export function certificatesIn(name: string, bytes: Uint8Array, most: number): readonly X509Certificate[] {
  const blocks = pemBlocks(name, bytes).filter(({ label }) => labels.includes(label))
  if (blocks.length === 0) throw new Unusable(`"${name}" holds no certificate`)
  if (blocks.length > most)
    throw new Unusable(`"${name}" holds ${blocks.length} certificates, more than ${most}`)
  const distinct = new Map(blocks.map((block) => [block.text, block]))
  return [...distinct.values()].map((block) => certificateOf(name, block))
}

function certificateOf(name: string, { text }: PemBlock): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new Unusable(`"${name}" holds a certificate that cannot be read`)
  }
}

/** As the model has it. */
export function derOf(certificate: X509Certificate): string {
  return certificate.raw.toString("base64")
}
