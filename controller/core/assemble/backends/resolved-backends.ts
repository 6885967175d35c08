import { isIP } from "node:net"
import { isDeepStrictEqual } from "node:util"
import type { Backend } from "../../../model/backend.ts"
import type { Facts } from "../../../model/facts.ts"
import type { NameAnswer } from "../../../model/name-answer.ts"
import type { EndpointSlice } from "../../../model/objects/endpoint-slice.ts"
import type { Protocol, Service, ServicePort } from "../../../model/objects/service.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import { compact } from "../../../support/compact.ts"
import { LastResult } from "../../../support/incremental/last-result.ts"
import { MappedList } from "../../../support/incremental/mapped-list.ts"
import { ProjectedList } from "../../../support/incremental/projected-list.ts"
import { changedSince } from "../../../support/incremental/shared-map.ts"
import type { EndpointRules } from "../../../support/judge-endpoint.ts"
import { getOrMake } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { complaint } from "../../declared/problems.ts"
import type { Settings } from "../../options/settings.ts"
import type { TranslateOptions } from "../../options/translation.ts"
import { askedFault } from "./asked-service.ts"
import { type CommonBalancing, chosenBalancing, wantsZones } from "./chosen-balancing.ts"
import { clusterEndpoint } from "./cluster-endpoint.ts"
import { type Endpoints, endpointsOf, findPort, withoutPort } from "./endpoints.ts"
import { externalEndpoints, outsideEndpoints, staleMessage, wantedName } from "./external.ts"

/** What holds for every backend of a pass. The same object while nothing in it changes. */
export interface Common {
  readonly options: TranslateOptions
  /** where endpoints may be: those of the options, with what the objects say of wick's own places */
  readonly rules: EndpointRules
  /** the ConfigMap's, for backends of which nothing is said */
  readonly balancing: CommonBalancing
  readonly serviceUpstream: boolean
  /** of services that are asked about requests */
  readonly authNamespaces: Settings["authNamespaces"]
  /** of this controller; undefined: not known, or zones make no difference */
  readonly zone: string | undefined
}

/** What stands behind a Service port in one snapshot. */
export interface ResolvedBackend {
  readonly backend: Backend
  /** the same object while nothing in it changes, so that routes see quickly that they need not change either */
  readonly target: Target
  /** about EndpointSlices, and names */
  readonly problems: readonly Problem[]
}

/** The part of a backend that its routes depend on. */
export interface Target {
  readonly name: string
  /** answered at once instead of proxying */
  readonly status?: number
  /** name of a Service of type ExternalName, in lower case without a dot at its end */
  readonly externalName?: string
  /** a sentence, when somebody's mistake keeps the backend from having endpoints */
  readonly fault?: string
  /** a sentence, when it has endpoints that may be out of date; only of what is no Service */
  readonly warning?: string
}

interface World {
  readonly service: Service | undefined
  readonly slices: readonly EndpointSlice[]
  /** of DNS, about the Service's name */
  readonly answer: NameAnswer | undefined
  readonly common: Common
}

interface Resolution {
  readonly world: World
  readonly resolved: ResolvedBackend
}

const noSlices: readonly EndpointSlice[] = []

/** What resolutions are made from. */
export interface Inputs {
  readonly objects: Snapshot
  readonly names: Facts["names"]
  readonly common: Common
}

/** What stands behind the Service ports that are used. Kept from pass to pass: only what may have changed is looked up again. */
export class Resolutions {
  readonly #backends = new MappedList<DeclaredBackend, ResolvedBackend>((a, b) => compareText(a.name, b.name))
  readonly #resolutions = new WeakMap<DeclaredBackend, Resolution>()
  readonly #places = new LastResult<ReadonlyMap<string, readonly number[]>>()
  readonly #services = new ProjectedList<DeclaredBackend, string>(({ ref }) => ref.serviceKey)
  #last: Inputs | undefined

