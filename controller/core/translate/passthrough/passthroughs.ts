import type { Endpoint } from "../../../model/backend.ts"
import type { Passthrough } from "../../../model/certificate.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import { hostPort } from "../../../support/address.ts"
import { clusterEndpoint } from "../backends/cluster-endpoint.ts"
import { findPort } from "../backends/endpoints.ts"
import type { ResolvedBackend } from "../backends/resolved-backends.ts"
import type { MergedIngresses } from "../merge.ts"
import type { TranslateOptions } from "../options.ts"
import type { BackendRef } from "../parsed/backend-ref.ts"
import { passthroughProblem } from "./merged-passthroughs.ts"

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
 * @param resolved what `merged.backends` are in this snapshot, in the same order
 */
export function passthroughsOf(
  { passthroughs, backends }: MergedIngresses,
  resolved: readonly ResolvedBackend[],
  { services }: Snapshot,
  { endpoints: rules }: TranslateOptions,
): Passthroughs {
  const { all, problems } = passthroughs
  if (all.length === 0) return { all: [], problems }
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
  return aimed(passthroughs, endpointsOf)
}

function aimed(
  { all, problems: known }: MergedIngresses["passthroughs"],
  endpointsOf: (backend: BackendRef) => readonly Endpoint[],
): Passthroughs {
  const problems = [...known]
  const passthroughs = all.flatMap((merged) => {
    const endpoints = endpointsOf(merged.backend).slice(0, maxAddresses)
    const addresses = endpoints.map(({ address, port }) => hostPort(address, port))
    if (addresses.length > 0) return [{ host: merged.host, owner: merged.by.root.namespace, addresses }]
    const reason = `Service ${shown(merged.backend.serviceKey)} has neither an address nor a ready endpoint`
    problems.push(passthroughProblem(merged, "passthrough-without-endpoint", reason))
    return []
  })
  return { all: passthroughs, problems }
}
