import type { Endpoint } from "../../model/backend.ts"
import type { Passthrough } from "../../model/certificate.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { hostPort } from "../../support/address.ts"
import type { BackendRef } from "../declared/backend-ref.ts"
import type { Declarations } from "../declared/declarations.ts"
import { type DeclaredPassthrough, passthroughProblem } from "../declared/passthrough.ts"
import type { TranslateOptions } from "../options/translation.ts"
import { clusterEndpoint } from "./backends/cluster-endpoint.ts"
import { findPort } from "./backends/endpoints.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"

export interface Passthroughs {
  /** by host */
  readonly all: readonly Passthrough[]
  readonly problems: readonly Problem[]
}

/** Most that a passthrough may have (docs/wire.md). */
const maxAddresses = 1024

/**
 * Where connections go that are passed through: to the address of the Service (behaviour of ingress-nginx), and to its endpoints where it has
 * none.
 *
 * @param resolved what `declared.backends` are in this snapshot, in the same order
 */
export function passthroughsOf(
  { passthroughs: all, backends }: Declarations,
  resolved: readonly ResolvedBackend[],
  { services }: Snapshot,
  { endpoints: rules }: TranslateOptions,
): Passthroughs {
  if (all.length === 0) return { all: [], problems: [] }
  const wanted = new Set(all.map(({ backend }) => backend.key))
  const ready = new Map<string, readonly Endpoint[]>()
  for (const [at, { ref }] of backends.entries())
    if (wanted.has(ref.key)) ready.set(ref.key, resolved[at]?.backend.endpoints ?? [])
  const endpointsOf = ({ key, serviceKey, port: asked }: BackendRef) => {
    const service = services.get(serviceKey)
    const port = service && findPort(service, asked)
    const cluster = service && port && clusterEndpoint(service, port, rules)
    return cluster?.kind === "endpoint" ? [cluster.endpoint] : (ready.get(key) ?? [])
  }
  return aimed(all, endpointsOf)
}

function aimed(
  all: readonly DeclaredPassthrough[],
  endpointsOf: (backend: BackendRef) => readonly Endpoint[],
): Passthroughs {
  const problems: Problem[] = []
  const passthroughs = all.flatMap((declared) => {
    const endpoints = endpointsOf(declared.backend).slice(0, maxAddresses)
    const addresses = endpoints.map(({ address, port }) => hostPort(address, port))
    if (addresses.length > 0) return [{ host: declared.host, owner: declared.source.namespace, addresses }]
    const reason = `Service ${shown(declared.backend.serviceKey)} has neither an address nor a ready endpoint`
    problems.push(passthroughProblem(declared, "passthrough-without-endpoint", reason))
    return []
  })
  return { all: passthroughs, problems }
}
