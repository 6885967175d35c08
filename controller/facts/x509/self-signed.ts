import { createPublicKey, generateKeyPair, randomBytes, X509Certificate } from "node:crypto"
import { promisify } from "node:util"
import { BitString, Integer, Sequence, Set as SetOf, Utf8String } from "asn1js"
import {
  AltName,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from "pkijs"

/** PEM of a certificate and its key. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

export interface Subject {
  readonly organization: string
  readonly commonName: string
  /** in the DNS */
  readonly name: string
}

const dayMs = 86_400_000
const generate = promisify(generateKeyPair)

/**
 * Makes a key (RSA, 2048 bits) and signs a certificate for a server with it. Source: RFC 5280.
 *
 * @param days how long it is valid from `nowMs` on
 */
export async function selfSigned(subject: Subject, nowMs: number, days: number): Promise<SelfSigned> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 })
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" })
  const name = nameOf(subject)
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: serial() }),
    issuer: name,
    subject: name,
    notBefore: timeOf(nowMs),
    notAfter: timeOf(nowMs + days * dayMs),
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(publicKey),
    extensions: extensionsOf(subject),
  })
  const signing = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
  await certificate.sign(privateKey.toCryptoKey(signing, false, ["sign"]), signing.hash)
  return {
    certificate: new X509Certificate(new Uint8Array(certificate.toSchema().toBER())).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

/** Positive, and no zero in front. */
function serial(): Uint8Array {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return new Uint8Array(bytes)
}

/** PKI.js encodes a name that it decoded as it was; one put together of attributes it would make one part of all. */
function nameOf({ organization, commonName }: Subject): RelativeDistinguishedNames {
  const part = (type: string, text: string) => {
    const attribute = new AttributeTypeAndValue({ type, value: new Utf8String({ value: text }) })
    return new SetOf({ value: [attribute.toSchema()] })
  }
  const parts = new Sequence({ value: [part("2.5.4.10", organization), part("2.5.4.3", commonName)] })
  return RelativeDistinguishedNames.fromBER(parts.toBER())
}

/** To the second. */
function timeOf(ms: number): Time {
  return new Time({ value: new Date(ms) })
}

/** Of a server and no authority. */
function extensionsOf({ name }: Subject): Extension[] {
  const signsAndEnciphers = new BitString({ valueHex: new Uint8Array([0b1010_0000]), unusedBits: 5 })
  const serverAuth = new ExtKeyUsage({ keyPurposes: ["1.3.6.1.5.5.7.3.1"] })
  const dnsName = new AltName({ altNames: [new GeneralName({ type: 2, value: name })] })
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new Extension({ extnID, critical, extnValue: value.toBER() })
  return [
    extension("2.5.29.15", true, signsAndEnciphers),
    extension("2.5.29.37", false, serverAuth.toSchema()),
    extension("2.5.29.19", true, new BasicConstraints({ cA: false }).toSchema()),
    extension("2.5.29.17", false, dnsName.toSchema()),
  ]
}
