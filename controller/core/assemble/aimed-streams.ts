import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Stream } from "../../model/stream.ts"
import { type StreamListener, streamName } from "../../model/stream-listener.ts"
import { compareText } from "../../support/order.ts"
import type { Declarations } from "../declared/declarations.ts"
import { type DeclaredStream, type StreamSettings, streamProblem } from "../declared/stream.ts"
import type { Settings } from "../options/settings.ts"
import type { ResolvedBackend } from "./backends/resolved-backends.ts"

/** What serves ports of TCP and UDP, and that nginx listens on them. */
export interface Streams {
  /** by name, as the next */
  readonly all: readonly Stream[]
  readonly listeners: readonly StreamListener[]
  readonly problems: readonly Problem[]
}

const none: Streams = { all: [], listeners: [], problems: [] }

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
  const wanted = new Set(streams.map(({ backend }) => backend.key))
  const byKey = new Map<string, ResolvedBackend>()
  for (const [at, { ref }] of backends.entries()) {
    const found = wanted.has(ref.key) ? resolved[at] : undefined
    if (found !== undefined) byKey.set(ref.key, found)
  }
  const all = streams.flatMap((declared) => {
    const backend = byKey.get(declared.backend.key)
    return backend === undefined ? [] : [{ declared, backend, stream: streamOf(declared, backend, settings) }]
  })
  const inOrder = all.sort((a, b) => compareText(a.stream.name, b.stream.name))
  return {
    all: inOrder.map(({ stream }) => stream),
    listeners: inOrder.map(({ declared: { protocol, port } }) => ({ protocol, port })),
    problems: inOrder.flatMap(({ declared, backend }) => withoutEndpoint(declared, backend)),
  }
}

function streamOf(declared: DeclaredStream, { backend }: ResolvedBackend, settings: Settings): Stream {
  const { protocol, source, acceptsProxyProtocol, sendsProxyProtocol, settings: own } = declared
  const [namespace = ""] = declared.backend.serviceKey.split("/")
  return {
    name: streamName(declared),
    backend: backend.name,
    namespace,
    serviceName: declared.backend.service,
    servicePort: declared.backend.port,
    source: `${source.namespace}/${source.name}`,
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

function withoutEndpoint(declared: DeclaredStream, { backend, target }: ResolvedBackend): readonly Problem[] {
  if (backend.endpoints.length > 0) return []
  const reason = target.fault ?? `Service ${shown(declared.backend.serviceKey)} has no ready endpoint`
  const instead = declared.protocol === "tcp" ? "connections are closed at once" : "datagrams are dropped"
  return [streamProblem(declared, "stream-without-endpoint", `${reason}; ${instead}`)]
}
