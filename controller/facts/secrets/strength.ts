import type { KeyObject, X509Certificate } from "node:crypto"
import { Unusable } from "./unusable.ts"

// What OpenSSL lets a server show at security level 2 (SSL_CTX_set_security_level) with the curves that it has switched on. A pair that it
// refuses would be noticed at the first handshake only.

const minRsaBits = 2048

/** By OpenSSL's names, which node:crypto uses. Clients take no others. */
const curves: readonly string[] = ["prime256v1", "secp384r1", "secp521r1"]

/** @throws Unusable when the key is one that no server may have */
export function checkKey(key: KeyObject): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key
  switch (type) {
    case "rsa":
    case "rsa-pss":
      if ((details.modulusLength ?? 0) < minRsaBits)
        throw new Unusable(`the key has ${details.modulusLength} bits, fewer than ${minRsaBits}`)
      return
    case "ec":
      if (!curves.includes(details.namedCurve ?? ""))
        throw new Unusable(
          `the key is on curve ${details.namedCurve ?? "without a name"}: use P-256, P-384 or P-521`,
        )
      return
    case "ed25519":
    case "ed448":
      return
    default:
      throw new Unusable(`a key of type ${type ?? "unknown"} is not for TLS servers: use RSA or ECDSA`)
  }
}

/** @throws Unusable when somebody could forge the signature. Nobody looks at that of a root */
export function checkSignature(certificate: X509Certificate): void {
  const { signatureAlgorithm: algorithm = "" } = certificate
  if (!/md[245]|sha1(?!\d)/i.test(algorithm) || certificate.issuer === certificate.subject) return
  throw new Unusable(`a certificate is signed with ${algorithm}, which clients do not trust`)
}
