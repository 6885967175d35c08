import { createSecureContext } from "node:tls"
import type { Authority } from "../../model/certificate.ts"
import { certificatesIn, derOf } from "./certificates.ts"
import { idOf } from "./key-pair.ts"
import { type PemBlock, pemBlocks } from "./pem.ts"
import { Unusable } from "./unusable.ts"

// docs/wire.md, AUTHORITY.
const maxCertificates = 1024
const maxCrls = 64

/** Of all, in DER: in base64 it has to fit into one change (docs/wire.md). */
const maxBytes = 640 * 1024

/**
 * @param crls absent or empty: none
 * @throws Unusable
 */
export function authorityOf(certificates: Uint8Array, crls: Uint8Array | undefined): Authority {
  const trusted = certificatesIn("ca.crt", certificates, maxCertificates).map(derOf)
  const revoked = crls === undefined || crls.length === 0 ? [] : crlsIn(crls)
  const bytes = [...trusted, ...revoked].reduce((sum, text) => sum + Buffer.byteLength(text, "base64"), 0)
  if (bytes > maxBytes)
    throw new Unusable(`"ca.crt" and "ca.crl" have ${bytes} bytes in DER, more than ${maxBytes}`)
  return { id: idOf([...trusted, "", ...revoked]), certificates: trusted, crls: revoked }
}

function crlsIn(bytes: Uint8Array): readonly string[] {
  const blocks = pemBlocks("ca.crl", bytes).filter(({ label }) => label === "X509 CRL")
  if (blocks.length === 0) throw new Unusable('"ca.crl" holds no list of revoked certificates')
  if (blocks.length > maxCrls)
    throw new Unusable(`"ca.crl" holds ${blocks.length} lists, more than ${maxCrls}`)
  return blocks.map(crlOf)
}

function crlOf({ text }: PemBlock): string {
  try {
    createSecureContext({ crl: text })
  } catch {
    throw new Unusable('"ca.crl" holds a list of revoked certificates that cannot be read')
  }
  return Buffer.from(text.replace(/-----[^-]+-----/g, ""), "base64").toString("base64")
}
