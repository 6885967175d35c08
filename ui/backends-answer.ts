import { backendNotes, shareOf } from "../controller/inspect/notes.ts"
import type { Backend, Endpoint } from "../controller/model/backend.ts"
import type { EndpointCounts } from "../controller/model/endpoint-counts.ts"
import type { EndpointState } from "../controller/model/endpoint-state.ts"
import { type KnownEndpoint, knownByEndpoint } from "../controller/model/known-endpoints.ts"
import type { Live } from "../controller/model/model.ts"
import { backendFields } from "../controller/output/control/wire.ts"
import { hostPort } from "../controller/support/address.ts"
import { Failure } from "../controller/support/failure.ts"
import type { BackendDetails, Page, ShownBackend, ShownCanary, ShownEndpoint } from "./api.ts"
import { backendsOf, liveOf, portTargetsOf, routesOf } from "./live-index.ts"
import { hasWords, type Question, type SortKeys } from "./question.ts"
import type { Sources } from "./sources.ts"

/** @throws Failure `bad-question` */
export function backendsAnswer(question: Question, sources: Sources): Page<ShownBackend> {
  const live = liveOf(sources)
  const { routesTo } = routesOf(live)
  const isEmpty = emptyIn(live)
  const { words } = question
  const isEmptyOnly = question.text("only") === "empty"
  const found = live.backends.filter(
    (backend) => (!isEmptyOnly || isEmpty(backend)) && words.every((word) => isAbout(word, backend)),
  )
  const keys = {
    name: ({ name }: Backend) => name,
    algorithm: algorithmOf,
    endpoints: ({ endpoints }: Backend) => endpoints.length,
    routes: ({ name }: Backend) => routesTo.get(name) ?? 0,
  }
  return question.page(question.sorted(found, keys), (backend) => ({
    ...shown(backend, routesTo),
    endpoints: backend.endpoints.length,
  }))
}

/** Whether requests for a backend get 503, or connections are closed. */
export function emptyIn(live: Live): (backend: Backend) => boolean {
  const [{ routesTo }, portTargets] = [routesOf(live), portTargetsOf(live)]
  return ({ name, endpoints }) => endpoints.length === 0 && (routesTo.has(name) || portTargets.has(name))
}

/** @throws Failure `bad-question`, `not-found` */
export async function backendAnswer(question: Question, sources: Sources): Promise<BackendDetails> {
  const live = liveOf(sources)
  const name = question.text("name")
  const backend = backendsOf(live).byName.get(name)
  if (backend === undefined) throw new Failure("not-found", `There is no backend "${name}"`)
  const endpoints = question.page(backend.endpoints, shownEndpoint)
  const known = await sources.plane.read.endpoints(name)
  const knownOf = knownByEndpoint(known)
  return {
    nowMs: Date.now(),
    ...shown(backend, routesOf(live).routesTo),
    ...(backend.shaping && { takes: shareOf(backend.shaping) }),
    isCounted: known.counts !== undefined,
    endpoints: {
      ...endpoints,
      items: endpoints.items.map((endpoint) => ({ ...endpoint, ...unnamed(knownOf(endpoint.address)) })),
    },
  }
}

/** Its name stands beside it. */
function unnamed({ counts, state }: KnownEndpoint): Pick<ShownEndpoint, "counts" | "state"> {
  const numbers = ({ backend: _, endpoint: __, ...rest }: EndpointCounts) => rest
  const learned = ({ endpoint: _, ...rest }: EndpointState) => rest
  return { ...(counts && { counts: numbers(counts) }), ...(state && { state: learned(state) }) }
}

/** @throws Failure `bad-question` */
export function canariesAnswer(question: Question, sources: Sources): Page<ShownCanary> {
  const { words } = question
  const pairs = canariesOf(sources).filter(({ backend, canary }) =>
    hasWords(words, backend.name, canary.name),
  )
  return question.page(question.sorted(pairs, canaryKeys), ({ backend, canary }) => ({
    backend: backend.name,
    canary: canary.name,
    takes: shareOf(canary.shaping ?? {}),
    share: partOf(canary),
    endpoints: canary.endpoints.length,
  }))
}

interface Pair {
  readonly backend: Backend
  readonly canary: Backend
}

const canaryKeys: SortKeys<Pair> = {
  backend: ({ backend }) => backend.name,
  canary: ({ canary }) => canary.name,
  endpoints: ({ canary }) => canary.endpoints.length,
  share: ({ canary }) => partOf(canary),
}

/** Backends with those that may take their place, as far as these are in force. */
export function canariesOf(sources: Pick<Sources, "plane">): readonly Pair[] {
  const live = liveOf(sources)
  const { byName } = backendsOf(live)
  return live.backends.flatMap((backend) =>
    (backend.alternatives ?? []).flatMap((name) => {
      const canary = byName.get(name)
      return canary === undefined ? [] : [{ backend, canary }]
    }),
  )
}

function partOf({ shaping }: Backend): number {
  if (shaping === undefined) return 0
  return Math.min(1, Math.max(0, shaping.weight) / Math.max(shaping.weightTotal, 100))
}

function isAbout(word: string, { name, endpoints }: Backend): boolean {
  return name.includes(word) || endpoints.some(({ address }) => address.startsWith(word))
}

function shown(backend: Backend, routesTo: ReadonlyMap<string, number>): Omit<ShownBackend, "endpoints"> {
  const { trafficShapingPolicy: _, alternativeBackends: __, ...posted } = backendFields(backend)
  return {
    name: backend.name,
    algorithm: algorithmOf(backend),
    routes: routesTo.get(backend.name) ?? 0,
    canaries: backend.alternatives ?? [],
    notes: backendNotes({ ...posted, "load-balance": backend.loadBalance, endpoints: [] }),
  }
}

/** As the control API names what is in force (docs/wire.md, BACKEND). */
function algorithmOf({ policy, affinity, hashBy, loadBalance }: Backend): string {
  if (policy !== undefined) return `wasm/${policy.name}`
  if (affinity !== undefined) return `sticky_${affinity.mode}`
  if (hashBy !== undefined) return hashBy.subsetSize === undefined ? "chash" : "chashsubset"
  return loadBalance
}

function shownEndpoint({ address, port, zone }: Endpoint): ShownEndpoint {
  return { address: hostPort(address, port), ...(zone && { zone }) }
}
