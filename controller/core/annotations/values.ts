import type { ValuesOf } from "./entry.ts"
import type { Annotation, families } from "./table.ts"

export { unusable } from "./entry.ts"

/** What an Ingress says in its annotations, by family: what is absent is inherited or at its default. Where each group ends up is in table.ts. */
export type AnnotationValues = {
  readonly [Place in keyof typeof families]: ValuesOf<(typeof families)[Place]>
}

/** What an Ingress says with one annotation; undefined where it does not. */
export function valueIn(
  values: AnnotationValues,
  { place, field }: Pick<Annotation, "place" | "field">,
): unknown {
  return (values[place] as Readonly<Record<string, unknown>>)[field]
}

export type ProtocolValues = AnnotationValues["protocol"]
export type MirrorValues = AnnotationValues["mirror"]
export type FastCgiValues = AnnotationValues["fastcgi"]
export type BackendTlsValues = AnnotationValues["tls"]
export type CanaryValues = AnnotationValues["canary"]
export type AffinityValues = AnnotationValues["affinity"]
export type BalancingValues = AnnotationValues["balancing"]
export type RoutingValues = AnnotationValues["routing"]
export type HandshakeValues = AnnotationValues["handshake"]
export type AccessValues = AnnotationValues["access"]
export type ExternalAuthValues = AnnotationValues["externalAuth"]
export type ClientCertificateValues = AnnotationValues["clients"]
export type TracingValues = AnnotationValues["tracing"]
export type LimitValues = AnnotationValues["limits"]
export type CorsValues = AnnotationValues["cors"]
