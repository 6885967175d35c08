import { isDeepStrictEqual } from "node:util"
import type { Backend, LoadBalance } from "../model/backend.ts"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { EndpointSlice } from "../objects/endpoint-slice.ts"
import type { Service, ServicePort } from "../objects/service.ts"
import type { Snapshot } from "../store/snapshot.ts"
import type { BackendRef } from "./claim.ts"
import { clusterEndpoint } from "./cluster-endpoint.ts"
import { type Endpoints, endpointsOf, findPort } from "./endpoints.ts"
import type { NamedBackend } from "./named.ts"
import type { TranslateOptions } from "./options.ts"
import { complaint } from "./problems.ts"

/** What holds for every backend of a pass. The same object as before as long as it says the same. */
export interface Common {
  readonly options: TranslateOptions
  /** the ConfigMap's, where annotations say nothing */
  readonly loadBalance: LoadBalance
  readonly serviceUpstream: boolean
  /** of this controller; undefined: not known, or zones make no difference */
  readonly zone: string | undefined
}

/** What stands behind a Service port in one snapshot. */
export interface ResolvedBackend {
  readonly backend: Backend
  /** the same object as before unless it says something else, so that routes can tell quickly that nothing concerns them */
  readonly target: Target
  /** about EndpointSlices */
  readonly problems: readonly Problem[]
}

/** The part of a backend that its routes depend on. */
export interface Target {
  readonly name: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** a sentence, when somebody's mistake keeps the backend from having endpoints */
  readonly fault?: string
}

interface Resolution {
  readonly service: Service | undefined
  readonly slices: readonly EndpointSlice[]
  readonly common: Common
  readonly resolved: ResolvedBackend
}

const noSlices: readonly EndpointSlice[] = []
const lastResolution = new WeakMap<NamedBackend, Resolution>()

/** Looks up what stands behind a Service port. Costs three look-ups when nothing about it changed. */
export function resolveBackend(named: NamedBackend, snapshot: Snapshot, common: Common): ResolvedBackend {
  const service = snapshot.services.get(named.ref.serviceKey)
  const slices = snapshot.endpointSlices.get(named.ref.serviceKey) ?? noSlices
  const last = lastResolution.get(named)
  if (last?.service === service && last?.slices === slices && last.common === common) return last.resolved
  const fresh = resolve(named, service, slices, common)
  const isSame = last !== undefined && isDeepStrictEqual(last.resolved.target, fresh.target)
  const resolved = isSame ? { ...fresh, target: last.resolved.target } : fresh
  lastResolution.set(named, { service, slices, common, resolved })
  return resolved
}

function resolve(
  { ref, name, choice, fields }: NamedBackend,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
  common: Common,
): ResolvedBackend {
  const port = service && findPort(service, ref.port)
  const fault = faultOf(ref, service, port !== undefined)
  const isReachable = service !== undefined && port !== undefined && fault === undefined
  const isCluster = choice.serviceUpstream ?? common.serviceUpstream
  const find = isCluster ? clusterOrPods : pods
  const { endpoints, problems } = isReachable ? find(service, port, slices, common) : nothingFound
  return {
    backend: { name, loadBalance: choice.loadBalance ?? common.loadBalance, endpoints, ...fields },
    target: { name, ...(endpoints.length === 0 && { status: 503 }), ...(fault !== undefined && { fault }) },
    problems,
  }
}

type Find = (
  service: Service,
  port: ServicePort,
  slices: readonly EndpointSlice[],
  common: Common,
) => Endpoints

const pods: Find = (service, port, slices, { options, zone }) =>
  endpointsOf(service, port, slices, { allowLoopback: options.allowLoopbackEndpoints, zone })

const clusterOrPods: Find = (service, port, slices, common) => {
  const cluster = clusterEndpoint(service, port, common.options.allowLoopbackEndpoints)
  if (cluster.kind === "endpoint") return { endpoints: [cluster.endpoint], problems: [] }
  const { endpoints, problems } = pods(service, port, slices, common)
  const { namespace, name } = service.meta
  const message = `Cannot use the address of the Service, as service-upstream asks: ${cluster.reason}; its pods are used`
  const problem = complaint(
    { kind: "Service", namespace, name },
    "spec.clusterIP",
    "no-cluster-address",
    message,
  )
  return { endpoints, problems: [...problems, problem] }
}

const nothingFound: Endpoints = { endpoints: [], problems: [] }

function faultOf(ref: BackendRef, service: Service | undefined, hasPort: boolean): string | undefined {
  const name = shown(ref.serviceKey)
  if (service === undefined) return `Cannot reach Service ${name}: it does not exist`
  if (service.type === "ExternalName")
    return `Cannot reach Service ${name}: type ExternalName has no effect yet`
  if (ref.port === "") return `Cannot reach Service ${name}: the Ingress names none of its ports`
  return hasPort ? undefined : `Cannot reach port ${shown(ref.port)} of Service ${name}: it has no such port`
}