  /** @param backends in order of their names */
  ofAll(backends: readonly DeclaredBackend[], inputs: Inputs): readonly ResolvedBackend[] {
    const others = this.#last && servicesOtherThan(this.#last, inputs)
    this.#last = inputs
    const make = (named: DeclaredBackend) => this.of(named, inputs)
    if (others === undefined) return this.#backends.map(backends, make)
    const isKnown = backends === this.#backends.items
    const places = isKnown ? this.#placesOf(others) : placesIn(this.#services.of(backends), others)
    this.#backends.mapNew(backends, make)
    return this.#backends.remap(places, make)
  }

  /** Where the backends of Services are in the list. */
  #placesOf(services: ReadonlySet<string>): number[] {
    const backends = this.#backends.items
    const places = this.#places.of([backends], () => placesByService(backends))
    return [...services].flatMap((service) => places.get(service) ?? [])
  }

  /** Looks up what stands behind a Service port. Costs a few look-ups when nothing about it changed. */
  of(named: DeclaredBackend, inputs: Inputs): ResolvedBackend {
    const world = worldOf(named, inputs)
    const last = this.#resolutions.get(named)
    if (last !== undefined && isSameWorld(last.world, world)) return last.resolved
    const fresh = resolve(named, world)
    const isSame = last !== undefined && isDeepStrictEqual(last.resolved.target, fresh.target)
    const resolved = isSame ? { ...fresh, target: last.resolved.target } : fresh
    this.#resolutions.set(named, { world, resolved })
    return resolved
  }
}

/** As `#placesOf`, of a list that is another one in the next pass, too. @param all those of the backends */
function placesIn(all: readonly string[], services: ReadonlySet<string>): readonly number[] {
  const places: number[] = []
  for (const [at, service] of all.entries()) if (services.has(service)) places.push(at)
  return places
}

function placesByService(backends: readonly DeclaredBackend[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { ref }] of backends.entries()) getOrMake(places, ref.serviceKey, () => []).push(at)
  return places
}

/** `namespace/name` of each Service that may have changed. @returns undefined when all may have */
function servicesOtherThan(before: Inputs, after: Inputs): ReadonlySet<string> | undefined {
  const [was, is] = [before.objects, after.objects]
  if (before.names !== after.names || before.common !== after.common) return undefined
  const services = changedSince(was.services, is.services)
  const slices = changedSince(was.endpointSlices, is.endpointSlices)
  return services && slices && services.union(slices)
}

function worldOf(named: DeclaredBackend, { objects, names, common }: Inputs): World {
  const service = objects.services.get(named.ref.serviceKey)
  const slices = objects.endpointSlices.get(named.ref.serviceKey) ?? noSlices
  const name = lookedUpName(named.ref, service, common.options)
  const answer = name === undefined ? undefined : names.get(name)
  return { service, slices, answer, common }
}

function resolve(named: DeclaredBackend, world: World): ResolvedBackend {
  const balancing = chosenBalancing(named.loadBalancing, named.ref.serviceKey, world.common.balancing)
  const reached = reach(named, { ...world, marksZones: wantsZones(balancing.policy) })
  return resolvedBackend(named, balancing, reached)
}

/** The name that DNS has to be asked for, as a key of `Facts.names`; undefined: none. */
export function lookedUpName(
  { outside }: BackendRef,
  service: Service | undefined,
  { disableSvcExternalName }: Pick<TranslateOptions, "disableSvcExternalName">,
): string | undefined {
  if (service !== undefined) return wantedName(service, disableSvcExternalName)
  return outside === undefined || isIP(outside) !== 0 ? undefined : outside
}

function isSameWorld(a: World, b: World): boolean {
  return a.service === b.service && a.slices === b.slices && a.answer === b.answer && a.common === b.common
}

