import { createHash, createPublicKey, verify } from "node:crypto"

/**
 * What is wrong with a detached signature, to be put behind a colon; undefined when it is good: ECDSA P-256 over SHA-256, DER in base64, as
 * `cosign sign-blob` and `openssl dgst -sha256 -sign` make it.
 *
 * @param publicKey PEM
 */
export function signatureFault(
  bytes: Uint8Array,
  signature: string | undefined,
  publicKey: string,
): string | undefined {
  if (signature === undefined)
    return 'it has no signature, and the ConfigMap\'s key "policies-public-key" asks for one'
  return isGood(bytes, signature, publicKey)
    ? undefined
    : 'its signature is none of these bytes by the ConfigMap\'s key "policies-public-key"'
}

function isGood(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  try {
    return verify("sha256", bytes, createPublicKey(publicKey), Buffer.from(signature.trim(), "base64"))
  } catch {
    return false // no signature at all
  }
}

/** Names the key in what was verified with it. */
export function keyId(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 16)
}
