import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"
import { type SecretFile, SecretText } from "../../model/secret-file.ts"
import type { Secret } from "../../objects/secret.ts"
import { reasonOf } from "../../support/failure.ts"

/** The certificates and keys of a Secret, read and written anew: what nginx gets has nothing in it that was not understood here. */
export interface CheckedSecret {
  readonly kind: "checked"
  /** `tls.crt` with its chain, and `tls.key` */
  readonly pair?: SecretFile
  /** `ca.crt` */
  readonly trusted?: SecretFile
}

/** A phrase that fits after a colon. It never repeats what is in the Secret. */
export interface RefusedSecret {
  readonly kind: "refused"
  readonly reason: string
}

class Unusable extends Error {}

/** Reads `tls.crt` with `tls.key`, or `ca.crt`, or all three. */
export function checkSecret({ data }: Secret): CheckedSecret | RefusedSecret {
  try {
    const { "tls.crt": certificate, "tls.key": key, "ca.crt": trusted } = data
    if (!trusted && !(certificate && key)) throw new Unusable(missing(certificate, key))
    return {
      kind: "checked",
      ...(certificate && key && { pair: pairFile(certificate, key) }),
      ...(trusted && { trusted: fileOf(chainOf("ca.crt", trusted).map(String)) }),
    }
  } catch (error) {
    if (error instanceof Unusable) return { kind: "refused", reason: error.message }
    throw error
  }
}

function missing(certificate: Uint8Array | undefined, key: Uint8Array | undefined): string {
  if (!certificate && !key) return 'keys "tls.crt" and "tls.key", or "ca.crt", are missing'
  return `key "${certificate ? "tls.key" : "tls.crt"}" is missing`
}

function pairFile(certificate: Uint8Array, key: Uint8Array): SecretFile {
  const chain = chainOf("tls.crt", certificate)
  const privateKey = privateKeyOf(key)
  if (chain[0]?.checkPrivateKey(privateKey) !== true)
    throw new Unusable('"tls.key" is not the key of the certificate in "tls.crt"')
  const texts = chain.map(String)
  const keyText = privateKey.export({ format: "pem", type: "pkcs8" }).toString()
  checkStrength(texts.join(""), keyText)
  return fileOf([...texts, keyText])
}

function chainOf(name: string, bytes: Uint8Array): readonly X509Certificate[] {
  const text = Buffer.from(bytes).toString("latin1")
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Unusable(`"${name}" holds no certificate in PEM`)
  return blocks.map((block) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw new Unusable(`"${name}" holds a certificate that cannot be read`)
    }
  })
}

function privateKeyOf(bytes: Uint8Array): KeyObject {
  try {
    return createPrivateKey(Buffer.from(bytes))
  } catch {
    throw new Unusable('"tls.key" holds no private key in PEM without a password')
  }
}

/** As nginx hands them to OpenSSL, which refuses weak keys and hashes. */
function checkStrength(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key, ciphers: "DEFAULT@SECLEVEL=2" })
  } catch (error) {
    throw new Unusable(`OpenSSL refuses it, ${reasonOf(error)}`)
  }
}

function fileOf(texts: readonly string[]): SecretFile {
  const text = texts.join("")
  const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.pem`
  return { name, text: new SecretText(text) }
}