function resolvedBackend(
  { name, fields }: DeclaredBackend,
  balancing: Pick<Backend, "loadBalance" | "policy">,
  { endpoints, problems, fault, warning, externalName }: Reached,
): ResolvedBackend {
  return {
    backend: { name, ...balancing, endpoints, ...fields },
    target: {
      name,
      ...(endpoints.length === 0 && { status: 503 }),
      ...(externalName !== undefined && { externalName }),
      ...(fault !== undefined && { fault }),
      ...(warning !== undefined && { warning }),
    },
    problems: compact(problems),
  }
}

/** The endpoints, or a sentence that says whose mistake it is that there are none. */
interface Reached extends Endpoints, Pick<Target, "externalName"> {
  readonly fault?: string
  readonly warning?: string
}

/** What a snapshot holds about one Service, and what is wanted of it. */
interface Behind extends World {
  /** whether each endpoint is to say in which zone it is */
  readonly marksZones: boolean
}

function reach(
  { ref: asked, loadBalancing }: DeclaredBackend,
  { service, slices, answer, common, marksZones }: Behind,
): Reached {
  if (service === undefined) {
    return asked.outside === undefined
      ? unreachable(asked, "it does not exist")
      : reachHost(asked.outside, Number(asked.port), answer, common)
  }
  const ref = withPort(asked, service)
  const forbidden = askedFault(asked, service, common)
  if (forbidden !== undefined) return unreachable(ref, forbidden)
  if (service.type === "ExternalName") return reachOutside(ref, service, answer, common)
  if (ref.port === "") return unreachable(ref, "none of its ports is named")
  const port = findPort(service, ref.port, ref.protocol)
  if (port === undefined) return unreachable(ref, withoutPort(ref.port, ref.protocol))
  const find = (loadBalancing.serviceUpstream ?? common.serviceUpstream) ? clusterOrPods : pods
  return find(service, port, slices, { ...common, marksZones, protocol: ref.protocol ?? "TCP" })
}

/** The first port has a number only once the Service is known. */
function withPort(ref: BackendRef, { ports: [first] }: Service): BackendRef {
  return ref.port === "*" && first !== undefined ? { ...ref, port: String(first.port) } : ref
}

function reachOutside(
  ref: BackendRef,
  service: Service,
  answer: NameAnswer | undefined,
  { options, rules }: Common,
): Reached {
  if (ref.protocol !== undefined && findPort(service, ref.port, ref.protocol) === undefined)
    return unreachable(ref, withoutPort(ref.port, ref.protocol))
  const { endpoints, problems, fault } = externalEndpoints(service, ref.port, {
    isDisabled: options.disableSvcExternalName,
    ...rules,
    answer,
  })
  if (fault !== undefined) return unreachable(ref, fault)
  const externalName = wantedName(service, options.disableSvcExternalName)?.replace(/\.$/, "")
  return { endpoints, problems, ...(externalName !== undefined && { externalName }) }
}

function reachHost(host: string, port: number, answer: NameAnswer | undefined, { rules }: Common): Reached {
  const { endpoints, problems, fault } = outsideEndpoints(host, port, { ...rules, answer })
  if (fault !== undefined) return { endpoints, problems, fault: `Cannot reach ${shown(host)}: ${fault}` }
  const stale = answer?.kind === "found" ? answer.stale : undefined
  return { endpoints, problems, ...(stale && { warning: staleMessage(host, stale) }) }
}

function unreachable({ serviceKey }: BackendRef, reason: string): Reached {
  return { endpoints: [], problems: [], fault: `Cannot reach Service ${shown(serviceKey)}: ${reason}` }
}

type Find = (
  service: Service,
  port: ServicePort,
  slices: readonly EndpointSlice[],
  rules: Common & Pick<Behind, "marksZones"> & { readonly protocol: Protocol },
) => Endpoints

const pods: Find = (service, port, slices, { rules, zone, marksZones, protocol }) =>
  endpointsOf(service, port, slices, rules, zone, marksZones, protocol)

const clusterOrPods: Find = (service, port, slices, common) => {
  const cluster = clusterEndpoint(service, port, common.rules)
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
