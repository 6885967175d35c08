import type { Snapshot } from "../../../input/store/snapshot.ts"
import type { Endpoint } from "../../../model/backend.ts"
import type { Passthrough } from "../../../model/certificate.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { ResolvedBackend } from "../backends/backends.ts"
import { clusterEndpoint } from "../backends/cluster-endpoint.ts"
import { findPort } from "../backends/endpoints.ts"
import type { Demand } from "../demand.ts"
import type { BackendRef } from "../ingress/claim.ts"
import type { TranslateOptions } from "../options.ts"
import { passthroughProblem } from "./demand.ts"

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
 * @param resolved what `demand.backends` are in this snapshot, in the same order
 */
export function passthroughsOf(
  { passthroughs, backends }: Demand,
  resolved: readonly ResolvedBackend[],
  { services }: Snapshot,
  { allowLoopbackEndpoints }: TranslateOptions,
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
    const cluster = service && port && clusterEndpoint(service, port, allowLoopbackEndpoints)
    return cluster?.kind === "endpoint" ? [cluster.endpoint] : (ready.get(key) ?? [])
  }
  return aimed(passthroughs, endpointsOf)
}

function aimed(
  { all, problems: known }: Demand["passthroughs"],
  endpointsOf: (backend: BackendRef) => readonly Endpoint[],
): Passthroughs {
  const problems = [...known]
  const passthroughs = all.flatMap((demand) => {
    const addresses = endpointsOf(demand.backend).slice(0, maxAddresses).map(addressOf)
    if (addresses.length > 0) return [{ host: demand.host, addresses }]
    const reason = `Service ${shown(demand.backend.serviceKey)} has neither an address nor a ready endpoint`
    problems.push(passthroughProblem(demand, "passthrough-without-endpoint", reason))
    return []
  })
  return { all: passthroughs, problems }
}

function addressOf({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`
}
