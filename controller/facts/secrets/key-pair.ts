import type { KeyObject, X509Certificate } from "node:crypto"
import { SecretText } from "../../model/secret-file.ts"
import type { KeyPair } from "../../model/tls-secret.ts"
import { contentName } from "../../support/content-name.ts"
import { certificatesIn, derOf } from "./certificates.ts"
import { privateKeyIn } from "./private-key.ts"
import { checkKey, checkSignature } from "./strength.ts"
import { Unusable } from "./unusable.ts"

/** docs/wire.md, CERTIFICATE. */
const maxCertificates = 16

/** Of a chain, in DER: clients of OpenSSL take no more. Source: SSL_CTX_set_max_cert_list. */
const maxChainBytes = 100 * 1024

/** @throws Unusable */
export function keyPairOf(certificate: Uint8Array, key: Uint8Array): KeyPair {
  const privateKey = privateKeyIn(key)
  checkKey(privateKey)
  const chain = chainOf(certificatesIn("tls.crt", certificate, maxCertificates), privateKey)
  const [leaf] = chain
  for (const each of chain) checkSignature(each)
  const texts = chain.map(derOf)
  const bytes = chain.reduce((sum, { raw }) => sum + raw.length, 0)
  if (bytes > maxChainBytes)
    throw new Unusable(`the certificates in "tls.crt" have ${bytes} bytes, more than ${maxChainBytes}`)
  const text = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64")
  return {
    certificate: { id: idOf([...texts, text]), chain: texts, key: new SecretText(text) },
    names: namesOf(leaf),
    notAfterMs: leaf.validToDate.getTime(),
    keyType: privateKey.asymmetricKeyType ?? "",
  }
}

/** The leaf, which may stand anywhere, comes first; all others stay as they are: clients look for what they need among them. */
function chainOf(
  certificates: readonly X509Certificate[],
  key: KeyObject,
): readonly [X509Certificate, ...X509Certificate[]] {
  const leaf = certificates.find((each) => each.checkPrivateKey(key))
  if (leaf === undefined) throw new Unusable('"tls.key" is not the key of the certificate in "tls.crt"')
  return [leaf, ...certificates.filter((each) => each !== leaf)]
}

/** Of the content, so that what is the same has the same. */
export function idOf(texts: readonly string[]): string {
  return contentName(texts.join("\n"))
}

/** @see KeyPair.names */
function namesOf(leaf: X509Certificate): readonly string[] {
  const { subjectAltName } = leaf
  if (subjectAltName === undefined) return commonNamesOf(leaf)
  // Node quotes what is no plain name, so that no name can pass for several.
  const names = subjectAltName.split(", ").flatMap((item) => /^DNS:([^"]+)$/.exec(item)?.[1] ?? [])
  return names.map((name) => name.toLowerCase())
}

function commonNamesOf(leaf: X509Certificate): readonly string[] {
  const { CN: names = [] } = leaf.toLegacyObject().subject
  return [names].flat().map((name) => name.toLowerCase())
}
