import type { Authority, Certificate, ClientVerification, Staple, TlsHost } from "../../model/certificate.ts"

// Things of TLS in the posted format, docs/wire.md section 1. What is undefined is absent there.

export function certificateFields({ id, chain, key }: Certificate): object {
  return { id, chain, key: key.reveal() }
}

export function stapleFields({ certificate, response, untilMs }: Staple): object {
  return { certificate, response, until_ms: untilMs }
}

export function authorityFields({ id, certificates, crls }: Authority): object {
  return { id, certificates, crls }
}

export function tlsHostFields(tls: TlsHost): object {
  return {
    host: tls.host,
    certificates: tls.certificates,
    ciphers: tls.ciphers,
    prefer_server_ciphers: tls.prefersServerCiphers,
    client_certificate: tls.clientCertificate && verificationFields(tls.clientCertificate),
  }
}

function verificationFields({ authority, verify, depth }: ClientVerification): object {
  return { authority, verify, depth }
}
