import type { Authority, Certificate, Passthrough, Staple, TlsHost } from "../../model/certificate.ts"
import type {
  PostedAuthority,
  PostedCertificate,
  PostedPassthrough,
  PostedStaple,
  PostedTlsHost,
} from "./posted.ts"
import { fieldsOf } from "./wire-object.ts"

// Things of TLS in the posted format, docs/wire.md section 1.

/** With its key: it is for the control socket alone. */
export function certificateFields(certificate: Certificate): PostedCertificate {
  return fieldsOf("Certificate", certificate) as unknown as PostedCertificate
}

export function stapleFields(staple: Staple): PostedStaple {
  return fieldsOf("Staple", staple) as unknown as PostedStaple
}

export function authorityFields(authority: Authority): PostedAuthority {
  return fieldsOf("Authority", authority) as unknown as PostedAuthority
}

export function tlsHostFields(tls: TlsHost): PostedTlsHost {
  return fieldsOf("TlsHost", tls) as unknown as PostedTlsHost
}

export function passthroughFields(passthrough: Passthrough): PostedPassthrough {
  return fieldsOf("Passthrough", passthrough) as unknown as PostedPassthrough
}
