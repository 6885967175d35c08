import type { Backend } from "../model/backend.ts"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { EndpointSlice } from "../objects/endpoint-slice.ts"
import type { Service } from "../objects/service.ts"
import type { Snapshot } from "../store/snapshot.ts"
import type { BackendRef, RouteClaim } from "./claims.ts"
import { endpointsOf, findPort } from "./endpoints.ts"
import { rememberedLast } from "./memo.ts"
import type { TranslateOptions } from "./options.ts"
import { byteOrder } from "./order.ts"

/** The backend that answers where no Ingress has a say. */
export const defaultBackendName = "upstream-default-backend"

export interface NamedBackend {
  readonly ref: BackendRef
  readonly name: string
}

/** A backend, and what keeps it from having endpoints if that is somebody's mistake. */
export interface ResolvedBackend {
  readonly backend: Backend
  /** a sentence; absent when the Service and its port are there, with or without endpoints */
  readonly fault?: string
  /** about EndpointSlices */
  readonly problems: readonly Problem[]
}

/**
 * Gives each Service port that is used its name, in order of the name. The name of ingress-nginx cannot tell `a-b/c` from `a/b-c`: the one
 * first in `routes` has it, another one gets its full key, which holds a slash and so is nobody's short name.
 */
export function nameBackends(routes: readonly RouteClaim[]): readonly NamedBackend[] {
  const taken = new Set([defaultBackendName])
  const named = new Map<string, NamedBackend>()
  for (const { backend: ref } of routes) {
    if (ref === undefined || named.has(ref.key)) continue
    const short = shortName(ref)
    const name = taken.has(short) ? ref.key : short
    taken.add(name)
    named.set(ref.key, { ref, name })
  }
  return [...named.values()].sort((a, b) => byteOrder(a.name, b.name))
}

/** As ingress-nginx names it, also where no port is given. */
function shortName({ namespace, service, port }: BackendRef): string {
  return port === "" ? `${namespace}-INVALID` : `${namespace}-${service}-${port}`
}

const noSlices: readonly EndpointSlice[] = []
const lastResolved = rememberedLast<BackendRef, ResolvedBackend>()

/** Looks up what stands behind a Service port. Costs two look-ups when nothing about it changed. */
export function resolveBackend(
  { ref, name }: NamedBackend,
  snapshot: Snapshot,
  options: TranslateOptions,
): ResolvedBackend {
  const service = snapshot.services.get(ref.serviceKey)
  const slices = snapshot.endpointSlices.get(ref.serviceKey) ?? noSlices
  return lastResolved(ref, [name, service, slices, options], () =>
    resolve(ref, name, service, slices, options),
  )
}

function resolve(
  ref: BackendRef,
  name: string,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
  options: TranslateOptions,
): ResolvedBackend {
  const backend: Backend = { name, loadBalance: "round_robin", endpoints: [] }
  const port = service && findPort(service, ref.port)
  const fault = faultOf(ref, service, port !== undefined)
  if (port === undefined || fault !== undefined) return { backend, ...(fault && { fault }), problems: [] }
  const { endpoints, problems } = endpointsOf(port, slices, options.allowLoopbackEndpoints)
  return { backend: { ...backend, endpoints }, problems }
}

function faultOf(ref: BackendRef, service: Service | undefined, hasPort: boolean): string | undefined {
  const name = shown(ref.serviceKey)
  if (service === undefined) return `Cannot reach Service ${name}: it does not exist`
  if (service.type === "ExternalName")
    return `Cannot reach Service ${name}: type ExternalName has no effect yet`
  if (ref.port === "") return `Cannot reach Service ${name}: the Ingress names none of its ports`
  return hasPort ? undefined : `Cannot reach port ${shown(ref.port)} of Service ${name}: it has no such port`
}
