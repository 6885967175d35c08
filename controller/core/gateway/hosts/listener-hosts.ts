import { isDeepStrictEqual } from "node:util"
import { byHost } from "../../../model/host-name.ts"
import { sharedServer } from "../../../model/listener.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import type { Problem } from "../../../model/problem.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { getOrMake, setOrDelete } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { AttachableListener } from "../listeners/attachable.ts"
import type { ClientSide } from "../routes/actions.ts"
import type { BuiltRoute, BuiltRule } from "../routes/built-route.ts"
import type { Contribution, ListenerRoutes, Touched } from "./contributions.ts"
import { bySpecificity, declaredName, isOwnName, isWithin, wildcardsOver } from "./hostnames.ts"
import { mergeRules } from "./merge-rules.ts"
import { SharedHosts } from "./shared-hosts.ts"
import { hostLost, pathTaken } from "./taken.ts"

/** A listener that is served, and its routes by the names under which they are. */
export interface ServedListener {
  readonly listener: AttachableListener
  /** as `Host.listener`; absent: there are no handshakes */
  readonly id?: string
  /** what clients have to show; the same object while it does not change */
  readonly clients?: ClientValidation
  readonly servers: readonly string[]
  readonly side: ClientSide
  readonly routes: ListenerRoutes
}

/** `Host.listener` of names that no listener has. */
export const noListener = "-"

/** A host, and what it was made of. On the ports of Ingresses it is what one scheme has of a host. */
interface Known {
  readonly contributions: readonly Contribution[]
  /** absent: of no listener */
  readonly side?: ClientSide
  readonly owner: string
  readonly host: DeclaredHost
  /** of rules that get none of its requests */
  readonly shadowed: readonly Problem[]
  /** of routes of Gateways that do not have it */
  readonly lost: readonly Problem[]
}

const nothing: readonly Contribution[] = []
const noProblems: readonly Problem[] = []
const none: ReadonlySet<string> = new Set()

/** Where a name has one listener: a server, or on the ports of Ingresses, which are one server, one scheme of it. */
interface Lane {
  readonly server: string
  readonly scheme: ClientSide["scheme"]
}

/** A name in a lane, and the listener that serves it there; absent: none does. */
interface Place {
  readonly lane: Lane
  readonly name: string
  readonly served: ServedListener | undefined
}

/** One of a server's listeners. */
interface PlacedListener {
  /** its place among them */
  readonly at: number
  readonly served: ServedListener
}

const byListener = (all: readonly ServedListener[]) => new Map(all.map((served) => [served.listener, served]))

/** The hosts of all listeners, kept from pass to pass: one is made anew when what contributes to it has changed. */
export class ListenerHosts {
  readonly #known = new Map<string, Known>()
  /** keys of those with Problems */
  readonly #told = new Set<string>()
  readonly #hosts = new SortedList<DeclaredHost>(byHost)
  #all: readonly ServedListener[] = []
  #byListener: ReadonlyMap<AttachableListener, ServedListener> = new Map()
  #byServer: ReadonlyMap<string, readonly ServedListener[]> = new Map()
  /** by server, then by hostname */
  #byHostname: ReadonlyMap<string, ReadonlyMap<string, readonly PlacedListener[]>> = new Map()
  readonly #shared = new SharedHosts()
  /** by lane */
  #hostnames: ReadonlyMap<string, ReadonlyMap<Gateway, ReadonlySet<string>>> = new Map()

  /**
   * @param all the same list while no listener is another one
   * @param touched what has changed of their routes
   * @returns the same list while nothing changes
   */
  of(all: readonly ServedListener[], touched: Touched): readonly DeclaredHost[] {
    if (all === this.#all) this.#followRoutes(touched)
    else this.#followListeners(all)
    return this.#hosts.items()
  }

  /** Of rules that get no requests of a host; the same may be said twice. */
  problems(): readonly Problem[] {
    const told = [...this.#told].sort(compareText).flatMap((key) => this.#known.get(key) ?? [])
    return told.flatMap(({ shadowed, lost }) => [...shadowed, ...lost])
  }

  #followListeners(all: readonly ServedListener[]): void {
    this.#all = all
    this.#byListener = byListener(all)
    this.#byServer = byServer(all)
    this.#byHostname = new Map([...this.#byServer].map(([server, here]) => [server, byHostname(here)]))
    this.#hostnames = new Map([...byLane(all)].map(([lane, here]) => [lane, hostnamesByGateway(here)]))
    const places = new Map<string, Place>()
    for (const server of this.#byServer.keys())
      for (const place of this.#placesOn(server)) getOrMake(places, keyOf(place), () => place)
    for (const key of this.#known.keys()) if (!places.has(key)) this.#replace(key, undefined)
    for (const place of places.values()) this.#follow(place)
  }

  /** Of several for one name the first counts. */
  *#placesOn(server: string): Generator<Place> {
    const owners = new Map<string, Gateway>()
    for (const served of this.#byServer.get(server) ?? []) {
      const { gateway } = served.listener
      const lane = { server, scheme: served.side.scheme }
      for (const name of namesOf(served))
        if (this.#isOwn(lane, name, served) && getOrMake(owners, name, () => gateway) === gateway)
          yield { lane, name, served }
    }
    if (server !== sharedServer) yield { lane: lanesOf(server)[0], name: "", served: undefined }
  }

  #followRoutes(touched: Touched): void {
    for (const [listener, names] of touched) {
      const served = this.#byListener.get(listener)
      if (served === undefined) continue
      for (const server of served.servers)
        for (const name of concerned(names, served.routes))
          for (const lane of lanesOf(server)) this.#follow(this.#placeOf(lane, name))
    }
  }

  /** The first that has the name has it for all listeners of its Gateway. */
  #placeOf(lane: Lane, name: string): Place {
    const having = this.#listenersOver(lane.server, name).filter((it) => {
      return hasName(it, name) && this.#isOwn({ ...lane, scheme: it.side.scheme }, name, it)
    })
    const owner = having[0]?.listener.gateway
    const served = having.find(
      ({ listener, side }) => side.scheme === lane.scheme && listener.gateway === owner,
    )
    return { lane, name, served }
  }

