import type { TlsProtocol } from "../../../model/location.ts"
import { shown } from "../../../model/shown.ts"
import type { TlsSecret, TlsSecretState } from "../../../model/tls-secret.ts"
import { type BackendTlsValues, unusable } from "../../annotations/values.ts"
import {
  type BackendTlsSettings,
  type DeclaredBackendTls,
  declaredBackendTls,
} from "../../declared/backend-tls.ts"
import { staleMessage } from "../../declared/problems.ts"
import { cipherFault } from "./ciphers.ts"
import { complainAbout, type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

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
): DeclaredBackendTls | Denied | undefined {
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
  return withSecret({ ...values, verifies }, state.secret, context)
}

/** Only what endpoints are sent is left to say. */
function withoutSecret(
  { name, sendsName }: BackendTlsValues,
  context: IngressContext,
): DeclaredBackendTls | undefined {
  if (sendsName) return { said: { sendsName } }
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

function withSecret(
  { verifies, verifyDepth, sendsName, ciphers, protocols }: Usable,
  { pair, authority }: TlsSecret,
  context: IngressContext,
): DeclaredBackendTls {
  const said = {
    ...(verifies && { depth: verifyDepth ?? 1 }),
    ...(sendsName && { sendsName }),
    ...ciphersOf(ciphers, context),
    ...versionOf(protocols ?? ["TLSv1.2"]),
  }
  return declaredBackendTls(said, { ...(pair && { pair }), ...(verifies && authority && { authority }) })
}

function versionOf(protocols: readonly TlsProtocol[]): Pick<BackendTlsSettings, "version"> {
  const [version, ...others] = protocols
  return version === undefined || others.length > 0 ? {} : { version }
}

/** Where OpenSSL does not take the list, its own holds. */
function ciphersOf(asked: string | undefined, context: IngressContext): Pick<BackendTlsSettings, "ciphers"> {
  if (asked === undefined) return {}
  const fault = cipherFault(asked)
  if (fault === undefined) return { ciphers: asked }
  const message = `Cannot use ${shown(asked)} for annotation "proxy-ssl-ciphers": ${fault}; its default applies`
  complainAbout(context, "proxy-ssl-ciphers", "annotation-refused", message)
  return {}
}
