import type { Backend } from "../controller/model/backend.ts"
import { emptyLive, type Live } from "../controller/model/model.ts"
import { qualifiedName } from "../controller/model/objects/object.ts"
import type { Observed } from "../controller/model/observed.ts"
import type { Problem } from "../controller/model/problem.ts"
import { type Host, backendsOf as namesOf, type Route } from "../controller/model/route.ts"
import { routeSourceName } from "../controller/model/route-source.ts"
import { rememberedLast } from "../controller/support/incremental/last-result.ts"
import { Turns } from "../controller/support/turns.ts"
import type { Sources } from "./sources.ts"

// What lists look up, made of the model in force when somebody looks, and kept until that is another one.

/** A route with its host. */
export interface Row {
  readonly host: Host
  readonly route: Route
  /** what words are sought in, in lower case */
  readonly text: string
}

interface RouteIndex {
  /** as nginx has them: hosts by name, routes in their order */
  readonly rows: readonly Row[]
  /** how many lead to a backend, by its name */
  readonly routesTo: ReadonlyMap<string, number>
}

interface BackendIndex {
  readonly byName: ReadonlyMap<string, Backend>
  readonly endpoints: number
}

const routeIndex = rememberedLast<Live["hosts"], RouteIndex>()
const backendIndex = rememberedLast<Live["backends"], BackendIndex>()
const portTargets = rememberedLast<Live["streams"], ReadonlySet<string>>()
const ingressCount = rememberedLast<Observed, Promise<number>>()
const problemCounts = rememberedLast<readonly Problem[], ReadonlyMap<string, number>>()

export function liveOf({ plane }: Pick<Sources, "plane">): Live {
  return plane.running?.live ?? emptyLive
}

export function routesOf({ hosts }: Pick<Live, "hosts">): RouteIndex {
  return routeIndex(hosts, [], () => {
    const rows = hosts.flatMap((host) => host.routes.map((route) => rowOf(host, route)))
    const routesTo = new Map<string, number>()
    for (const name of rows.flatMap(({ route }) => namesOf(route)))
      routesTo.set(name, (routesTo.get(name) ?? 0) + 1)
    return { rows, routesTo }
  })
}

/** Names of backends that ports of TCP and UDP lead to. */
export function portTargetsOf({ streams }: Pick<Live, "streams">): ReadonlySet<string> {
  return portTargets(streams, [], () => {
    return new Set(
      streams.flatMap(({ backend, names = [] }) => [backend, ...names.map((name) => name.backend)]),
    )
  })
}

export function backendsOf({ backends }: Pick<Live, "backends">): BackendIndex {
  return backendIndex(backends, [], () => ({
    byName: new Map(backends.map((backend) => [backend.name, backend])),
    endpoints: backends.reduce((sum, { endpoints }) => sum + endpoints.length, 0),
  }))
}

/** How many are served, those of canaries included. Others have their turn while they are counted. */
export async function countIngresses({ observed }: Sources["lastPass"]): Promise<number> {
  return observed === undefined ? 0 : ingressCount(observed, [], () => countInTurns(observed.sources()))
}

async function countInTurns(all: Iterable<unknown>): Promise<number> {
  const turns = new Turns()
  let count = 0
  for (const _ of all) {
    count++
    if (turns.isOver()) await turns.next()
  }
  return count
}

/** How many Problems each Ingress has, by `namespace/name`. */
export function problemsByIngress({ problems }: Sources["lastPass"]): ReadonlyMap<string, number> {
  return problemCounts(problems, [], () => {
    const counts = new Map<string, number>()
    for (const { object } of problems) {
      const name = qualifiedName({ ...object, name: routeSourceName(object) })
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  })
}

/** `namespace/name`; "" for wick's own routes. */
export function ingressName({ namespace, ingressName: name }: Route): string {
  return name === "" ? "" : `${namespace}/${name}`
}

function rowOf(host: Host, route: Route): Row {
  const names = namesOf(route).join(" ")
  return { host, route, text: `${host.host}${route.path} ${ingressName(route)} ${names}`.toLowerCase() }
}