  /** Those whose hostname a name is within, in their order: no other has it. */
  #listenersOver(server: string, name: string): readonly ServedListener[] {
    const byHostname = this.#byHostname.get(server)
    const over = [name, ...wildcardsOver(name)].flatMap((hostname) => byHostname?.get(hostname) ?? [])
    return over.sort((a, b) => a.at - b.at).map(({ served }) => served)
  }

  #isOwn(lane: Lane, name: string, { listener: { spec, gateway } }: ServedListener): boolean {
    return isOwnName(name, spec.hostname, this.#hostnames.get(laneKey(lane))?.get(gateway) ?? none)
  }

  #follow(place: Place): void {
    const key = keyOf(place)
    this.#replace(key, this.#knownAt(key, place))
  }

  #replace(key: string, after: Known | undefined): void {
    const before = this.#known.get(key)
    setOrDelete(this.#known, key, after)
    if (after === undefined || after.shadowed.length + after.lost.length === 0) this.#told.delete(key)
    else this.#told.add(key)
    if (before?.host === after?.host) return
    const { server, host } = (after ?? before)?.host ?? {}
    if (server === sharedServer && host !== undefined) this.#share(host)
    else this.#exchange(before?.host, after?.host)
  }

  /** The host of both schemes, when that of one is another one. */
  #share(host: string): void {
    const of = (scheme: Lane["scheme"]) =>
      this.#known.get(`${laneKey({ server: sharedServer, scheme })} ${host}`)?.host
    const { before, after } = this.#shared.replace(host, of("http"), of("https"))
    this.#exchange(before, after)
  }

  #exchange(before: DeclaredHost | undefined, after: DeclaredHost | undefined): void {
    if (before !== undefined) this.#hosts.remove(before)
    if (after !== undefined) this.#hosts.add(after)
  }

  #knownAt(key: string, { lane, name, served }: Place): Known | undefined {
    const { server } = lane
    if (served !== undefined) {
      const lost = server === sharedServer ? this.#lostTo(served, lane, name) : noProblems
      const host = this.#host(key, server, name, served)
      return isDeepStrictEqual(host.lost, lost) ? host : { ...host, lost }
    }
    return name === "" && server !== sharedServer ? this.#rest(key, server) : undefined
  }

  /** What is for none of them is answered 404. */
  #rest(key: string, server: string): Known {
    const before = this.#known.get(key)
    if (before !== undefined && before.side === undefined) return before
    const host = { server, host: "_", owner: "", rules: [], ...(isTls(server) && { listener: noListener }) }
    return { contributions: nothing, owner: "", shadowed: noProblems, lost: noProblems, host }
  }

  /** Where several Gateways share a port, the routes of one have the name. */
  #lostTo({ listener: { gateway } }: ServedListener, lane: Lane, name: string): readonly Problem[] {
    return this.#listenersOver(lane.server, name)
      .filter((it) => it.listener.gateway !== gateway && it.side.scheme === lane.scheme)
      .filter((it) => this.#isOwn(lane, name, it))
      .flatMap(({ routes }) =>
        routes.of(name).map(({ built }) => hostLost(declaredName(name), built.route, gateway)),
      )
  }

  #host(key: string, server: string, name: string, served: ServedListener): Known {
    const contributions = contributionsTo(name, served.routes)
    const before = this.#known.get(key)
    if (before !== undefined && isSame(before, contributions, served)) return before
    const { listener, side, id, clients } = served
    const { rules, shadowed } = mergeRules(levelsOf(contributions), side)
    const owner = rules[0]?.source.namespace ?? listener.owner.meta.namespace
    return {
      ...{ contributions, side, owner: listener.owner.meta.namespace },
      host: {
        ...{ server, host: declaredName(name), owner, rules },
        ...(id !== undefined && server !== sharedServer && { listener: id }),
        ...(isAsked(clients) && { clients }),
      },
      shadowed: shadowed.map((it) => pathTaken(declaredName(name), it)),
      lost: before?.lost ?? noProblems,
    }
  }
}

