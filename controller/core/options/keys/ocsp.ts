import { family } from "../key.ts"
import { falseByDefault } from "./syntax.ts"

export const ocsp = family("TLS", {
  /** responders are asked about the certificates that are served, and what they say is stapled */
  staplesOcsp: falseByDefault(
    "enable-ocsp",
    "OCSP responses are fetched and stapled for certificates that name a responder",
  ),
})
