import assert from "node:assert"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Stream } from "../../model/stream.ts"
import { portsOf, type StreamPort, streamName, streamSource } from "../../model/stream-listener.ts"
import { distinctBy } from "../../support/distinct.ts"
import { compareText } from "../../support/order.ts"
import type { BackendRef } from "../declared/backend-ref.ts"
import type { Declarations } from "../declared/declarations.ts"
import {
  backendsOfStream,
  type DeclaredStream,
  type StreamSettings,
  streamProblem,
} from "../declared/stream.ts"
import type { Settings } from "../options/settings.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"

/** What serves ports of TCP and UDP, and that nginx listens on them. */
export interface Streams {
  /** by name, as the next */
  readonly all: readonly Stream[]
  readonly ports: readonly StreamPort[]
  readonly problems: readonly Problem[]
}

const none: Streams = { all: [], ports: [], problems: [] }

/**
 * Which backends connections and datagrams go to. A port stays while its Service has no endpoint, so that endpoints come and go without reloads.
 *
 * @param resolved what `declared.backends` are in this snapshot, in the same order
 */
export function streamsOf(
  { streams, backends }: Pick<Declarations, "streams" | "backends">,
  resolved: readonly ResolvedBackend[],
  settings: Settings,
): Streams {
  if (streams.length === 0) return none
  const wanted = new Set(streams.flatMap(backendsOfStream).map(({ key }) => key))
  const byKey = new Map<string, ResolvedBackend>()
  for (const [at, { ref }] of backends.entries()) {
    const found = wanted.has(ref.key) ? resolved[at] : undefined
    if (found !== undefined) byKey.set(ref.key, found)
  }
  const owners = new Map(streams.toReversed().map((stream) => [streamName(stream), stream]))
  const served = [...owners.values()]
  const all = served.map((declared) => ({ declared, stream: streamOf(declared, settings) }))
  const inOrder = all.sort((a, b) => compareText(a.stream.name, b.stream.name))
  return {
    all: inOrder.map(({ stream }) => stream),
    ports: portsOf(inOrder.map(({ declared }) => declared)),
    problems: [
      ...streams.flatMap((declared) => takenBy(declared, owners)),
      ...inOrder.flatMap(({ declared }) => withoutEndpoint(declared, byKey)),
    ],
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

function namesOf({ backend, names }: DeclaredStream): Pick<Stream, "names"> {
  if (names.length === 0) return {}
  const others = backend ? [{ host: "_", ...servedBy(backend) }] : []
  return { names: [...names.map((name) => ({ host: name.host, ...servedBy(name.backend) })), ...others] }
}

function withoutEndpoint(
  declared: DeclaredStream,
  byKey: ReadonlyMap<string, ResolvedBackend>,
): readonly Problem[] {
  const instead = declared.protocol === "tcp" ? "connections are closed at once" : "datagrams are dropped"
  return distinctBy(backendsOfStream(declared), ({ key }) => key).flatMap((ref) => {
    const found = byKey.get(ref.key)
    if (found !== undefined && found.backend.endpoints.length > 0) return []
    const reason = found?.target.fault ?? `Service ${shown(ref.serviceKey)} has no ready endpoint`
    return [streamProblem(declared, "stream-without-endpoint", `${reason}; ${instead}`)]
  })
}
