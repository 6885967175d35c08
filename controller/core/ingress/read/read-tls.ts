import { fieldPath } from "../../../model/field-path.ts"
import type { Ingress } from "../../../model/objects/ingress.ts"
import { shown } from "../../../model/shown.ts"
import type { HandshakeValues } from "../../annotations/values.ts"
import type { ParsedTls, TlsEntry } from "../parsed/parsed-tls.ts"
import { cipherFault } from "./ciphers.ts"
import { complainAbout, type IngressContext } from "./ingress-context.ts"

const annotation = "ssl-ciphers"

const noEntries: readonly TlsEntry[] = []

/** Its tls section, and what its annotations want of handshakes for its hosts. */
export function readTls(
  { tls, meta: { namespace } }: Ingress,
  values: HandshakeValues,
  context: IngressContext,
): ParsedTls {
  const handshake = readHandshake(values, context)
  if (tls.length === 0) return { ...handshake, entries: noEntries }
  return {
    ...handshake,
    entries: tls.map(({ hosts, secretName }, at) => ({
      field: fieldPath("spec", "tls", at),
      hosts: hosts.map((host) => host.toLowerCase()),
      ...(secretName !== "" && { secret: `${namespace}/${secretName}` }),
    })),
  }
}

function readHandshake(
  { ciphers, ...others }: HandshakeValues,
  context: IngressContext,
): Omit<ParsedTls, "entries"> {
  if (ciphers === undefined) return others
  const fault = cipherFault(ciphers)
  if (fault === undefined) return { ...others, ciphers }
  const message = `Cannot use ${shown(ciphers)} for annotation "${annotation}": ${fault}; its default applies`
  complainAbout(context, annotation, "annotation-refused", message)
  return others
}
