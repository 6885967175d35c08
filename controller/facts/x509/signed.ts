import { createPublicKey, type KeyObject, sign, X509Certificate } from "node:crypto"
import { type BaseBlock, BitString, fromBER, Integer, Null, type Sequence } from "asn1js"
import { identifier, labelled, sequence, serial, timeOf } from "./certificate-parts.ts"

/** What a certificate says. */
export interface Unsigned {
  readonly issuer: BaseBlock
  readonly subject: BaseBlock
  readonly valid: { readonly fromMs: number; readonly untilMs: number }
  /** whose public half it vouches for */
  readonly key: KeyObject
  readonly extensions: BaseBlock[]
}

/** Signs a certificate of version 3 with SHA-256. Source: RFC 5280, 4.1. @param by an RSA or EC key @returns PEM */
export function signed({ issuer, subject, valid, key, extensions }: Unsigned, by: KeyObject): string {
  const content = sequence(
    labelled(0, new Integer({ value: 2 })),
    serial(),
    algorithmOf(by),
    issuer,
    sequence(timeOf(valid.fromMs), timeOf(valid.untilMs)),
    subject,
    keyInfo(key),
    labelled(3, sequence(...extensions)),
  )
  const signature = new Uint8Array(sign("sha256", new Uint8Array(content.toBER()), by))
  const whole = sequence(content, algorithmOf(by), new BitString({ valueHex: signature }))
  return new X509Certificate(new Uint8Array(whole.toBER())).toString()
}

/** How a certificate says by what it is signed (RFC 4055, section 5; RFC 5758, 3.2). */
function algorithmOf({ asymmetricKeyType }: KeyObject): Sequence {
  return asymmetricKeyType === "rsa"
    ? sequence(identifier("1.2.840.113549.1.1.11"), new Null())
    : sequence(identifier("1.2.840.10045.4.3.2"))
}

function keyInfo(key: KeyObject): Sequence {
  return fromBER(new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" })))
    .result as Sequence
}

/** The bits of the public half alone. */
export function keyBits(key: KeyObject): Uint8Array {
  const [, bits] = keyInfo(key).valueBlock.value
  return (bits as BitString).valueBlock.valueHexView
}
