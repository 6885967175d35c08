import type {
  Authority,
  Certificate,
  ClientVerification,
  Passthrough,
  Staple,
  TlsHost,
} from "../../model/certificate.ts"
import {
  criticalFields,
  type PostedAuthority,
  type PostedCertificate,
  type PostedClientVerification,
  type PostedPassthrough,
  type PostedStaple,
  type PostedTlsHost,
} from "./posted.ts"
import { withCritical } from "./wire-critical.ts"

// Things of TLS in the posted format, docs/wire.md section 1. What is undefined is absent there.

export function certificateFields({ id, chain, key }: Certificate): PostedCertificate {
  return { id, chain, key: key.reveal() }
}

export function stapleFields({ certificate, response, untilMs }: Staple): PostedStaple {
  return { certificate, response, until_ms: untilMs }
}

export function authorityFields({ id, certificates, crls }: Authority): PostedAuthority {
  return { id, certificates, crls }
}

export function tlsHostFields(tls: TlsHost): PostedTlsHost {
  const fields: PostedTlsHost = {
    host: tls.host,
    certificates: tls.certificates,
    ciphers: tls.ciphers,
    prefer_server_ciphers: tls.prefersServerCiphers,
    listener: tls.listener,
    client_certificate: tls.clientCertificate && verificationFields(tls.clientCertificate),
  }
  return withCritical(fields, criticalFields.TlsHost)
}

function verificationFields({ authority, verify, depth }: ClientVerification): PostedClientVerification {
  return { authority, verify, depth }
}

export function passthroughFields({ host, backend }: Passthrough): PostedPassthrough {
  return { host, backend }
}
