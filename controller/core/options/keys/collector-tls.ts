import { X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"
import type { Secret } from "../../../model/objects/secret.ts"
import { SecretText } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import type { CollectorTls } from "../../../model/span-export.ts"
import type { KeySyntax } from "../key.ts"
import { accepted, type Parsed, qualified, refused } from "../parser.ts"
import { values } from "../usage.ts"

/** `namespace/name` of a Secret with `ca.crt`, and maybe `tls.crt` and `tls.key`; absent when empty. The reasons never repeat what is in it. */
export const collectorTls: KeySyntax<CollectorTls | "closed" | undefined> = {
  values: values.secret,
  parse: (text, objects) => {
    const parsed = qualified(text)
    if (parsed.kind === "refused") return parsed
    if (parsed.value === undefined) return accepted(undefined)
    const secret = objects.secret(`${parsed.value.namespace}/${parsed.value.name}`)
    return secret === undefined ? refused(`there is no Secret ${shown(text)}`) : readSecret(text, secret)
  },
}

function readSecret(name: string, { data }: Secret): Parsed<CollectorTls> {
  const [authorities, certificate, key] = ["ca.crt", "tls.crt", "tls.key"].map((file) => textOf(data[file]))
  if (authorities === undefined) return refused(`Secret ${shown(name)} has no key "ca.crt"`)
  if (!areCertificates(authorities))
    return refused(`"ca.crt" of Secret ${shown(name)} is not one or more certificates in PEM`)
  if (certificate === undefined && key === undefined) return accepted({ authorities })
  if (certificate === undefined || key === undefined)
    return refused(`Secret ${shown(name)} has one of "tls.crt" and "tls.key": it needs both or neither`)
  return belongTogether(certificate, key)
    ? accepted({ authorities, identity: { certificate, key: new SecretText(key) } })
    : refused(`"tls.crt" and "tls.key" of Secret ${shown(name)} are no certificate in PEM with its key`)
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString("latin1")
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** OpenSSL would pass over those that it cannot read. */
function areCertificates(text: string): boolean {
  const all = text.match(pemCertificate) ?? []
  const begun = text.match(/-----BEGIN /g) ?? []
  return all.length > 0 && all.length === begun.length && all.every(isCertificate)
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function belongTogether(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key })
    return true
  } catch {
    return false
  }
}
