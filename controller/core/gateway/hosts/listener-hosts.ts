import { byHost } from "../../../model/host-name.ts"
import { sharedServer } from "../../../model/listener.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import { SortedList } from "../../../support/incremental/sorted-list.ts"
import { getOrMake, setOrDelete } from "../../../support/maps.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { AttachableListener } from "../listeners/attachable.ts"
import type { ClientSide } from "../routes/actions.ts"
import type { BuiltRoute, BuiltRule } from "../routes/built-route.ts"
import type { Contribution, ListenerRoutes, Touched } from "./contributions.ts"
import { bySpecificity, declaredName, isOwnName, isWithin } from "./hostnames.ts"
import { mergeRules } from "./merge-rules.ts"

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

/** A host, and what it was made of. */
interface Known {
  readonly contributions: readonly Contribution[]
  /** absent: of no listener */
  readonly side?: ClientSide
  readonly owner: string
  readonly host: DeclaredHost
}

const nothing: readonly Contribution[] = []

/** A name of a server, and the listener that serves it there; absent: none does. */
interface Place {
  readonly server: string
  readonly name: string
  readonly served: ServedListener | undefined
}

const byListener = (all: readonly ServedListener[]) => new Map(all.map((served) => [served.listener, served]))

/** The hosts of all listeners, kept from pass to pass: one is made anew when what contributes to it has changed. */
export class ListenerHosts {
  readonly #known = new Map<string, Known>()
  readonly #hosts = new SortedList<DeclaredHost>(byHost)
  #all: readonly ServedListener[] = []
  #byListener: ReadonlyMap<AttachableListener, ServedListener> = new Map()
  #byServer: ReadonlyMap<string, readonly ServedListener[]> = new Map()
  /** by server */
  #hostnames: ReadonlyMap<string, ReadonlyMap<Gateway, readonly string[]>> = new Map()

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

  #followListeners(all: readonly ServedListener[]): void {
    this.#all = all
    this.#byListener = byListener(all)
    this.#byServer = byServer(all)
    this.#hostnames = new Map([...this.#byServer].map(([server, here]) => [server, hostnamesByGateway(here)]))
    const places = new Map<string, Place>()
    for (const server of this.#byServer.keys())
      for (const place of this.#placesOn(server)) getOrMake(places, keyOf(place), () => place)
    for (const key of this.#known.keys()) if (!places.has(key)) this.#replace(key, undefined)
    for (const place of places.values()) this.#follow(place)
  }

  /** Of several for one name the first counts. */
  *#placesOn(server: string): Generator<Place> {
    for (const served of this.#byServer.get(server) ?? [])
      for (const name of new Set([served.listener.spec.hostname, ...served.routes.names]))
        if (this.#isOwn(server, name, served)) yield { server, name, served }
    if (server !== sharedServer) yield { server, name: "", served: undefined }
  }

  #followRoutes(touched: Touched): void {
    for (const [listener, names] of touched) {
      const served = this.#byListener.get(listener)
      if (served === undefined) continue
      for (const server of served.servers)
        for (const name of concerned(names, served.routes)) this.#follow(this.#placeOf(server, name))
    }
  }

  #placeOf(server: string, name: string): Place {
    const served = this.#byServer.get(server)?.find((it) => {
      const isThere = name === it.listener.spec.hostname || it.routes.has(name)
      return isThere && this.#isOwn(server, name, it)
    })
    return { server, name, served }
  }

  #isOwn(server: string, name: string, { listener: { spec, gateway } }: ServedListener): boolean {
    return isOwnName(name, spec.hostname, this.#hostnames.get(server)?.get(gateway) ?? [])
  }

  #follow(place: Place): void {
    const key = keyOf(place)
    this.#replace(key, this.#knownAt(key, place))
  }

  #replace(key: string, after: Known | undefined): void {
    const before = this.#known.get(key)
    setOrDelete(this.#known, key, after)
    if (before?.host === after?.host) return
    if (before !== undefined) this.#hosts.remove(before.host)
    if (after !== undefined) this.#hosts.add(after.host)
  }

  #knownAt(key: string, { server, name, served }: Place): Known | undefined {
    if (served !== undefined) return this.#host(key, server, name, served)
    return name === "" && server !== sharedServer ? this.#rest(key, server) : undefined
  }

  /** What is for none of them is answered 404. */
  #rest(key: string, server: string): Known {
    const before = this.#known.get(key)
    if (before !== undefined && before.side === undefined) return before
    const isTls = server.startsWith("https:")
    const host = { server, host: "_", owner: "", rules: [], ...(isTls && { listener: noListener }) }
    return { contributions: nothing, owner: "", host }
  }

  #host(key: string, server: string, name: string, served: ServedListener): Known {
    const contributions = contributionsTo(name, served.routes)
    const before = this.#known.get(key)
    if (before !== undefined && isSame(before, contributions, served)) return before
    const { listener, side, id, clients } = served
    const rules = mergeRules(levelsOf(contributions), side)
    const owner = rules[0]?.source.namespace ?? listener.owner.meta.namespace
    return {
      ...{ contributions, side, owner: listener.owner.meta.namespace },
      host: {
        ...{ server, host: declaredName(name), owner, rules },
        ...(id !== undefined && server !== sharedServer && { listener: id }),
        ...(isAsked(clients) && { clients }),
      },
    }
  }
}

/** Listeners of one Gateway give names to each other; on the ports of Ingresses no Gateway takes one from an older one. */
function hostnamesByGateway(here: readonly ServedListener[]): ReadonlyMap<Gateway, readonly string[]> {
  const byGateway = Map.groupBy(here, ({ listener }) => listener.gateway)
  return new Map(
    [...byGateway].map(([gateway, own]) => [gateway, own.map(({ listener }) => listener.spec.hostname)]),
  )
}

function keyOf({ server, name }: Place): string {
  return `${server} ${name}`
}

function byServer(all: readonly ServedListener[]): ReadonlyMap<string, readonly ServedListener[]> {
  const places = all.flatMap((served) => served.servers.map((server) => ({ server, served })))
  const groups = Map.groupBy(places, ({ server }) => server)
  return new Map([...groups].map(([server, here]) => [server, here.map(({ served }) => served)]))
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

/** The wildcards that a name is within, and "" for every name. */
function wildcardsOver(name: string): readonly string[] {
  if (name === "") return []
  const labels = name.split(".")
  return [
    ...labels
      .slice(1)
      .map((_, at) => `*.${labels.slice(at + 1).join(".")}`)
      .filter((it) => it !== name),
    "",
  ]
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
