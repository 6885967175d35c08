import { type SecretFile, secretFile } from "../../model/secret-file.ts"
import type { TlsSecret } from "../../model/tls-secret.ts"

/** What nginx reads from files of their own. Written anew from what was parsed, so that nothing unknown is in them. */
export interface CertificateFiles {
  /** `tls.crt` with its chain, and `tls.key` */
  readonly pair?: SecretFile
  /** `ca.crt` */
  readonly trusted?: SecretFile
}

export function certificateFiles({ pair, authority }: TlsSecret): CertificateFiles {
  return {
    ...(pair && { pair: fileOf(pairTexts(pair)) }),
    ...(authority && { trusted: fileOf(authority.certificates.map(certificatePem)) }),
  }
}

function pairTexts({ certificate: { chain, key } }: NonNullable<TlsSecret["pair"]>): readonly string[] {
  return [...chain.map(certificatePem), pem("PRIVATE KEY", key.reveal())]
}

function certificatePem(der: string): string {
  return pem("CERTIFICATE", der)
}

/** @param der in base64 */
function pem(label: string, der: string): string {
  const lines = der.match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n")
}

function fileOf(texts: readonly string[]): SecretFile {
  return secretFile(texts.join(""), ".pem")
}
