import type { X509Certificate } from "node:crypto"

/** Where a certificate says that more about it is to be had (RFC 5280, 4.2.2.1); undefined: nowhere. Anybody may have written that. */
export interface Access {
  /** OCSP responder */
  readonly ocsp: string | undefined
  /** certificate of the issuer */
  readonly issuer: string | undefined
}

/** The first URL of each kind. */
export function accessOf({ infoAccess }: X509Certificate): Access {
  const lines = infoAccess?.split("\n") ?? []
  const first = (prefix: string) => lines.find((line) => line.startsWith(prefix))?.slice(prefix.length)
  return { ocsp: first("OCSP - URI:"), issuer: first("CA Issuers - URI:") }
}
