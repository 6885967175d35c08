import assert from "node:assert"
import type { Authority, Certificate } from "../../model/certificate.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Stream, StreamBackendTls, StreamTls } from "../../model/stream.ts"
import { portsOf, type StreamPort, streamName, streamSource } from "../../model/stream-listener.ts"
import { distinctBy } from "../../support/distinct.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { BackendRef } from "../declared/backend-ref.ts"
import {
  backendsOfStream,
  type DeclaredStream,
  type StreamReencryption,
  type StreamSettings,
  type StreamTermination,
  streamProblem,
  tlsOfStream,
} from "../declared/stream.ts"
import type { Settings } from "../options/settings.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"

/** What serves ports of TCP and UDP, and that nginx listens on them. */
export interface Streams {
  /** by name, as the next */
  readonly all: readonly Stream[]
  readonly ports: readonly StreamPort[]
  /** what their handshakes have; each once */
  readonly certificates: readonly Certificate[]
  readonly authorities: readonly Authority[]
  readonly problems: readonly Problem[]
  /** what `all` was made of, in the same order */
  readonly declared: readonly DeclaredStream[]
}

const none: Streams = { all: [], ports: [], certificates: [], authorities: [], problems: [], declared: [] }

/**
 * Which backends connections and datagrams go to. A port stays while its Service has no endpoint, so that endpoints come and go without reloads, and
 * without a look at anything here.
 */
export function streamsOf(streams: readonly DeclaredStream[], settings: Settings): Streams {
  if (streams.length === 0) return none
  const owners = new Map(streams.toReversed().map((stream) => [streamName(stream), stream]))
  const served = [...owners.values()]
  const all = served.map((declared) => ({ declared, stream: streamOf(declared, settings) }))
  const inOrder = all.sort((a, b) => compareText(a.stream.name, b.stream.name))
  const declared = inOrder.map((one) => one.declared)
  return {
    all: inOrder.map(({ stream }) => stream),
    ...namedByTls(served),
    ports: portsOf(declared),
    problems: streams.flatMap((stream) => takenBy(stream, owners)),
    declared,
  }
}

/** Of two objects that want the same the first one has it. */
function takenBy(declared: DeclaredStream, owners: ReadonlyMap<string, DeclaredStream>): readonly Problem[] {
  const owner = owners.get(streamName(declared))
  if (owner === undefined || owner === declared) return []
  const { kind } = owner.source
  const reason = `${kind} ${shown(qualifiedName(owner.source))} has it already, use another port, or remove it there`
  return [streamProblem(declared, "stream-refused", reason)]
}

function streamOf(declared: DeclaredStream, settings: Settings): Stream {
  const { protocol, source, acceptsProxyProtocol, sendsProxyProtocol, settings: own } = declared
  const [first] = backendsOfStream(declared)
  assert(first !== undefined, "A stream has a backend")
  return {
    name: streamName(declared),
    ...servedBy(first),
    ...tlsOf(declared),
    ...namesOf(declared),
    source: streamSource(source),
    ...(acceptsProxyProtocol && {
      acceptsProxyProtocol,
      proxyProtocolTimeoutMs: settings.proxyProtocolHeaderTimeoutMs,
    }),
    ...(sendsProxyProtocol && { sendsProxyProtocol }),
    proxyTimeoutMs: own.timeoutMs ?? settings.proxyStreamTimeoutMs,
    ...(own.connectTimeoutMs !== undefined && { proxyConnectTimeoutMs: own.connectTimeoutMs }),
    triesNextUpstream: settings.triesNextStreamUpstream,
    nextUpstreamTimeoutMs: settings.proxyStreamNextUpstreamTimeoutMs,
    nextUpstreamTries: settings.proxyStreamNextUpstreamTries,
    ...(protocol === "udp" && { responses: own.responses ?? settings.proxyStreamResponses }),
    ...limitsOf(own),
  }
}

function limitsOf({ timeoutMs, connectTimeoutMs, responses, allow, deny, ...limits }: StreamSettings) {
  return { ...limits, ...(allow && { allow: allow.id }), ...(deny && { deny: deny.id }) }
}

/** The name of its backend is its short name: `streamBackendRef`. */
function servedBy({ shortName: backend, serviceKey, service, port }: BackendRef) {
  const [namespace = ""] = serviceKey.split("/")
  return { backend, namespace, serviceName: service, servicePort: port }
}

