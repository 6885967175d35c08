import type { EndpointCounts } from "../../../controller/model/endpoint-counts.ts"
import type { BackendState, EndpointState } from "../../../controller/model/endpoint-state.ts"
import type { RequestCount } from "../../../controller/model/request-count.ts"
import { failedAttempts, stateNotes } from "../endpoint-table.ts"
import type { ControllerFacts } from "./controller-facts.ts"
import { grown } from "./growth.ts"
import { type Latency, latencies } from "./latency.ts"
import { type PortActivity, portActivities } from "./port-activity.ts"
import type { Snapshot } from "./snapshot.ts"

// What happened between two moments. Pure.

/** What `--json` prints, and frames show. Rates are per second; what is not known is absent. */
export interface Activity {
  /** between the two moments */
  readonly seconds: number
  /** absent: requests are not counted; likewise the two lists */
  readonly requests?: Traffic
  readonly ingresses?: readonly NamedTraffic[]
  readonly hosts?: readonly NamedTraffic[]
  /** attempts are counted by endpoint */
  readonly countsEndpoints: boolean
  readonly backends: readonly BackendActivity[]
  readonly endpoints: readonly EndpointActivity[]
  /** of TCP and UDP */
  readonly ports: readonly PortActivity[]
  readonly zones: readonly { readonly name: string; readonly fill: number }[]
  /** absent: no controller answers */
  readonly controller?: ControllerFacts
}

interface Traffic {
  readonly perSecond: number
  /** those with a status from 500 on, and from 400 to 499 */
  readonly errorsPerSecond: number
  readonly refusedPerSecond: number
  /** since the series began */
  readonly total: number
}

/** Times are absent where no request ended meanwhile, or they are not known. */
export interface NamedTraffic extends Traffic, Partial<Latency> {
  readonly name: string
}

interface Attempts {
  readonly perSecond?: number
  readonly failuresPerSecond?: number
  /** how long responses took to begin meanwhile, on average; absent: there was none */
  readonly responseSeconds?: number
  readonly total?: number
  /** attempts that run */
  readonly running?: number
}

export interface BackendActivity extends Attempts {
  readonly name: string
  /** of which something is known */
  readonly endpoints: number
  readonly ejected: number
}

export interface EndpointActivity extends Attempts {
  readonly backend: string
  readonly endpoint: string
  readonly scoreSeconds?: number
  readonly isEjected: boolean
  /** what is unusual about it */
  readonly notes: readonly string[]
}

export function activityBetween(before: Snapshot, after: Snapshot): Activity {
  const seconds = Math.max((after.atMs - before.atMs) / 1000, 0.001)
  const endpoints = endpointActivities(before.endpoints ?? [], after.endpoints, after.states, seconds)
  return {
    seconds,
    ...(after.requests && requestActivity(before, { ...after, requests: after.requests }, seconds)),
    countsEndpoints: after.endpoints !== undefined,
    backends: backendActivities(endpoints),
    endpoints,
    ports: portActivities(before.ports, after.ports, seconds),
    zones: after.zones.map(({ name, used, free }) => ({ name, fill: used / Math.max(used + free, 1) })),
    ...(after.controller && { controller: after.controller }),
  }
}

type Counted = Pick<Snapshot, "times"> & { readonly requests: readonly RequestCount[] }

function requestActivity(before: Snapshot, after: Counted, seconds: number) {
  const by = (nameOf: (of: Pick<RequestCount, "ingress" | "host">) => string) => {
    const [was, is] = [sums(before.requests ?? [], nameOf), sums(after.requests, nameOf)]
    const took = latencies(before.times, after.times, nameOf)
    return [...is].map(([name, now]) => ({
      name,
      ...trafficBetween(was.get(name), now, seconds),
      ...took.get(name),
    }))
  }
  const [all] = by(() => "")
  const { name: _, ...requests } = all ?? { name: "", ...trafficBetween(undefined, noSum, seconds) }
  return { requests, ingresses: by(({ ingress }) => ingress), hosts: by(({ host }) => host ?? "") }
}

interface Sum {
  readonly all: number
  readonly errors: number
  readonly refused: number
}

const noSum: Sum = { all: 0, errors: 0, refused: 0 }