/** Its own, and those of its routes. */
export function namesOf({ listener: { spec, isNameless }, routes }: ServedListener): ReadonlySet<string> {
  return new Set([...(isNameless ? [] : [spec.hostname]), ...routes.names])
}

function hasName({ listener: { spec, isNameless }, routes }: ServedListener, name: string): boolean {
  return (!isNameless && name === spec.hostname) || routes.has(name)
}

/** Listeners of one Gateway give names to each other; on the ports of Ingresses no Gateway takes one from an older one. */
export function hostnamesByGateway(
  here: readonly ServedListener[],
): ReadonlyMap<Gateway, ReadonlySet<string>> {
  const byGateway = Map.groupBy(here, ({ listener }) => listener.gateway)
  return new Map(
    [...byGateway].map(([gateway, own]) => [
      gateway,
      new Set(own.flatMap(({ listener: { spec, isNameless } }) => (isNameless ? [] : [spec.hostname]))),
    ]),
  )
}

const isTls = (server: string) => server.startsWith("https:")

function lanesOf(server: string): readonly [Lane, ...Lane[]] {
  if (server !== sharedServer) return [{ server, scheme: isTls(server) ? "https" : "http" }]
  return [
    { server, scheme: "http" },
    { server, scheme: "https" },
  ]
}

function laneKey({ server, scheme }: Lane): string {
  return server === sharedServer ? `${server} ${scheme}` : server
}

function keyOf({ lane, name }: Place): string {
  return [laneKey(lane), declaredName(name)].join(" ")
}

function byLane(all: readonly ServedListener[]): ReadonlyMap<string, readonly ServedListener[]> {
  const places = all.flatMap((served) =>
    served.servers.map((server) => ({ key: laneKey({ server, scheme: served.side.scheme }), served })),
  )
  const groups = Map.groupBy(places, ({ key }) => key)
  return new Map([...groups].map(([key, here]) => [key, here.map(({ served }) => served)]))
}

function byServer(all: readonly ServedListener[]): ReadonlyMap<string, readonly ServedListener[]> {
  const places = all.flatMap((served) => served.servers.map((server) => ({ server, served })))
  const groups = Map.groupBy(places, ({ server }) => server)
  return new Map([...groups].map(([server, here]) => [server, here.map(({ served }) => served)]))
}

function byHostname(here: readonly ServedListener[]): ReadonlyMap<string, readonly PlacedListener[]> {
  const placed = here.map((served, at) => ({ at, served }))
  return Map.groupBy(placed, ({ served }) => served.listener.spec.hostname)
}

/** What is served under a wildcard is served under all names within it, too. */
function concerned(names: ReadonlySet<string>, routes: ListenerRoutes): Iterable<string> {
  const wide = [...names].filter((name) => name === "" || name.startsWith("*."))
  if (wide.length === 0) return names
  const within = [...routes.names].filter((name) => wide.some((one) => isWithin(name, one)))
  return new Set([...names, ...within])
}

function isSame(
  before: Known,
  after: readonly Contribution[],
  { side, id, clients, listener }: ServedListener,
): boolean {
  const { contributions, host } = before
  return (
    contributions.length === after.length &&
    contributions.every(({ built, own }, at) => built === after[at]?.built && own === after[at]?.own) &&
    before.side?.port === side.port &&
    before.owner === listener.owner.meta.namespace &&
    host.clients === clients &&
    (host.listener === id || host.server === sharedServer)
  )
}

/** Of the name itself and of all that it is within; each route once, under the most specific of its names. */
function contributionsTo(name: string, routes: ListenerRoutes): readonly Contribution[] {
  const own = routes.of(name)
  const above = wildcardsOver(name).filter((wildcard) => routes.has(wildcard))
  if (above.length === 0 && own.length < 2) return own
  const best = new Map<BuiltRoute["route"], Contribution>()
  for (const one of [name, ...above]) {
    for (const contribution of routes.of(one)) {
      const { route } = contribution.built
      const known = best.get(route)
      if (known === undefined || bySpecificity(contribution.own, known.own) < 0) best.set(route, contribution)
    }
  }
  return [...best.values()]
}

function levelsOf(contributions: readonly Contribution[]): readonly (readonly BuiltRule[])[] {
  const byOwn = Map.groupBy(contributions, ({ own }) => own)
  return [...byOwn]
    .sort(([a], [b]) => bySpecificity(a, b))
    .map(([, of]) => of.flatMap(({ built }) => built.rules))
}

/** Whether requests have to show something: who need not, is asked in the handshake alone. */
function isAsked(clients: ClientValidation | undefined): clients is ClientValidation {
  return clients !== undefined && (clients.kind === "nobody" || clients.certificate.verify === "required")
}
