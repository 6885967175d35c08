import type { Location } from "../../../model/location.ts"
import type { SecretFile } from "../../../model/secret-file.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { certificateFiles } from "../../declared/certificate-files.ts"
import { staleMessage } from "../../declared/problems.ts"
import type { AuthUrl } from "../../options/external-auth/auth-url.ts"
import { complainAbout, type Denied, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"

/** How an authentication service is spoken to that has to show who it is. */
export interface AuthTls {
  readonly location: Location
  readonly files: readonly SecretFile[]
}

const annotation = "auth-proxy-ssl-secret"

const reference: Reference<TlsSecretState> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.tlsSecret(name),
}

/** Chains are rarely longer than three, and the authorities of `ca.crt` are trusted to say how long they are. */
const verifyDepth = 10

/** @param text names a Secret whose CAs the service's certificate is verified by; without it nobody would be asked */
export function authTls(text: string, { scheme }: AuthUrl, context: IngressContext): AuthTls | Denied {
  const found = referenced(reference, text, context)
  if (found === denied) return denied
  const { object: state, name } = found
  const refuse = (state: string): Denied => deny(context, annotation, "secret-refused", state)
  if (state.kind === "refused") return refuse(`Cannot use Secret ${name}: ${state.reason}`)
  const { pair, trusted } = certificateFiles(state.secret)
  const cannot = `Cannot verify the authentication service with Secret ${name}`
  if (trusted === undefined) return refuse(`${cannot}: key "ca.crt" is missing`)
  if (scheme === "http") return refuse(`${cannot}: annotation "auth-url" asks it by http, write https`)
  if (state.stale !== undefined)
    complainAbout(context, annotation, "secret-stale", staleMessage(name, state.stale))
  const tls = {
    ...(pair && { certificate: pair.name }),
    trusted: trusted.name,
    ciphers: "DEFAULT",
    protocols: ["TLSv1.2", "TLSv1.3"] as const,
    verifyDepth,
  }
  const files = [pair, trusted].filter((file) => file !== undefined)
  return { location: context.shared.locations.of({ protocol: "https", tls, isQuestion: true }), files }
}
