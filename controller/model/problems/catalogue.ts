import { annotationProblems, referenceProblems } from "./annotation-problems.ts"
import { backendProblems, balancingProblems, dataPlaneProblems } from "./backend-problems.ts"
import type { ProblemEntry } from "./entry.ts"
import { gatewayProblems } from "./gateway-problems.ts"
import { configMapProblems, manifestProblems, objectProblems } from "./object-problems.ts"
import { passthroughProblems, routingProblems, streamProblems } from "./routing-problems.ts"
import { certificateProblems, clientProblems, handshakeProblems } from "./tls-problems.ts"

// Every code that a Problem may have, one row each. Log, metric, Events and docs/reference/problems.md take from here what they say of it.

/** By title of the family, in the order of the reference. */
export const problemFamilies = {
  Objects: objectProblems,
  "Manifest files": manifestProblems,
  ConfigMap: configMapProblems,
  Annotations: annotationProblems,
  "What annotations name": referenceProblems,
  "Hosts and paths": routingProblems,
  "Gateway API": gatewayProblems,
  Services: backendProblems,
  "Balancing and canaries": balancingProblems,
  "Secrets and certificates": certificateProblems,
  "Certificates of hosts": handshakeProblems,
  "Certificates of clients": clientProblems,
  "TLS passthrough": passthroughProblems,
  "TCP and UDP services": streamProblems,
  "Data plane": dataPlaneProblems,
} as const

type Families = typeof problemFamilies

/** Kebab-case and stable: alerts and scripts match it. */
export type ProblemCode = { [Title in keyof Families]: keyof Families[Title] }[keyof Families]

/** Every code with its row. */
export const problemCatalogue = Object.freeze(
  Object.assign({}, ...Object.values(problemFamilies)),
) as Readonly<Record<ProblemCode, ProblemEntry>>

/** The reason of an Event about such a Problem, as Kubernetes writes reasons: `secret-stale` is `SecretStale`. */
export function eventReason(code: ProblemCode): string {
  return code.replace(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase())
}
