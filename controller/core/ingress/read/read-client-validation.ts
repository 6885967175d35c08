import type { Authority } from "../../../model/certificate.ts"
import type { TlsSecretState } from "../../../model/tls-secret.ts"
import { type ClientCertificateValues, unusable } from "../../annotations/values.ts"
import { openAccess } from "../../declared/access.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import { noFilters } from "../../declared/filters.ts"
import { plainProxying } from "../../declared/proxying.ts"
import {
  annotationField,
  complainAbout,
  type Denied,
  denied,
  deny,
  type IngressContext,
} from "./ingress-context.ts"
import { type Reference, type Referenced, referenced } from "./referenced.ts"

const annotation = "auth-tls-secret"
const outcome = "requests for its hosts get 403"

const reference: Reference<TlsSecretState> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.tlsSecret(name),
  outcome,
}

/** Absent when it wants nothing, and when its Secret names no authority (behaviour of ingress-nginx), with a Problem. */
export function readClientValidation(
  values: ClientCertificateValues,
  context: IngressContext,
): ClientValidation | undefined {
  const { secret, matchCn } = values
  if (secret === undefined) return undefined
  if (secret === unusable || matchCn === unusable) return nobody(context)
  const found = referenced(reference, secret, context)
  if (found === denied) return nobody(context)
  const authority = authorityOf(found, context)
  if (authority === denied) return nobody(context)
  return authority && certificateOf(values, matchCn, authority, context)
}

function authorityOf(
  { object, name }: Referenced<TlsSecretState>,
  context: IngressContext,
): Authority | Denied | undefined {
  if (object.kind === "refused") {
    const state = `Cannot use Secret ${name}: ${object.reason}`
    return deny(context, annotation, "secret-refused", state, outcome)
  }
  if (object.stale !== undefined) {
    const message = `Cannot use Secret ${name} as it is now: ${object.stale.reason}; the version before it stays in force`
    complainAbout(context, annotation, "secret-stale", message)
  }
  const { authority } = object.secret
  return authority ?? complainAbout(context, annotation, "no-client-authority", nobodyIsAsked(name))
}

function nobodyIsAsked(secret: string): string {
  return `Cannot ask clients for certificates with Secret ${secret}: key "ca.crt" is missing; everybody is let in`
}

function certificateOf(
  { verify = "on", depth = 1, errorPage, passesCertificate }: ClientCertificateValues,
  matchCn: string | undefined,
  authority: Authority,
  context: IngressContext,
): ClientValidation {
  const { namespace, name } = context.ingress.meta
  return {
    kind: "certificate",
    field: annotationField(context, annotation),
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

function nobody(context: IngressContext): ClientValidation {
  const field = annotationField(context, annotation)
  const root = {
    source: context.source,
    field,
    backendAt: "",
    path: "/",
    match: "prefix" as const,
    proxying: plainProxying,
    filters: noFilters,
    access: openAccess,
  }
  return { kind: "nobody", field, root }
}
