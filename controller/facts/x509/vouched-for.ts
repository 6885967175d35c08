import { createHash, createPublicKey, generateKeyPair, type KeyObject, X509Certificate } from "node:crypto"
import { promisify } from "node:util"
import { BitString, Integer, OctetString } from "asn1js"
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  type Extension,
  ExtKeyUsage,
  PublicKeyInfo,
  type RelativeDistinguishedNames,
} from "pkijs"
import { alternativeNames, extension, nameOf, serial, timeOf } from "./certificate-parts.ts"

/** PEM of a server's certificate and key, and of the authority that vouches for it and for nothing else. */
export interface VouchedFor {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const generate = promisify(generateKeyPair)

/** Clocks differ. */
const aheadMs = 5 * 60_000
const dayMs = 86_400_000

/**
 * Makes an authority, has it sign one certificate (ECDSA P-256, both), and forgets its key: nobody can ever sign another one by it.
 *
 * @param hosts DNS names and IP addresses of the server, one at least
 * @param days  how long both are valid from `nowMs` on
 */
export async function vouchedFor(hosts: readonly string[], nowMs: number, days: number): Promise<VouchedFor> {
  const [authority, server] = [await makeKey(), await makeKey()]
  const valid = { fromMs: nowMs - aheadMs, untilMs: nowMs + days * dayMs }
  const issuer = nameOf({ organization: "wick", commonName: "authority of one certificate" })
  const subject = nameOf({ organization: "wick", commonName: hosts[0]?.slice(0, maxCommonName) ?? "" })
  const ca = { subject: issuer, key: authority, extensions: authorityExtensions(authority) }
  const leaf = { subject, key: server, extensions: serverExtensions(hosts, server, authority) }
  return {
    ca: await signed({ ...ca, issuer, valid }, authority),
    certificate: await signed({ ...leaf, issuer, valid }, authority),
    key: server.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

/** RFC 5280, appendix A.1. */
const maxCommonName = 64

async function makeKey(): Promise<KeyObject> {
  return (await generate("ec", { namedCurve: "P-256" })).privateKey
}

interface Unsigned {
  readonly issuer: RelativeDistinguishedNames
  readonly subject: RelativeDistinguishedNames
  readonly valid: { readonly fromMs: number; readonly untilMs: number }
  readonly key: KeyObject
  readonly extensions: Extension[]
}

/** @returns PEM */
async function signed({ issuer, subject, valid, key, extensions }: Unsigned, by: KeyObject): Promise<string> {
  const certificate = new Certificate({
    version: 2,
    serialNumber: new Integer({ valueHex: serial() }),
    issuer,
    subject,
    notBefore: timeOf(valid.fromMs),
    notAfter: timeOf(valid.untilMs),
    subjectPublicKeyInfo: infoOf(key),
    extensions,
  })
  const signing = { name: "ECDSA", namedCurve: "P-256" }
  await certificate.sign(by.toCryptoKey(signing, false, ["sign"]), "SHA-256")
  return new X509Certificate(new Uint8Array(certificate.toSchema().toBER())).toString()
}

function authorityExtensions(key: KeyObject): Extension[] {
  const signsCertificates = new BitString({ valueHex: new Uint8Array([0b0000_0100]), unusedBits: 2 })
  return [
    extension("2.5.29.15", true, signsCertificates),
    extension("2.5.29.19", true, new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema()),
    extension("2.5.29.14", false, new OctetString({ valueHex: keyId(key) })),
  ]
}

function serverExtensions(hosts: readonly string[], key: KeyObject, authority: KeyObject): Extension[] {
  const signs = new BitString({ valueHex: new Uint8Array([0b1000_0000]), unusedBits: 7 })
  const serverAuth = new ExtKeyUsage({ keyPurposes: ["1.3.6.1.5.5.7.3.1"] })
  const keyIdentifier = new OctetString({ valueHex: keyId(authority) })
  return [
    extension("2.5.29.15", true, signs),
    extension("2.5.29.37", false, serverAuth.toSchema()),
    extension("2.5.29.19", true, new BasicConstraints({ cA: false }).toSchema()),
    extension("2.5.29.14", false, new OctetString({ valueHex: keyId(key) })),
    extension("2.5.29.35", false, new AuthorityKeyIdentifier({ keyIdentifier }).toSchema()),
    alternativeNames(hosts),
  ]
}

function infoOf(key: KeyObject): PublicKeyInfo {
  return PublicKeyInfo.fromBER(createPublicKey(key).export({ type: "spki", format: "der" }))
}

/** By which a certificate finds its issuer among several of one name: SHA-1 of the key's bits (RFC 5280, 4.2.1.2). */
function keyId(key: KeyObject): Uint8Array<ArrayBuffer> {
  const bits = infoOf(key).subjectPublicKey.valueBlock.valueHexView
  return new Uint8Array(createHash("sha1").update(bits).digest())
}
