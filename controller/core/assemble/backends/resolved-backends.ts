import { isDeepStrictEqual } from "node:util"
import type { Backend } from "../../../model/backend.ts"
import type { Facts } from "../../../model/facts.ts"
import type { EndpointSlice } from "../../../model/objects/endpoint-slice.ts"
import type { Problem } from "../../../model/problem.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import { compact } from "../../../support/compact.ts"
import { changesBetween } from "../../../support/incremental/changes.ts"
import { MappedList } from "../../../support/incremental/mapped-list.ts"
import { Multimap } from "../../../support/incremental/multimap.ts"
import { changedSince } from "../../../support/incremental/shared-map.ts"
import { placeOf } from "../../../support/incremental/sorted-list.ts"
import { compareText } from "../../../support/order.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import { chosenBalancing, wantsZones } from "./chosen-balancing.ts"
import { type Behind, type Common, lookedUpName, type Reached, reach } from "./reach.ts"

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

type World = Omit<Behind, "marksZones">

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
  readonly #backends = new MappedList<DeclaredBackend, ResolvedBackend>(byName)
  readonly #resolutions = new WeakMap<DeclaredBackend, Resolution>()
  /** those of the list, by `namespace/service` */
  readonly #ofService = new Multimap<DeclaredBackend>()
  #last: Inputs | undefined

  /** @param backends in order of their names */
  ofAll(backends: readonly DeclaredBackend[], inputs: Inputs): readonly ResolvedBackend[] {
    const others = this.#last && servicesOtherThan(this.#last, inputs)
    this.#last = inputs
    this.#follow(backends)
    const make = (named: DeclaredBackend) => this.of(named, inputs)
    if (others === undefined) return this.#backends.map(backends, make)
    this.#backends.mapNew(backends, make)
    return this.#backends.remap(this.#placesOf(others), make)
  }

  #follow(backends: readonly DeclaredBackend[]): void {
    for (const { before, after } of changesBetween(this.#backends.items, backends, byName)) {
      if (before !== undefined) this.#ofService.remove(before.ref.serviceKey, before)
      if (after !== undefined) this.#ofService.add(after.ref.serviceKey, after)
    }
  }

  /** Where the backends of Services are in the list. */
  #placesOf(services: ReadonlySet<string>): number[] {
    const { items } = this.#backends
    const placesOf = (service: string) =>
      [...this.#ofService.of(service)].map((backend) => placeOf(items, backend, byName))
    return [...services].flatMap(placesOf)
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

const byName = (a: DeclaredBackend, b: DeclaredBackend) => compareText(a.name, b.name)

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
