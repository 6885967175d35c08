import { X509Certificate } from "node:crypto"
import type { Certificate } from "../../model/certificate.ts"

/** What metrics say of a certificate. */
export interface CertificateDetails {
  /** decimal */
  readonly serial: string
  /** the attributes of the issuer's name, or empty */
  readonly issuer: {
    readonly organization: string
    readonly commonName: string
    readonly serialNumber: string
  }
  /** as Go calls it: people's queries have these names */
  readonly keyAlgorithm: string
  /** since 1970 */
  readonly notAfterSeconds: number
}

const known = new WeakMap<Certificate, CertificateDetails>()

/** Each certificate is read once. @returns undefined when it cannot be read */
export function detailsOf(certificate: Certificate): CertificateDetails | undefined {
  const before = known.get(certificate)
  if (before !== undefined) return before
  const [leaf = ""] = certificate.chain
  try {
    const details = readDetails(Buffer.from(leaf, "base64"))
    known.set(certificate, details)
    return details
  } catch {
    return undefined // it was checked; only tests have others
  }
}

/** @param encoded PEM or DER. @throws when it cannot be read */
export function readDetails(encoded: Buffer | string): CertificateDetails {
  const leaf = new X509Certificate(encoded)
  const type = leaf.publicKey.asymmetricKeyType ?? ""
  return {
    serial: BigInt(`0x${leaf.serialNumber}`).toString(),
    issuer: readIssuer(leaf.issuer),
    keyAlgorithm: goNames[type] ?? type,
    notAfterSeconds: leaf.validToDate.getTime() / 1000,
  }
}

/** @param text `O=Acme\\, Inc.`, an attribute in each line or several with ` + ` between them. Of several organizations the first counts, of other attributes the last (Go) */
function readIssuer(text: string): CertificateDetails["issuer"] {
  const attributes = text.split(/\n| \+ /).map((line) => {
    const [, type, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? []
    return { type, value: value.replace(/\\([0-9A-F]{2}|.)/g, unescaped) }
  })
  const valuesOf = (wanted: string) =>
    attributes.filter(({ type }) => type === wanted).map(({ value }) => value)
  return {
    organization: valuesOf("O")[0] ?? "",
    commonName: valuesOf("CN").at(-1) ?? "",
    serialNumber: valuesOf("serialNumber").at(-1) ?? "",
  }
}

function unescaped(_: string, escaped: string): string {
  return escaped.length === 2 ? String.fromCharCode(Number.parseInt(escaped, 16)) : escaped
}

/** Source: Go, crypto/x509, PublicKeyAlgorithm.String. */
const goNames: Readonly<Record<string, string>> = {
  rsa: "RSA",
  "rsa-pss": "RSA",
  dsa: "DSA",
  ec: "ECDSA",
  ed25519: "Ed25519",
}
