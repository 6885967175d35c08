import type { DeclaredStream } from "../../declared/stream.ts"
import { byAge, nameOf } from "../finding.ts"
import { bySpecificity, declaredName, isOwnName } from "../hosts/hostnames.ts"
import type { AttachableListener } from "../listeners/attachable.ts"
import type { BuiltStream } from "./stream-build.ts"

/** A stream route under one of its names, on one listener. */
export interface StreamContribution {
  readonly built: BuiltStream
  readonly own: string
  readonly served: string
}

/** A listener of TCP, UDP or TLS, with who is attached to it. */
export interface StreamListeners {
  readonly listener: AttachableListener
  /** that nginx listens on */
  readonly port: number
  readonly addresses: readonly (string | undefined)[]
  readonly contributions: readonly StreamContribution[]
}

/** What is declared of all of them: one for each address and port. */
export function declaredStreams(all: readonly StreamListeners[]): readonly DeclaredStream[] {
  const byPort = Map.groupBy(all, ({ listener, port, addresses }) =>
    JSON.stringify([listener.spec.protocol === "UDP", port, addresses]),
  )
  return [...byPort.values()].flatMap(streamsOfPort)
}

function streamsOfPort(all: readonly StreamListeners[]): readonly DeclaredStream[] {
  const [first] = all
  if (first === undefined) return []
  const { listener, port, addresses } = first
  const served = listener.spec.protocol === "TLS" ? byNames(all) : byOldest(first)
  if (served === undefined) return []
  return addresses.map((address) => ({
    protocol: listener.spec.protocol === "UDP" ? "udp" : "tcp",
    ...(address !== undefined && { address }),
    port,
    ...served,
    acceptsProxyProtocol: false,
    settings: {},
  }))
}

type Served = Pick<DeclaredStream, "backend" | "names" | "source" | "field">

/** Of several routes the oldest has all connections. */
function byOldest({ contributions }: StreamListeners): Served | undefined {
  const [oldest] = contributions.toSorted((a, b) => byAge(a.built.route, b.built.route))
  if (oldest?.built.backend === undefined) return undefined
  const { backend, route } = oldest.built
  return { backend, names: [], source: nameOf(route), field: "spec.rules[0].backendRefs" }
}

/** Each name goes to the route that has written it most specifically, and of those to the oldest. */
function byNames(all: readonly StreamListeners[]): Served | undefined {
  const [first] = all
  const hostnames = all.map(({ listener }) => listener.spec.hostname)
  const names = all.flatMap(({ listener, contributions }) => {
    const own = contributions.filter(({ served }) => isOwnName(served, listener.spec.hostname, hostnames))
    return [...Map.groupBy(own, ({ served }) => served)].flatMap(([served, of]) => {
      const [best] = of.toSorted((a, b) => bySpecificity(a.own, b.own) || byAge(a.built.route, b.built.route))
      const backend = best?.built.backend
      return backend === undefined ? [] : [{ host: declaredName(served), backend }]
    })
  })
  const rest = names.find(({ host }) => host === "_")
  const named = names.filter((it) => it !== rest)
  if (names.length === 0 || first === undefined) return undefined
  const { owner, field } = first.listener
  return { names: named, ...(rest && { backend: rest.backend }), source: nameOf(owner), field }
}
