import { isDeepStrictEqual } from "node:util"
import { type LiveChange, noChange } from "../../core/plan/change.ts"
import { kinds } from "../../core/plan/kinds.ts"
import type { Backend, Endpoint } from "../../model/backend.ts"
import type { Passthrough, TlsHost } from "../../model/certificate.ts"
import type { Live, LiveKind, LiveThings } from "../../model/model.ts"
import type { Host } from "../../model/route.ts"
import type { Stream } from "../../model/stream.ts"
import { closedHost, isGuarded, isSameHost, narrowedHost } from "./no-wider.ts"

// What was refused leaves its former record in force. Where that gives more than the new one would, it goes: first it is made narrower, which
// takes no more room than it has; and where not even that is taken, it is closed or removed, for which there is always room.

/** How what is in force comes to give no more than is wanted. */
export interface Closing {
  /** records that take the place of those in force */
  readonly narrower: LiveChange
  /** for those of them that are refused, and for what is in force and not known: what is always taken */
  readonly closed: LiveChange
}

/** What of a kind is concerned; keys as in core/plan/kinds.ts. */
export type Keys = { readonly [Kind in LiveKind]?: ReadonlySet<string> }

/**
 * @param inForce what is in the zones, without records that are not known
 * @param refused what was to be set and was not
 * @param unknown those of them that have a record in the zone of which it is not known what it says
 */
export function closingOf(inForce: Live, wanted: Live, refused: Keys, unknown: Keys): Closing {
  const hosts = hostsOf(inForce, wanted, refused, unknown)
  const backends = ofKind("backends", nameOfBackend, inForce, wanted, refused, unknown, narrowedBackend)
  const passthroughs = ofKind(
    "passthroughs",
    nameOfPassthrough,
    inForce,
    wanted,
    refused,
    unknown,
    narrowedPassthrough,
  )
  const streams = ofKind("streams", nameOfStream, inForce, wanted, refused, unknown, narrowedStream)
  const tlsHosts = tlsHostsOf(inForce, wanted, refused, unknown)
  return {
    narrower: {
      ...noChange,
      hosts: hosts.narrower,
      backends: backends.narrower,
      passthroughs: passthroughs.narrower,
      streams: streams.narrower,
    },
    closed: {
      ...noChange,
      hosts: hosts.closed,
      backends: backends.closed,
      passthroughs: passthroughs.closed,
      streams: streams.closed,
      tlsHosts,
    },
  }
}

function hostsOf(inForce: Live, wanted: Live, refused: Keys, unknown: Keys) {
  const former = byKey(inForce.hosts)
  const own = byKey(wanted.hosts)
  const [narrower, closed]: [Host[], Host[]] = [[], []]
  for (const host of wanted.hosts) {
    const key = keyOf(host)
    if (refused.hosts?.has(key) !== true) continue
    const before = former.get(key)
    const after = resolved(host, own)
    const isNew = before === undefined || isNothing(before)
    const less = isNew ? undefined : narrowedHost(resolved(before, former), after)
    if (unknown.hosts?.has(key) === true || (isNew && keepsOut(after))) closed.push(closedHost(host))
    else if (
      before?.isClosed !== true &&
      less !== undefined &&
      !isSameHost(resolved(before ?? host, former), less)
    ) {
      narrower.push(less)
      closed.push(closedHost(host))
    }
  }
  return { narrower: { set: narrower, remove: [] }, closed: { set: closed, remove: [] } }
}

/** Whether another host, a wildcard's say, would be open in its place. */
function keepsOut({ routes, clientCertificate, script }: Host): boolean {
  return clientCertificate !== undefined || script !== undefined || routes.some(isGuarded)
}

function byKey(hosts: readonly Host[]): ReadonlyMap<string, Host> {
  return new Map(hosts.map((host) => [keyOf(host), host]))
}

/** An alias with the routes and the script that it has. */
function resolved(host: Host, all: ReadonlyMap<string, Host>): Host {
  const { aliasOf, ...own } = host
  if (aliasOf === undefined) return host
  const of = all.get(kinds.hosts.keyOf({ server: host.server, host: aliasOf }))
  const script = of?.script && { script: of.script }
  return { ...own, ...script, routes: of?.routes ?? [], ...(of?.isClosed && { isClosed: true }) }
}

