import { createSecureContext } from "node:tls"
import { reasonOf } from "../../../support/failure.ts"

/** Why OpenSSL would refuse a list of ciphers for TLS 1.2 and below: it knows nothing in it. Undefined for one that it takes. */
export function cipherFault(list: string): string | undefined {
  try {
    createSecureContext({ ciphers: withoutTls13(list) })
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** The suites of TLS 1.3 are another list of OpenSSL's; in this one it does not know them. */
function withoutTls13(list: string): string {
  const known = list.split(":").filter((item) => !item.startsWith("TLS_"))
  return known.length > 0 ? known.join(":") : "none"
}
