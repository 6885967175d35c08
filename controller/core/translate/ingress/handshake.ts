import type { TlsHost } from "../../../model/certificate.ts"
import { shown } from "../../../model/shown.ts"
import type { HandshakeValues } from "../../annotations/values.ts"
import { cipherFault } from "./ciphers.ts"
import { complainAbout, type Inquiry } from "./inquiry.ts"

const annotation = "ssl-ciphers"

/** What an Ingress wants of the handshakes for its hosts. */
export function handshakeOf(
  { ciphers, ...others }: HandshakeValues,
  inquiry: Inquiry,
): Pick<TlsHost, "ciphers" | "prefersServerCiphers"> {
  if (ciphers === undefined) return others
  const fault = cipherFault(ciphers)
  if (fault === undefined) return { ...others, ciphers }
  const message = `Cannot use ${shown(ciphers)} for annotation "${annotation}": ${fault}; its default applies`
  complainAbout(inquiry, annotation, "annotation-refused", message)
  return others
}
