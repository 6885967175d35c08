// Certificates made on the spot: authorities, what they sign, and lists of what they have taken back. Nobody trusts them anywhere.
import {
  createPublicKey,
  generateKeyPair,
  hash,
  type KeyObject,
  randomBytes,
  type webcrypto,
  X509Certificate,
} from "node:crypto"
import { isIP } from "node:net"
import { promisify } from "node:util"
import * as asn1 from "asn1js"
import * as pkijs from "pkijs"

/** Authorities have keys of RSA or EC. */
export type KeyKind = "ec" | "ec-p384" | "rsa" | "rsa-4096" | "ed25519"

export interface Wanted {
  /** default: the first of `names` */
  readonly cn?: string
  readonly organization?: string
  /** DNS names, IP addresses and URIs (with `//`) of the SAN; default: no SAN */
  readonly names?: readonly string[]
  /** a kind of key to make, or a private key that is there already; default `ec` (P-256) */
  readonly key?: KeyKind | KeyObject
  /** default: an hour ago */
  readonly from?: Date
  /** default: in 90 days */
  readonly until?: Date
  /** default: `server` and `client` */
  readonly usages?: readonly (keyof typeof purposes)[]
  /** URL of the OCSP responder; default none */
  readonly ocsp?: string
  /** URL of the issuer's certificate; default none */
  readonly issuer?: string
  /** OCSP must be stapled (RFC 7633) */
  readonly mustStaple?: boolean
  /** hexadecimal; default random */
  readonly serial?: string
  /** of the signature, where the authority has a key of EC; default SHA-256 */
  readonly hash?: "SHA-1" | "SHA-256"
}

export interface Revocations {
  /** default: none */
  readonly revoked?: readonly Identity[]
  /** default: an hour ago */
  readonly from?: Date
  /** default: in 30 days */
  readonly until?: Date
  readonly number?: number
}

const hourMs = 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * 24 * hourMs)
const anHourAgo = () => new Date(Date.now() - hourMs)

const generateRsa = (modulusLength: number) => promisify(generateKeyPair)("rsa", { modulusLength })
const generateEc = (namedCurve: string) => promisify(generateKeyPair)("ec", { namedCurve })

const makeKey: Readonly<Record<KeyKind, () => Promise<{ privateKey: KeyObject }>>> = {
  ec: () => generateEc("P-256"),
  "ec-p384": () => generateEc("P-384"),
  rsa: () => generateRsa(2048),
  "rsa-4096": () => generateRsa(4096),
  ed25519: () => promisify(generateKeyPair)("ed25519"),
}

/** Source: RFC 5280, 4.2.1.12. */
const purposes = {
  server: "1.3.6.1.5.5.7.3.1",
  client: "1.3.6.1.5.5.7.3.2",
  ocspSigning: "1.3.6.1.5.5.7.3.9",
}

/** A certificate with its key, and who vouches for it. */
export class Identity {
  readonly certificate: X509Certificate
  readonly key: KeyObject
  /** who signed it, and who signed that one; the root last. None: it signed itself */
  readonly issuers: readonly Identity[]

  constructor(der: Uint8Array, key: KeyObject, issuers: readonly Identity[]) {
    this.certificate = new X509Certificate(der)
    this.key = key
    this.issuers = issuers
  }

  get der(): Buffer {
    return this.certificate.raw
  }
  /** PEM of the certificate alone. */
  get pem(): string {
    return this.certificate.toString()
  }
  /** PEM of the certificate and everything between it and the root. */
  get chainPem(): string {
    return [this, ...this.issuers.slice(0, -1)].map(({ pem }) => pem).join("")
  }
  /** PEM, PKCS#8. */
  get keyPem(): string {
    return this.key.export({ type: "pkcs8", format: "pem" }).toString()
  }
  /** What a Secret of type kubernetes.io/tls holds. @param more other keys of it */
  tlsData(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { "tls.crt": this.chainPem, "tls.key": this.keyPem, ...more }
  }
}

