import type { BackendTls } from "../../../model/location.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import type { TlsSecret, TlsSecretState } from "../../../model/tls-secret.ts"
import { type BackendTlsValues, unusable } from "../../annotations/values.ts"
import { certificateFiles } from "../../declared/certificate-files.ts"
import { staleMessage } from "../../declared/problems.ts"
import { cipherFault } from "./ciphers.ts"
import { complainAbout, type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
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

/**
 * Without a Secret there is only the name that endpoints are sent, and backends cannot be verified.
 *
 * @param speaksTls to backends: else there is nobody to verify
 */
export function backendTls(
  said: BackendTlsValues,
  speaksTls: boolean,
  context: IngressContext,
): TlsWithFiles | Denied | undefined {
  const { verifies: asked, secret, ...rest } = said
  if (asked === unusable || secret === unusable) return denied
  if (secret === undefined)
    return asked === true && speaksTls ? denyUnverified(context) : withoutSecret(rest, context)
  const values = { ...rest, secret, ...(asked !== undefined && { verifies: asked }) }
  const found = referenced(reference, values.secret, context)
  if (found === denied) return denied
  const { object: state, name } = found
  if (state.kind === "refused")
    return deny(context, annotation, "secret-refused", `Cannot use Secret ${name}: ${state.reason}`)
  const verifies = values.verifies ?? false
  if (verifies && state.secret.authority === undefined) {
    const lack = `Cannot verify backends with Secret ${name}: it contains no CA certificate, key "ca.crt" is missing`
    return deny(context, annotation, "secret-refused", lack)
  }
  if (state.stale !== undefined)
    complainAbout(context, annotation, "secret-stale", staleMessage(name, state.stale))
  return withFiles({ ...values, verifies }, state.secret, context)
}

/** Only what endpoints are sent is left to say. */
function withoutSecret(
  { name, sendsName }: BackendTlsValues,
  context: IngressContext,
): TlsWithFiles | undefined {
  if (sendsName) return { tls: { verifies: false, verifyDepth: 1, sendsName }, files: [] }
  if (name !== undefined) {
    const message = `Annotation "proxy-ssl-name" needs annotation "proxy-ssl-server-name" or "${annotation}": it has no effect`
    complainAbout(context, "proxy-ssl-name", "annotation-idle", message)
  }
  return undefined
}

function denyUnverified(context: IngressContext): Denied {
  const state = `Cannot verify backends: annotation "proxy-ssl-verify" needs annotation "${annotation}", a Secret with the key "ca.crt"`
  return deny(context, "proxy-ssl-verify", "backends-unverified", state)
}

/** Values that can be used. */
type Usable = Omit<BackendTlsValues, "verifies" | "secret"> & { readonly verifies?: boolean }

function withFiles(values: Usable, secret: TlsSecret, context: IngressContext): TlsWithFiles {
  const { pair, trusted } = certificateFiles(secret)
  return {
    tls: {
      ...(pair && { certificate: pair.name }),
      ...(trusted && { trusted: trusted.name }),
      ciphers: ciphersOf(values.ciphers, context),
      protocols: values.protocols ?? ["TLSv1.2"],
      verifies: values.verifies ?? false,
      verifyDepth: values.verifyDepth ?? 1,
      sendsName: values.sendsName ?? false,
    },
    files: [pair, trusted].filter((file) => file !== undefined),
  }
}

/** nginx refuses the whole configuration for a list that OpenSSL does. */
function ciphersOf(asked: string | undefined, context: IngressContext): string {
  if (asked === undefined) return "DEFAULT"
  const fault = cipherFault(asked)
  if (fault === undefined) return asked
  const message = `Cannot use ${shown(asked)} for annotation "proxy-ssl-ciphers": ${fault}; its default applies`
  complainAbout(context, "proxy-ssl-ciphers", "annotation-refused", message)
  return "DEFAULT"
}