function namesOf({ backend, names, tls, backendTls }: DeclaredStream): Pick<Stream, "names"> {
  if (names.length === 0) return {}
  const named = names.map((name) => ({ host: name.host, ...servedBy(name.backend), ...tlsOf(name) }))
  const others = backend ? [{ host: "_", ...servedBy(backend), ...tlsOf({ tls, backendTls }) }] : []
  return { names: [...named, ...others] }
}

type DeclaredStreamTls = Pick<DeclaredStream, "tls" | "backendTls">

/** No authority has it: what asks for it lets nobody in. */
const missing = "missing"

function tlsOf({
  tls,
  backendTls,
}: { readonly [Key in keyof DeclaredStreamTls]: DeclaredStreamTls[Key] | undefined }) {
  return { ...(tls && { tls: endedTls(tls) }), ...(backendTls && { backendTls: endpointTls(backendTls) }) }
}

function endedTls({ pairs, client, alpn }: StreamTermination): StreamTls {
  return {
    certificates: pairs.map(({ certificate }) => certificate.id),
    ...(client && {
      ...{ authority: client.authority?.id ?? missing, verify: client.verify, depth: client.depth },
    }),
    ...(alpn && { alpn }),
  }
}

function endpointTls({ serverName, alternativeNames, verified, pair }: StreamReencryption): StreamBackendTls {
  return {
    ...(serverName !== undefined && { serverName }),
    ...(verified && { authority: verified.authority?.id ?? missing, depth: verified.depth }),
    ...(alternativeNames && { alternativeNames }),
    ...(pair && { certificate: pair.certificate.id }),
  }
}

function namedByTls(streams: readonly DeclaredStream[]): Pick<Streams, "certificates" | "authorities"> {
  const all = streams.flatMap(tlsOfStream)
  const pairs = all.flatMap(({ tls, backendTls }) => [
    ...(tls?.pairs ?? []),
    ...(backendTls?.pair ? [backendTls.pair] : []),
  ])
  const authorities = all.flatMap(({ tls, backendTls }) => [
    tls?.client?.authority,
    backendTls?.verified?.authority,
  ])
  return {
    certificates: distinctBy(
      pairs.map(({ certificate }) => certificate),
      ({ id }) => id,
    ),
    authorities: distinctBy(
      authorities.filter((it) => it !== undefined),
      ({ id }) => id,
    ),
  }
}

/** What clients of streams are shown in handshakes that end at nginx; each once. */
export function certificatesShownBy(streams: readonly DeclaredStream[]): readonly Certificate[] {
  const pairs = streams.flatMap(tlsOfStream).flatMap(({ tls }) => tls?.pairs ?? [])
  return distinctBy(
    pairs.map(({ certificate }) => certificate),
    ({ id }) => id,
  )
}

/** A stream, and what serves it. */
export interface Aim {
  readonly declared: DeclaredStream
  readonly backends: readonly {
    readonly ref: BackendRef
    /** its place among the backends that are declared; -1: none */
    readonly at: number
  }[]
}

export function aimsOf({ declared }: Streams, backends: readonly DeclaredBackend[]): readonly Aim[] {
  if (declared.length === 0) return []
  const places = new Map(backends.map(({ ref }, at) => [ref.key, at]))
  return declared.map((stream) => {
    // What names no Service is refused, and who declares it says why.
    const named = backendsOfStream(stream).filter(({ serviceKey }) => serviceKey !== "")
    const refs = distinctBy(named, ({ key }) => key)
    return { declared: stream, backends: refs.map((ref) => ({ ref, at: places.get(ref.key) ?? -1 })) }
  })
}

/** @param resolved what the declared backends are in this snapshot, in the same order */
export function withoutEndpoint(
  aims: readonly Aim[],
  resolved: readonly ResolvedBackend[],
): readonly Problem[] {
  const problems: Problem[] = []
  for (const { declared, backends } of aims)
    for (const { ref, at } of backends) {
      const found = resolved[at]
      if (found !== undefined && found.backend.endpoints.length > 0) continue
      problems.push(lacksEndpoint(declared, ref, found))
    }
  return problems
}

function lacksEndpoint(
  declared: DeclaredStream,
  { serviceKey }: BackendRef,
  found: ResolvedBackend | undefined,
): Problem {
  const instead = declared.protocol === "tcp" ? "connections are closed at once" : "datagrams are dropped"
  const reason = found?.target.fault ?? `Service ${shown(serviceKey)} has no ready endpoint`
  return streamProblem(declared, "stream-without-endpoint", `${reason}; ${instead}`)
}
