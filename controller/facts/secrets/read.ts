import type { Secret } from "../../model/objects/secret.ts"
import type { TlsSecret } from "../../model/tls-secret.ts"
import { authorityOf } from "./authority.ts"
import { keyPairOf } from "./key-pair.ts"
import { Unusable } from "./unusable.ts"

export type SecretReading =
  | { readonly kind: "read"; readonly secret: TlsSecret }
  /** fits after a colon and never repeats what is in the Secret */
  | { readonly kind: "refused"; readonly reason: string }

/** More text than anything that could be used has. */
const maxTextBytes = 1 << 20

/** Reads `tls.crt` with `tls.key`, or `ca.crt` with or without `ca.crl`, or all of them. */
export function readTlsSecret({ data }: Secret): SecretReading {
  try {
    return { kind: "read", secret: tlsSecretOf(data) }
  } catch (error) {
    if (error instanceof Unusable) return { kind: "refused", reason: error.message }
    throw error
  }
}

function tlsSecretOf(data: Secret["data"]): TlsSecret {
  const [certificate, key, trusted, crls] = ["tls.crt", "tls.key", "ca.crt", "ca.crl"].map((name) =>
    textOf(data, name),
  )
  if (trusted === undefined && !(certificate && key)) throw new Unusable(missing(certificate, key))
  return {
    ...(certificate && key && { pair: keyPairOf(certificate, key) }),
    ...(trusted && { authority: authorityOf(trusted, crls) }),
  }
}

/** Undefined where there is nothing: cert-manager leaves `ca.crt` empty when it does not know it. */
function textOf(data: Secret["data"], name: string): Uint8Array | undefined {
  const bytes = data[name]
  if (bytes === undefined || bytes.length === 0) return undefined
  if (bytes.length > maxTextBytes)
    throw new Unusable(`"${name}" has ${bytes.length} bytes, more than ${maxTextBytes}`)
  return bytes
}

function missing(certificate: Uint8Array | undefined, key: Uint8Array | undefined): string {
  const lacks = certificate ? '"tls.key"' : key ? '"tls.crt"' : '"tls.crt" with "tls.key", or "ca.crt"'
  return `it contains no keypair or CA certificate, ${lacks} is missing`
}
