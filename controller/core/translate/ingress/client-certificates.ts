import type { TlsSecretState } from "../../../facts/secrets/tls-secret.ts"
import type { Authority, ClientVerification } from "../../../model/certificate.ts"
import type { HostClientCertificate } from "../../../model/route.ts"
import { type ClientCertificateValues, unusable } from "../../annotations/values.ts"
import { nothingSaid } from "./balancing.ts"
import { place, type RouteClaim } from "./claim.ts"
import { annotationField, complainAbout, type Denied, denied, deny, type Inquiry } from "./inquiry.ts"
import { plainProxying } from "./proxying.ts"
import { type Reference, type Referenced, referenced } from "./referenced.ts"
import { plainTreatment } from "./treatment.ts"

/** What one Ingress wants of the clients of its hosts. */
export type ClientWish = {
  /** where it says so, for Problems */
  readonly field: string
} & (
  | {
      readonly kind: "certificate"
      readonly authority: Authority
      readonly depth: ClientVerification["depth"]
      readonly certificate: HostClientCertificate
    }
  /** what it wants cannot be understood, so nobody is let in, on whatever path. It has complained */
  | { readonly kind: "nobody"; readonly root: RouteClaim }
)

const annotation = "auth-tls-secret"
const outcome = "requests for its hosts get 403"

const reference: Reference<TlsSecretState> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.tlsSecret(name),
  outcome,
}

/** Absent when it wants nothing, and when its Secret names no authority (behaviour of ingress-nginx), with a Problem. */
export function clientWish(values: ClientCertificateValues, inquiry: Inquiry): ClientWish | undefined {
  const { secret, matchCn } = values
  if (secret === undefined) return undefined
  if (secret === unusable || matchCn === unusable) return nobody(inquiry)
  const found = referenced(reference, secret, inquiry)
  if (found === denied) return nobody(inquiry)
  const authority = authorityOf(found, inquiry)
  if (authority === denied) return nobody(inquiry)
  return authority && certificateOf(values, matchCn, authority, inquiry)
}

function authorityOf(
  { object, name }: Referenced<TlsSecretState>,
  inquiry: Inquiry,
): Authority | Denied | undefined {
  if (object.kind === "refused") {
    const state = `Cannot use Secret ${name}: ${object.reason}`
    return deny(inquiry, annotation, "secret-refused", state, outcome)
  }
  if (object.stale !== undefined) {
    const message = `Cannot use Secret ${name} as it is now: ${object.stale.reason}; the version before it stays in force`
    complainAbout(inquiry, annotation, "secret-stale", message)
  }
  const { authority } = object.secret
  return authority ?? complainAbout(inquiry, annotation, "no-client-authority", nobodyIsAsked(name))
}

function nobodyIsAsked(secret: string): string {
  return `Cannot ask clients for certificates with Secret ${secret}: key "ca.crt" is missing; everybody is let in`
}

function certificateOf(
  { verify = "on", depth = 1, errorPage, passesCertificate }: ClientCertificateValues,
  matchCn: string | undefined,
  authority: Authority,
  inquiry: Inquiry,
): ClientWish {
  const { namespace, name } = inquiry.ingress.meta
  return {
    kind: "certificate",
    field: annotationField(inquiry, annotation),
    authority,
    depth,
    certificate: {
      namespace,
      ingressName: name,
      authority: authority.id,
      verify,
      ...(matchCn !== undefined && { matchCn }),
      ...(errorPage !== undefined && { errorPage }),
      ...(passesCertificate === true && { passesCertificate }),
    },
  }
}

function nobody(inquiry: Inquiry): ClientWish {
  const { namespace, name } = inquiry.ingress.meta
  const field = annotationField(inquiry, annotation)
  const root = {
    namespace,
    ingressName: name,
    field,
    ...place("/", "prefix"),
    proxying: plainProxying,
    treatment: plainTreatment,
    balancing: nothingSaid,
  }
  return { kind: "nobody", field, root }
}
