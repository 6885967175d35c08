import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { type DeclaredBackendTls, declaredBackendTls } from "../../declared/backend-tls.ts"
import { staleMessage } from "../../declared/problems.ts"
import type { AuthUrl } from "../../options/external-auth/auth-url.ts"
import { complainAbout, type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

const annotation = "auth-proxy-ssl-secret"

const reference: Reference<TlsSecretState> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.tlsSecret(name),
}

/** Chains are rarely longer than three, and the authorities of `ca.crt` are trusted to say how long they are. */
const verifyDepth = 10

/**
 * How an authentication service is spoken to that has to show who it is.
 *
 * @param text names a Secret whose CAs its certificate is verified by; without it nobody would be asked
 */
export function authTls(
  text: string,
  { scheme }: AuthUrl,
  context: IngressContext,
): DeclaredBackendTls | Denied {
  const found = referenced(reference, text, context)
  if (found === denied) return denied
  const { object: state, name } = found
  const refuse = (state: string): Denied => deny(context, annotation, "secret-refused", state)
  if (state.kind === "refused") return refuse(`Cannot use Secret ${name}: ${state.reason}`)
  const { pair, authority } = state.secret
  const cannot = `Cannot verify the authentication service with Secret ${name}`
  if (authority === undefined) return refuse(`${cannot}: key "ca.crt" is missing`)
  if (scheme === "http") return refuse(`${cannot}: annotation "auth-url" asks it by http, write https`)
  if (state.stale !== undefined)
    complainAbout(context, annotation, "secret-stale", staleMessage(name, state.stale))
  return declaredBackendTls({ depth: verifyDepth, sendsName: true }, { ...(pair && { pair }), authority })
}
