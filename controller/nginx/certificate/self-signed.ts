import { createPublicKey, generateKeyPair, randomBytes, sign } from "node:crypto"
import { promisify } from "node:util"
import {
  bits,
  der,
  explicit,
  integer,
  nothing,
  octets,
  oid,
  sequence,
  set,
  utcTime,
  utf8,
  yes,
} from "./der.ts"

/** PEM of a certificate and its key. */
export interface KeyPair {
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
export async function selfSigned(subject: Subject, nowMs: number, days: number): Promise<KeyPair> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 })
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" })
  const body = toBeSigned(subject, publicKey, nowMs, nowMs + days * dayMs)
  const signature = sign("sha256", body, privateKey)
  return {
    certificate: pem("CERTIFICATE", sequence(body, sha256WithRsa, bits(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

const sha256WithRsa = sequence(oid("1.2.840.113549.1.1.11"), nothing)

function toBeSigned(subject: Subject, publicKey: Uint8Array, fromMs: number, untilMs: number): Buffer {
  const name = nameOf(subject)
  const version3 = explicit(0, integer(Buffer.from([2])))
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40 // positive, and no zero in front
  const validity = sequence(utcTime(fromMs), utcTime(untilMs))
  const extensions = explicit(3, sequence(...extensionsOf(subject)))
  return sequence(version3, integer(serial), sha256WithRsa, name, validity, name, publicKey, extensions)
}

function nameOf({ organization, commonName }: Subject): Buffer {
  const part = (type: string, text: string) => set(sequence(oid(type), utf8(text)))
  return sequence(part("2.5.4.10", organization), part("2.5.4.3", commonName))
}

/** Of a server and no authority. */
function extensionsOf({ name }: Subject): readonly Buffer[] {
  const signsAndEnciphers = bits(Buffer.from([0b1010_0000]), 5)
  const serverAuth = sequence(oid("1.3.6.1.5.5.7.3.1"))
  const dnsName = der(0x82, Buffer.from(name))
  return [
    sequence(oid("2.5.29.15"), yes, octets(signsAndEnciphers)),
    sequence(oid("2.5.29.37"), octets(serverAuth)),
    sequence(oid("2.5.29.19"), yes, octets(sequence())),
    sequence(oid("2.5.29.17"), octets(sequence(dnsName))),
  ]
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n")
}
