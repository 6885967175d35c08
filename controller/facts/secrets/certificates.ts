import { X509Certificate } from "node:crypto"
import { distinctBy } from "../../support/distinct.ts"
import { type PemBlock, pemBlocks } from "./pem.ts"
import { Unusable } from "./unusable.ts"

const labels: readonly string[] = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

/**
 * The certificates of a text, each once.
 *
 * @param name the Secret's key, for the reason
 * @param max how many there may be
 * @throws Unusable
 */
export function certificatesIn(name: string, bytes: Uint8Array, max: number): readonly X509Certificate[] {
  const blocks = pemBlocks(name, bytes).filter(({ label }) => labels.includes(label))
  if (blocks.length === 0) throw new Unusable(`"${name}" holds no certificate`)
  if (blocks.length > max)
    throw new Unusable(`"${name}" holds ${blocks.length} certificates, more than ${max}`)
  return distinctBy(blocks, ({ text }) => text).map((block, at) =>
    at === 0 ? certificateOf(name, block) : issuerOf(name, block),
  )
}

/** Issuers come with thousands of leaves: each is read once, and has one text in all chains. */
const issuers = new Map<string, X509Certificate>()
const maxIssuers = 256

function issuerOf(name: string, block: PemBlock): X509Certificate {
  const known = issuers.get(block.text)
  if (known !== undefined) return known
  const issuer = certificateOf(name, block)
  if (issuers.size >= maxIssuers) issuers.clear()
  issuers.set(block.text, issuer)
  return issuer
}

function certificateOf(name: string, { text }: PemBlock): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new Unusable(`"${name}" holds a certificate that cannot be read`)
  }
}

const texts = new WeakMap<X509Certificate, string>()

/** As the model has it. */
export function derOf(certificate: X509Certificate): string {
  const known = texts.get(certificate)
  if (known !== undefined) return known
  const text = certificate.raw.toString("base64")
  texts.set(certificate, text)
  return text
}