function sums(
  counts: readonly RequestCount[],
  nameOf: (count: RequestCount) => string,
): ReadonlyMap<string, Sum> {
  const found = new Map<string, Sum>()
  for (const one of counts) {
    const { all, errors, refused } = found.get(nameOf(one)) ?? noSum
    const [class_] = one.status
    found.set(nameOf(one), {
      all: all + one.count,
      errors: errors + (class_ === "5" ? one.count : 0),
      refused: refused + (class_ === "4" ? one.count : 0),
    })
  }
  return found
}

function trafficBetween(before: Sum = noSum, now: Sum, seconds: number): Traffic {
  return {
    perSecond: grown(before.all, now.all) / seconds,
    errorsPerSecond: grown(before.errors, now.errors) / seconds,
    refusedPerSecond: grown(before.refused, now.refused) / seconds,
    total: now.all,
  }
}

function endpointActivities(
  before: readonly EndpointCounts[],
  after: readonly EndpointCounts[] | undefined,
  states: readonly BackendState[],
  seconds: number,
): EndpointActivity[] {
  const key = (backend: string, endpoint: string) => `${backend} ${endpoint}`
  const was = new Map(before.map((one) => [key(one.backend, one.endpoint), one]))
  const known = new Map<string, EndpointActivity>()
  for (const { name: backend, endpoints } of states)
    for (const state of endpoints)
      known.set(key(backend, state.endpoint), { backend, endpoint: state.endpoint, ...stateOf(state) })
  for (const now of after ?? []) {
    const { backend, endpoint } = now
    const found = known.get(key(backend, endpoint)) ?? { backend, endpoint, isEjected: false, notes: [] }
    const attempts = attemptsBetween(was.get(key(backend, endpoint)), now, seconds)
    known.set(key(backend, endpoint), { ...found, ...attempts })
  }
  return [...known.values()]
}

function stateOf(state: EndpointState) {
  const { running, scoreSeconds, ejectedMs = 0 } = state
  return {
    ...(running !== undefined && { running }),
    ...(scoreSeconds !== undefined && { scoreSeconds }),
    isEjected: ejectedMs > 0,
    notes: stateNotes(state),
  }
}

function attemptsBetween(before: EndpointCounts | undefined, now: EndpointCounts, seconds: number): Attempts {
  // One that came back began anew.
  const was = before !== undefined && before.attempts <= now.attempts ? before : undefined
  const responses = now.responses - (was?.responses ?? 0)
  const waited = now.responseSeconds - (was?.responseSeconds ?? 0)
  return {
    perSecond: (now.attempts - (was?.attempts ?? 0)) / seconds,
    failuresPerSecond: (failedAttempts(now) - (was === undefined ? 0 : failedAttempts(was))) / seconds,
    ...(responses > 0 && { responseSeconds: Math.max(waited, 0) / responses }),
    total: now.attempts,
  }
}

function backendActivities(endpoints: readonly EndpointActivity[]): BackendActivity[] {
  const byBackend = Map.groupBy(endpoints, ({ backend }) => backend)
  return [...byBackend].map(([name, theirs]) => {
    const sum = (of: (one: EndpointActivity) => number | undefined) =>
      theirs.reduce((sum, one) => sum + (of(one) ?? 0), 0)
    const has = (field: keyof Attempts) => theirs.some((one) => one[field] !== undefined)
    const answering = theirs.filter(({ responseSeconds }) => responseSeconds !== undefined)
    const weight = answering.reduce((sum, { perSecond = 0 }) => sum + perSecond, 0)
    const time = answering.reduce(
      (sum, { responseSeconds = 0, perSecond = 0 }) => sum + responseSeconds * perSecond,
      0,
    )
    return {
      name,
      endpoints: theirs.length,
      ejected: theirs.filter(({ isEjected }) => isEjected).length,
      ...(has("perSecond") && {
        perSecond: sum(({ perSecond }) => perSecond),
        failuresPerSecond: sum(({ failuresPerSecond }) => failuresPerSecond),
        total: sum(({ total }) => total),
      }),
      ...(weight > 0 && { responseSeconds: time / weight }),
      ...(has("running") && { running: sum(({ running }) => running) }),
    }
  })
}
