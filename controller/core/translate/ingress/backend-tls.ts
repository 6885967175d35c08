import type { TlsSecret, TlsSecretState } from "../../../facts/secrets/tls-secret.ts"
import type { BackendTls } from "../../../model/policy.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import type { BackendTlsValues } from "../../annotations/values.ts"
import { staleMessage } from "../tls/secret-problems.ts"
import { certificateFiles } from "./certificates.ts"
import { cipherFault } from "./ciphers.ts"
import { complainAbout, type Denied, denied, deny, type Inquiry } from "./inquiry.ts"
import { type Reference, referenced } from "./referenced.ts"

/** TLS towards a backend, and the files that nginx needs for it. */
export interface TlsWithFiles {
  readonly tls: BackendTls
  readonly files: readonly SecretFile[]
}

const annotation = "proxy-ssl-secret"

const reference: Reference<TlsSecretState> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.tlsSecret(name),
}

/** Absent without a Secret, as in ingress-nginx. */
export function backendTls(values: BackendTlsValues, inquiry: Inquiry): TlsWithFiles | Denied | undefined {
  if (values.secret === undefined) return undefined
  const found = referenced(reference, values.secret, inquiry)
  if (found === denied) return denied
  const { object: state, name } = found
  if (state.kind === "refused")
    return deny(inquiry, annotation, "secret-refused", `Cannot use Secret ${name}: ${state.reason}`)
  const verifies = values.verifies ?? false
  if (verifies && state.secret.authority === undefined) {
    const lack = `Cannot verify backends with Secret ${name}: key "ca.crt" is missing`
    return deny(inquiry, annotation, "secret-refused", lack)
  }
  if (state.stale !== undefined)
    complainAbout(inquiry, annotation, "secret-stale", staleMessage(name, state.stale))
  return withFiles({ ...values, verifies }, state.secret, inquiry)
}

function withFiles(values: BackendTlsValues, secret: TlsSecret, inquiry: Inquiry): TlsWithFiles {
  const { pair, trusted } = certificateFiles(secret)
  return {
    tls: {
      ...(pair && { certificate: pair.name }),
      ...(trusted && { trusted: trusted.name }),
      ciphers: ciphersOf(values.ciphers, inquiry),
      protocols: values.protocols ?? ["TLSv1.2"],
      verifies: values.verifies ?? false,
      verifyDepth: values.verifyDepth ?? 1,
      sendsName: values.sendsName ?? false,
    },
    files: [pair, trusted].filter((file) => file !== undefined),
  }
}

/** nginx refuses the whole configuration for a list that OpenSSL does. */
function ciphersOf(asked: string | undefined, inquiry: Inquiry): string {
  if (asked === undefined) return "DEFAULT"
  const fault = cipherFault(asked)
  if (fault === undefined) return asked
  const message = `Cannot use ${shown(asked)} for annotation "proxy-ssl-ciphers": ${fault}; its default applies`
  complainAbout(inquiry, "proxy-ssl-ciphers", "annotation-refused", message)
  return "DEFAULT"
}
