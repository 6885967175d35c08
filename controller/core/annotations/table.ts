import { keys } from "../options/key-table.ts"
import { accessAnnotations } from "./access.ts"
import { affinityAnnotations } from "./affinity.ts"
import { backendTlsAnnotations } from "./backend-tls.ts"
import { balancingAnnotations } from "./balancing.ts"
import { canaryAnnotations } from "./canary.ts"
import { clientCertificateAnnotations } from "./client-certificates.ts"
import { corsAnnotations } from "./cors.ts"
import type { Entry, Family } from "./entry.ts"
import { errorAnnotations } from "./errors.ts"
import { externalAuthAnnotations } from "./external-auth.ts"
import { fastcgiAnnotations } from "./fastcgi.ts"
import { handshakeAnnotations } from "./handshake.ts"
import { limitAnnotations } from "./limits.ts"
import { logAnnotations } from "./logs.ts"
import { mirrorAnnotations } from "./mirror.ts"
import { modsecurityAnnotations } from "./modsecurity.ts"
import { protocolAnnotations } from "./protocol.ts"
import { proxyAnnotations } from "./proxy.ts"
import { responseAnnotations } from "./responses.ts"
import { routingAnnotations } from "./routing.ts"
import { snippetAnnotations } from "./snippets.ts"
import { tracingAnnotations } from "./tracing.ts"

/** Every family of annotations, by its place in `AnnotationValues`. A new one needs its line here and nothing else. */
export const families = {
  // fields of routes and hosts: a change is a post
  routing: routingAnnotations,
  // made into a named location and the route's variables, headers and error backend by steps of translate. One that
  // another Ingress has already costs nothing, any other a reload
  protocol: protocolAnnotations,
  logs: logAnnotations,
  // part of the route record: a change is a post
  route: proxyAnnotations,
  // as `protocol`
  responses: responseAnnotations,
  tls: backendTlsAnnotations,
  fastcgi: fastcgiAnnotations,
  errors: errorAnnotations,
  mirror: mirrorAnnotations,
  // fields of backends: a change is a post
  balancing: balancingAnnotations,
  affinity: affinityAnnotations,
  canary: canaryAnnotations,
  // fields of TLS hosts: a change is a post
  handshake: handshakeAnnotations,
  clients: clientCertificateAnnotations,
  // part of the route record: a change is a post
  cors: corsAnnotations,
  // who may come in
  access: accessAnnotations,
  externalAuth: externalAuthAnnotations,
  // part of the route record: a change is a post
  limits: limitAnnotations,
  // compiled to scripts, access and numbers of routes and hosts: a change is a post; what of them is printed anew is a reload
  snippets: snippetAnnotations,
  // part of the route record, and files that it names: a change is a post
  modsecurity: modsecurityAnnotations,
  tracing: tracingAnnotations,
} as const satisfies Readonly<Record<string, Family>>

/** An annotation, and the field of `AnnotationValues` that it fills. */
export interface Annotation extends Entry {
  readonly place: keyof typeof families
  readonly field: string
}

/** All 136 of ingress-nginx 1.15, and our own. No two have the same name, whatever their prefixes. */
export const annotations: readonly Annotation[] = Object.entries<Family>(families).flatMap(
  ([place, family]) =>
    Object.entries(family).map(([field, entry]) => ({
      ...entry,
      place: place as keyof typeof families,
      field,
    })),
)

/** By name and by alias, without the prefix. */
export const annotationByName: ReadonlyMap<string, Annotation> = new Map(
  annotations.flatMap((entry) => spellingsOf(entry).map((name) => [name, entry] as const)),
)

/** Names that belong into the ConfigMap and are often tried as annotations. */
export const configMapKeys: ReadonlySet<string> = new Set(keys.map(({ name }) => name))

/** Every spelling that ingress-nginx knows. */
export const knownNames: readonly string[] = spellings(false).toSorted()

/** Those under our own prefix. */
export const ownNames: readonly string[] = spellings(true)

function spellings(isOwn: boolean): readonly string[] {
  return [...annotationByName].flatMap(([name, entry]) => ((entry.isOwn ?? false) === isOwn ? [name] : []))
}

function spellingsOf({ name, aliases = [] }: Entry): readonly string[] {
  return [name, ...aliases]
}
