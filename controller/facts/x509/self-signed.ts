import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import {
  alternativeNames,
  keyUsage,
  nameOf,
  noAuthority,
  type SubjectName,
  serverAuthentication,
} from "./certificate-parts.ts"
import { signed } from "./signed.ts"

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
 * Makes a key (RSA, 2048 bits) and signs a certificate for a server, which is no authority, with it.
 *
 * @param days how long it is valid from `nowMs` on
 */
export async function selfSigned(subject: Subject, nowMs: number, days: number): Promise<SelfSigned> {
  const { privateKey: key } = await generate("rsa", { modulusLength: 2048 })
  const name = nameOf(subject)
  const valid = { fromMs: nowMs, untilMs: nowMs + days * dayMs }
  const signsAndEnciphers = keyUsage(0b1010_0000, 5)
  const extensions = [
    signsAndEnciphers,
    serverAuthentication(),
    noAuthority(),
    alternativeNames([subject.name]),
  ]
  return {
    certificate: signed({ issuer: name, subject: name, valid, key, extensions }, key),
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}
