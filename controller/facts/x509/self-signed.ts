import { createPublicKey, generateKeyPair, X509Certificate } from "node:crypto"
import { promisify } from "node:util"
import { BitString, Integer } from "asn1js"
import { BasicConstraints, Certificate, type Extension, ExtKeyUsage, PublicKeyInfo } from "pkijs"
import { alternativeNames, extension, nameOf, type SubjectName, serial, timeOf } from "./certificate-parts.ts"

/** PEM of a certificate and its key. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

export interface Subject extends SubjectName {
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

/** Of a server and no authority. */
function extensionsOf({ name }: Subject): Extension[] {
  const signsAndEnciphers = new BitString({ valueHex: new Uint8Array([0b1010_0000]), unusedBits: 5 })
  const serverAuth = new ExtKeyUsage({ keyPurposes: ["1.3.6.1.5.5.7.3.1"] })
  return [
    extension("2.5.29.15", true, signsAndEnciphers),
    extension("2.5.29.37", false, serverAuth.toSchema()),
    extension("2.5.29.19", true, new BasicConstraints({ cA: false }).toSchema()),
    alternativeNames([name]),
  ]
}
