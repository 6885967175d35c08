import { fieldPath } from "../../../model/field-path.ts"
import { byAge, nameOf } from "../../../model/objects/object.ts"
import type { DeclaredServerName, DeclaredStream, StreamReencryption } from "../../declared/stream.ts"
import type { SecretPair } from "../../declared/tls.ts"
import { bySpecificity, declaredName, isOwnName } from "../hosts/hostnames.ts"
import { type AttachableListener, portAsker } from "../listeners/attachable.ts"
import { type ReadPolicy, verifyDepth } from "../tls/policies.ts"
import { type BuiltStream, refusedBackend } from "./stream-build.ts"

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
  /** what endpoints are shown when they ask */
  readonly pair?: SecretPair
}

/** What is declared of all of them: one for each address and port of a Gateway. */
export function declaredStreams(all: readonly StreamListeners[]): readonly DeclaredStream[] {
  const byGateway = Map.groupBy(all, ({ listener }) => listener.gateway)
  return [...byGateway.values()].flatMap((own) => {
    const byPort = Map.groupBy(own, ({ listener, port }) => `${listener.spec.protocol === "UDP"} ${port}`)
    return [...byPort.values()].flatMap(streamsOfPort)
  })
}

function streamsOfPort(all: readonly StreamListeners[]): readonly DeclaredStream[] {
  const [first] = all
  if (first === undefined) return []
  const { listener, port, addresses } = first
  const served = listener.spec.protocol === "TLS" ? byNames(all) : byOldest(first)
  if (served === undefined) return []
  const listeners = all.map((of) => portAsker(of.listener))
  return addresses.map((address) => ({
    protocol: listener.spec.protocol === "UDP" ? "udp" : "tcp",
    ...(address !== undefined && { address }),
    port,
    ...served,
    listeners,
    acceptsProxyProtocol: false,
    settings: {},
  }))
}

type Served = Pick<DeclaredStream, "backend" | "names" | "tls" | "backendTls" | "source" | "field">

/** Of several routes the oldest has all connections. */
function byOldest({ contributions }: StreamListeners): Served | undefined {
  const [oldest] = contributions.toSorted((a, b) => byAge(a.built.route, b.built.route))
  if (oldest?.built.backend === undefined) return undefined
  const { backend, route } = oldest.built
  return { backend, names: [], source: nameOf(route), field: fieldPath("spec", "rules", 0, "backendRefs") }
}

/** Each name goes to the route that has written it most specifically, and of those to the oldest. */
function byNames(all: readonly StreamListeners[]): Served | undefined {
  const [first] = all
  const hostnames = new Set(all.map(({ listener }) => listener.spec.hostname))
  const names = all.flatMap((of) => {
    const { hostname } = of.listener.spec
    if (of.listener.isClosed) return [{ host: declaredName(hostname), backend: refusedBackend }]
    const own = of.contributions.filter(({ served }) => isOwnName(served, hostname, hostnames))
    return [...Map.groupBy(own, ({ served }) => served)].flatMap(([served, some]) =>
      nameOfBest(served, some, of),
    )
  })
  if (names.length === 0 || first === undefined) return undefined
  const { owner, field } = first.listener
  const { host: _, ...rest } = names.find(({ host }) => host === "_") ?? { host: "_" }
  return { ...rest, names: names.filter(({ host }) => host !== "_"), source: nameOf(owner), field }
}

function nameOfBest(
  served: string,
  all: readonly StreamContribution[],
  { listener, pair }: StreamListeners,
): readonly DeclaredServerName[] {
  const [best] = all.toSorted((a, b) => bySpecificity(a.own, b.own) || byAge(a.built.route, b.built.route))
  if (best === undefined) return []
  const { policy, backend = refusedBackend } = best.built
  const host = declaredName(served)
  if (listener.spec.tls?.mode === "Passthrough") return [{ host, backend }]
  const backendTls = policy && reencryption(policy, pair)
  return [{ host, backend, tls: { pairs: listener.pairs }, ...(backendTls && { backendTls }) }]
}

/** A policy that cannot be used has no authority: no endpoint's certificate holds. */
function reencryption({ policy, authority }: ReadPolicy, pair: SecretPair | undefined): StreamReencryption {
  const names = policy.names.map(({ value }) => value)
  return {
    serverName: policy.hostname,
    ...(names.length > 0 && { alternativeNames: names }),
    verified: { authority, depth: verifyDepth },
    ...(pair && { pair }),
  }
}