/** What plan/kinds.ts makes of a host of which there is no record. */
function isNothing({ routes, aliasOf, isClosed }: Host): boolean {
  return routes.length === 0 && aliasOf === undefined && isClosed === undefined
}

/** @param narrowed what may stay of the one in force; the same: all of it; undefined: nothing */
function ofKind<Kind extends "backends" | "passthroughs" | "streams">(
  kind: Kind,
  nameOf: (thing: LiveThings[Kind]) => string,
  inForce: Live,
  wanted: Live,
  refused: Keys,
  unknown: Keys,
  narrowed: (former: LiveThings[Kind], wanted: LiveThings[Kind]) => LiveThings[Kind] | undefined,
) {
  const before = new Map(inForce[kind].map((thing) => [nameOf(thing), thing]))
  const set: LiveThings[Kind][] = []
  const remove: string[] = []
  for (const thing of wanted[kind]) {
    const name = nameOf(thing)
    const former = before.get(name)
    if (refused[kind]?.has(name) !== true || former === undefined) continue
    const less = unknown[kind]?.has(name) === true ? undefined : narrowed(former, thing)
    if (less === former) continue
    if (less !== undefined) set.push(less)
    remove.push(name)
  }
  return { narrower: { set, remove: [] }, closed: { set: [], remove } }
}

const nameOfBackend = ({ name }: Backend) => name
const nameOfPassthrough = ({ host }: Passthrough) => host
const nameOfStream = ({ name }: Stream) => name

/** Connections stay with a backend that they may still go to. */
function narrowedPassthrough(former: Passthrough, wanted: Passthrough): Passthrough | undefined {
  return former.backend === wanted.backend ? former : undefined
}

/** A stream stays what it was if it lets in no other clients, and to nothing else. */
function narrowedStream(former: Stream, wanted: Stream): Stream | undefined {
  const guards = (stream: Stream) => {
    const { backend, names, tls, backendTls, acceptsProxyProtocol, allow, deny } = stream
    const { connections, connectionsPerSecond } = stream
    return [
      backend,
      names,
      tls,
      backendTls,
      acceptsProxyProtocol,
      allow,
      deny,
      connections,
      connectionsPerSecond,
    ]
  }
  return isDeepStrictEqual(guards(former), guards(wanted)) ? former : undefined
}

/** Those endpoints and canaries that are in both; who gets to which of them is as is wanted. */
function narrowedBackend(former: Backend, wanted: Backend): Backend | undefined {
  const endpoints = inBoth(former.endpoints, wanted.endpoints, endpointKey)
  const alternatives = (former.alternatives ?? []).filter((name) => wanted.alternatives?.includes(name))
  const isSame =
    endpoints.length === former.endpoints.length &&
    alternatives.length === (former.alternatives ?? []).length &&
    isDeepStrictEqual(former.shaping, wanted.shaping)
  if (isSame) return former
  if (endpoints.length === 0) return undefined
  return { ...wanted, endpoints, ...(wanted.alternatives && { alternatives }) }
}

/**
 * Without a TLS host nobody is asked for a certificate, so that whoever is to show one to the host is refused there. So is whoever was asked for one
 * of another authority; how deep a chain may be is said here alone.
 */
function tlsHostsOf({ tlsHosts }: Live, wanted: Live, refused: Keys, unknown: Keys) {
  const before = new Map(tlsHosts.map((host) => [host.host, host.clientCertificate]))
  const isWider = ({ host, clientCertificate: asked }: TlsHost) => {
    if (asked === undefined || refused.tlsHosts?.has(host) !== true) return false
    const former = before.get(host)
    const isSameAuthority = former?.authority === asked.authority
    return unknown.tlsHosts?.has(host) === true || (isSameAuthority && !isDeepStrictEqual(former, asked))
  }
  return { set: [], remove: wanted.tlsHosts.filter(isWider).map(({ host }) => host) }
}

function inBoth<T>(some: readonly T[], others: readonly T[], keyOf: (thing: T) => string): readonly T[] {
  const keys = new Set(some.map(keyOf))
  return others.filter((thing) => keys.has(keyOf(thing)))
}

function endpointKey({ address, port }: Endpoint): string {
  return `${address} ${port}`
}

function keyOf(host: Host): string {
  return kinds.hosts.keyOf(kinds.hosts.nameOf(host))
}
