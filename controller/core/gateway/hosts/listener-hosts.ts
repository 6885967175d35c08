import { sharedServer } from "../../../model/listener.ts"
import type { Gateway } from "../../../model/objects/gateway/gateway.ts"
import { compareText } from "../../../support/order.ts"
import type { ClientValidation } from "../../declared/client-validation.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { AttachableListener } from "../listeners/attachable.ts"
import type { ClientSide } from "../routes/actions.ts"
import type { BuiltRoute, BuiltRule } from "../routes/built-route.ts"
import { bySpecificity, declaredName, isOwnName } from "./hostnames.ts"
import { mergeRules } from "./merge-rules.ts"

function byPlace(a: DeclaredHost, b: DeclaredHost): number {
  return compareText(a.server, b.server) || compareText(a.host, b.host)
}

/** A route under one of its names, on one listener. */
export interface Contribution {
  readonly built: BuiltRoute
  /** as the route has it; "": it has none */
  readonly own: string
}

/** A listener that is served, and its routes by the names under which they are. */
export interface ServedListener {
  readonly listener: AttachableListener
  /** as `Host.listener`; absent: there are no handshakes */
  readonly id?: string
  /** what clients have to show; the same object while it does not change */
  readonly clients?: ClientValidation
  readonly servers: readonly string[]
  readonly side: ClientSide
  readonly byName: ReadonlyMap<string, readonly Contribution[]>
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

/** The hosts of all listeners, kept from pass to pass: one is made anew when what contributes to it has changed. */
export class ListenerHosts {
  #known = new Map<string, Known>()

  of(all: readonly ServedListener[]): readonly DeclaredHost[] {
    const next = new Map<string, Known>()
    const byServer = Map.groupBy(
      all.flatMap((served) => served.servers.map((server) => ({ server, served }))),
      ({ server }) => server,
    )
    for (const [server, here] of byServer) {
      const hostnames = hostnamesByGateway(here.map(({ served }) => served.listener))
      for (const { served } of here)
        this.#addHosts(server, served, hostnames.get(served.listener.gateway) ?? [], next)
      if (server !== sharedServer) this.#addRest(server, next)
    }
    this.#known = next
    return [...next.values()].map(({ host }) => host).sort(byPlace)
  }

  #addHosts(
    server: string,
    served: ServedListener,
    hostnames: readonly string[],
    next: Map<string, Known>,
  ): void {
    const { hostname } = served.listener.spec
    for (const name of new Set([hostname, ...served.byName.keys()])) {
      if (!isOwnName(name, hostname, hostnames)) continue
      const key = `${server} ${name}`
      if (!next.has(key)) next.set(key, this.#host(key, server, name, served))
    }
  }

  /** What is for none of them is answered 404. */
  #addRest(server: string, next: Map<string, Known>): void {
    const key = `${server} `
    if (next.has(key)) return
    const before = this.#known.get(key)
    const isTls = server.startsWith("https:")
    const host = { server, host: "_", owner: "", rules: [], ...(isTls && { listener: noListener }) }
    next.set(
      key,
      before !== undefined && before.side === undefined
        ? before
        : { contributions: nothing, owner: "", host },
    )
  }

  #host(key: string, server: string, name: string, served: ServedListener): Known {
    const contributions = contributionsTo(name, served.byName)
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
function hostnamesByGateway(
  listeners: readonly AttachableListener[],
): ReadonlyMap<Gateway, readonly string[]> {
  const byGateway = Map.groupBy(listeners, ({ gateway }) => gateway)
  return new Map([...byGateway].map(([gateway, own]) => [gateway, own.map(({ spec }) => spec.hostname)]))
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
function contributionsTo(
  name: string,
  byName: ReadonlyMap<string, readonly Contribution[]>,
): readonly Contribution[] {
  const own = byName.get(name) ?? nothing
  const above = wildcardsOver(name).filter((wildcard) => byName.has(wildcard))
  if (above.length === 0 && own.length < 2) return own
  const best = new Map<BuiltRoute["route"], Contribution>()
  for (const one of [name, ...above]) {
    for (const contribution of byName.get(one) ?? nothing) {
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
