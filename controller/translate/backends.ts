import { isDeepStrictEqual } from "node:util"
import type { Backend } from "../model/backend.ts"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import type { EndpointSlice } from "../objects/endpoint-slice.ts"
import type { Service } from "../objects/service.ts"
import type { Snapshot } from "../store/snapshot.ts"
import type { BackendRef, RouteClaim } from "./claim.ts"
import { type Endpoints, endpointsOf, findPort } from "./endpoints.ts"
import type { TranslateOptions } from "./options.ts"
import { byteOrder } from "./order.ts"

/** The backend that answers where no Ingress has a say. */
export const defaultBackendName = "upstream-default-backend"

export interface NamedBackend {
  readonly ref: BackendRef
  readonly name: string
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

/**
 * Gives each Service port that is used its name, in order of the name. The name of ingress-nginx cannot tell `a-b/c` from `a/b-c`: the one
 * first in `routes` has it, another one gets its full key, which holds a slash and so is nobody's short name.
 */
export function nameBackends(routes: Iterable<RouteClaim>): readonly NamedBackend[] {
  const taken = new Set([defaultBackendName])
  const named = new Map<string, NamedBackend>()
  for (const { backend: ref } of routes) {
    if (ref === undefined || named.has(ref.key)) continue
    const name = taken.has(ref.shortName) ? ref.key : ref.shortName
    taken.add(name)
    named.set(ref.key, sameAsBefore(ref, name))
  }
  return [...named.values()].sort((a, b) => byteOrder(a.name, b.name))
}

const namedBefore = new WeakMap<BackendRef, NamedBackend>()

/** Gives back the object of an earlier pass if it says the same, with what was resolved for it. */
function sameAsBefore(ref: BackendRef, name: string): NamedBackend {
  const before = namedBefore.get(ref)
  if (before?.name === name) return before
  const named = { ref, name }
  namedBefore.set(ref, named)
  return named
}

interface Resolution {
  readonly service: Service | undefined
  readonly slices: readonly EndpointSlice[]
  readonly options: TranslateOptions
  readonly resolved: ResolvedBackend
}

const noSlices: readonly EndpointSlice[] = []
const lastResolution = new WeakMap<NamedBackend, Resolution>()

/** Looks up what stands behind a Service port. Costs three look-ups when nothing about it changed. */
export function resolveBackend(
  named: NamedBackend,
  snapshot: Snapshot,
  options: TranslateOptions,
): ResolvedBackend {
  const service = snapshot.services.get(named.ref.serviceKey)
  const slices = snapshot.endpointSlices.get(named.ref.serviceKey) ?? noSlices
  const last = lastResolution.get(named)
  if (last?.service === service && last?.slices === slices && last.options === options) return last.resolved
  const fresh = resolve(named, service, slices, options)
  const isSame = last !== undefined && isDeepStrictEqual(last.resolved.target, fresh.target)
  const resolved = isSame ? { ...fresh, target: last.resolved.target } : fresh
  lastResolution.set(named, { service, slices, options, resolved })
  return resolved
}

function resolve(
  { ref, name }: NamedBackend,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
  options: TranslateOptions,
): ResolvedBackend {
  const port = service && findPort(service, ref.port)
  const fault = faultOf(ref, service, port !== undefined)
  const isReachable = port !== undefined && fault === undefined
  const found = isReachable ? endpointsOf(port, slices, options.allowLoopbackEndpoints) : nothingFound
  const isEmpty = found.endpoints.length === 0
  return {
    backend: { name, loadBalance: "round_robin", endpoints: found.endpoints },
    target: { name, ...(isEmpty && { status: 503 }), ...(fault !== undefined && { fault }) },
    problems: found.problems,
  }
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