/** An identity that signs others. */
export class Authority extends Identity {
  /** Signs a certificate of a server or client. */
  async issue(wanted: Wanted): Promise<Identity> {
    return new Identity(...(await this.#sign(wanted, false)))
  }

  /** Signs the certificate of another authority. */
  async intermediate(wanted: Wanted = {}): Promise<Authority> {
    return new Authority(...(await this.#sign({ cn: "Test intermediate", ...wanted }, true)))
  }

  /** PEM of a list of what it has taken back. */
  async crl({ revoked = [], from = anHourAgo(), until = inDays(30), number = 1 }: Revocations = {}) {
    const list = new pkijs.CertificateRevocationList({
      version: 1,
      issuer: decoded(this).subject,
      thisUpdate: timeOf(from),
      nextUpdate: timeOf(until),
      crlExtensions: new pkijs.Extensions({
        extensions: [keyIdOf(this), extension("2.5.29.20", new asn1.Integer({ value: number }))],
      }),
    })
    if (revoked.length > 0) list.revokedCertificates = revoked.map((one) => revocationOf(one, from))
    await list.sign(cryptoKey(this.key), "SHA-256")
    return pemOf("X509 CRL", list.toSchema().toBER())
  }

  async #sign(wanted: Wanted, isAuthority: boolean): Promise<[Uint8Array, KeyObject, Identity[]]> {
    const key = await keyOf(wanted)
    const certificate = unsigned(wanted, key, isAuthority)
    certificate.issuer = decoded(this).subject
    certificate.extensions?.push(keyIdOf(this))
    await certificate.sign(cryptoKey(this.key), wanted.hash ?? "SHA-256")
    return [new Uint8Array(certificate.toSchema().toBER()), key, [this, ...this.issuers]]
  }
}

/** An authority that vouches for itself. */
export async function rootAuthority(wanted: Wanted = {}): Promise<Authority> {
  return new Authority(...(await selfSigned({ cn: "Test root", ...wanted }, true)))
}

/** A certificate that nobody else vouches for. */
export async function selfSignedIdentity(wanted: Wanted): Promise<Identity> {
  return new Identity(...(await selfSigned(wanted, false)))
}

async function selfSigned(wanted: Wanted, isAuthority: boolean): Promise<[Uint8Array, KeyObject, []]> {
  const key = await keyOf(wanted)
  const certificate = unsigned(wanted, key, isAuthority)
  certificate.issuer = certificate.subject
  await certificate.sign(cryptoKey(key), "SHA-256")
  return [new Uint8Array(certificate.toSchema().toBER()), key, []]
}

async function keyOf({ key = "ec" }: Wanted): Promise<KeyObject> {
  return typeof key === "string" ? (await makeKey[key]()).privateKey : key
}

/** Everything but the issuer and what refers to it. */
function unsigned(wanted: Wanted, key: KeyObject, isAuthority: boolean): pkijs.Certificate {
  const { serial = `40${randomBytes(15).toString("hex")}`, from = anHourAgo(), until = inDays(90) } = wanted
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" })
  return new pkijs.Certificate({
    version: 2,
    serialNumber: new asn1.Integer({ valueHex: new Uint8Array(Buffer.from(serial, "hex")) }),
    subject: nameOf(wanted),
    notBefore: timeOf(from),
    notAfter: timeOf(until),
    subjectPublicKeyInfo: pkijs.PublicKeyInfo.fromBER(publicKey),
    extensions: [...(isAuthority ? authorityExtensions() : leafExtensions(wanted)), ...commonOf(wanted, key)],
  })
}

/** PKI.js encodes what it decoded as it was; of its own it would make one part of all. */
function nameOf({ cn, names = [], organization }: Wanted): pkijs.RelativeDistinguishedNames {
  const part = (type: string, text: string | undefined) =>
    text === undefined ? [] : [new asn1.Set({ value: [attribute(type, text)] })]
  const value = [...part("2.5.4.10", organization), ...part("2.5.4.3", cn ?? names[0])]
  return pkijs.RelativeDistinguishedNames.fromBER(new asn1.Sequence({ value }).toBER())
}

function attribute(type: string, text: string): asn1.Sequence {
  const value = new asn1.Utf8String({ value: text })
  return new pkijs.AttributeTypeAndValue({ type, value }).toSchema()
}

function authorityExtensions(): pkijs.Extension[] {
  const signsCertificatesAndLists = new Uint8Array([0b0000_0110])
  return [
    extension("2.5.29.19", new pkijs.BasicConstraints({ cA: true }).toSchema(), true),
    extension("2.5.29.15", new asn1.BitString({ valueHex: signsCertificatesAndLists, unusedBits: 1 }), true),
  ]
}

function leafExtensions({
  names = [],
  usages = ["server", "client"],
  mustStaple,
}: Wanted): pkijs.Extension[] {
  const keyPurposes = usages.map((usage) => purposes[usage])
  const status = new asn1.Sequence({ value: [new asn1.Integer({ value: 5 })] })
  return [
    extension("2.5.29.37", new pkijs.ExtKeyUsage({ keyPurposes }).toSchema()),
    ...(names.length > 0 ? [extension("2.5.29.17", alternatives(names))] : []),
    ...(mustStaple ? [extension("1.3.6.1.5.5.7.1.24", status)] : []),
  ]
}

function alternatives(names: readonly string[]): asn1.Sequence {
  const altNames = names.map((name) => {
    if (name.includes("//")) return new pkijs.GeneralName({ type: 6, value: name })
    if (isIP(name) === 0) return new pkijs.GeneralName({ type: 2, value: name })
    return new pkijs.GeneralName({ type: 7, value: new asn1.OctetString({ valueHex: addressBytes(name) }) })
  })
  return new pkijs.AltName({ altNames }).toSchema()
}

function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return new Uint8Array(address.split(".").map(Number))
  const words = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const [head = [], tail = []] = words.map((half) => half.split(":").filter((word) => word !== ""))
  const middle = Array(8 - head.length - tail.length).fill("0")
  return Buffer.from([...head, ...middle, ...tail].map((word) => word.padStart(4, "0")).join(""), "hex")
}

function commonOf({ ocsp, issuer }: Wanted, key: KeyObject): pkijs.Extension[] {
  const accessDescriptions = [
    ...(ocsp === undefined ? [] : [access("1.3.6.1.5.5.7.48.1", ocsp)]),
    ...(issuer === undefined ? [] : [access("1.3.6.1.5.5.7.48.2", issuer)]),
  ]
  const own = extension("2.5.29.14", new asn1.OctetString({ valueHex: keyHash(createPublicKey(key)) }))
  if (accessDescriptions.length === 0) return [own]
  return [own, extension("1.3.6.1.5.5.7.1.1", new pkijs.InfoAccess({ accessDescriptions }).toSchema())]
}

function access(accessMethod: string, url: string): pkijs.AccessDescription {
  return new pkijs.AccessDescription({
    accessMethod,
    accessLocation: new pkijs.GeneralName({ type: 6, value: url }),
  })
}

/** Says by whose key it was signed. */
function keyIdOf({ certificate }: Identity): pkijs.Extension {
  const keyIdentifier = new asn1.OctetString({ valueHex: keyHash(certificate.publicKey) })
  return extension("2.5.29.35", new pkijs.AuthorityKeyIdentifier({ keyIdentifier }).toSchema())
}

/** SHA-1 of the key's bits (RFC 5280, 4.2.1.2). */
export function keyHash(key: KeyObject): Uint8Array {
  const info = pkijs.PublicKeyInfo.fromBER(key.export({ type: "spki", format: "der" }))
  return new Uint8Array(hash("sha1", info.subjectPublicKey.valueBlock.valueHexView, "buffer"))
}

function revocationOf({ certificate }: Identity, at: Date): pkijs.RevokedCertificate {
  const valueHex = new Uint8Array(Buffer.from(certificate.serialNumber, "hex"))
  return new pkijs.RevokedCertificate({
    userCertificate: new asn1.Integer({ valueHex }),
    revocationDate: timeOf(at),
  })
}

function extension(extnID: string, value: asn1.BaseBlock, critical = false): pkijs.Extension {
  return new pkijs.Extension({ extnID, critical, extnValue: value.toBER() })
}

/** UTCTime to 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
function timeOf(value: Date): pkijs.Time {
  const toSecond = new Date(Math.floor(value.getTime() / 1000) * 1000)
  return new pkijs.Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value: toSecond })
}

function decoded({ der }: Identity): pkijs.Certificate {
  return pkijs.Certificate.fromBER(der)
}

/** As WebCrypto wants a private key. */
export function cryptoKey(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey(signingOf(key), false, ["sign"])
}

function signingOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
  const isP384 = asymmetricKeyDetails?.namedCurve === "secp384r1"
  return { name: "ECDSA", namedCurve: isP384 ? "P-384" : "P-256" }
}

function pemOf(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n")
}
