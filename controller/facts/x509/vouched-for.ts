import { createHash, generateKeyPair, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import { Boolean as Asn1Boolean, type BaseBlock, Integer, OctetString } from "asn1js"
import {
  alternativeNames,
  extension,
  keyUsage,
  nameOf,
  noAuthority,
  sequence,
  serverAuthentication,
  tagged,
} from "./certificate-parts.ts"
import { keyBits, signed } from "./signed.ts"

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
    ca: signed({ ...ca, issuer, valid }, authority),
    certificate: signed({ ...leaf, issuer, valid }, authority),
    key: server.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

/** RFC 5280, appendix A.1. */
const maxCommonName = 64

async function makeKey(): Promise<KeyObject> {
  return (await generate("ec", { namedCurve: "P-256" })).privateKey
}

function authorityExtensions(key: KeyObject): BaseBlock[] {
  const signsCertificates = keyUsage(0b0000_0100, 2)
  const ofOneCertificate = sequence(new Asn1Boolean({ value: true }), new Integer({ value: 0 }))
  return [signsCertificates, extension("2.5.29.19", true, ofOneCertificate), nameOfKey(key)]
}

function serverExtensions(hosts: readonly string[], key: KeyObject, authority: KeyObject): BaseBlock[] {
  const signs = keyUsage(0b1000_0000, 7)
  const byWhom = extension("2.5.29.35", false, sequence(tagged(0, keyId(authority))))
  return [signs, serverAuthentication(), noAuthority(), nameOfKey(key), byWhom, alternativeNames(hosts)]
}

function nameOfKey(key: KeyObject): BaseBlock {
  return extension("2.5.29.14", false, new OctetString({ valueHex: keyId(key) }))
}

/** By which a certificate finds its issuer among several of one name: SHA-1 of the key's bits (RFC 5280, 4.2.1.2). */
function keyId(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha1").update(keyBits(key)).digest())
}
