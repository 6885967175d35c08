import type { Http } from "../../model/http.ts"
import type { Fixed } from "../../model/model.ts"
import { isHandedOn, streamName } from "../../model/stream-listener.ts"
import { type ListenFields, streamListens } from "./http/listen.ts"
import { tlsFields } from "./http/tls.ts"
import type { Site } from "./site.ts"

/** What the templates print about connections that go to backends as they are. */
export interface StreamFields {
  /** `listen` of the server for TLS connections that HTTP has accepted and hands on; null: it hands none on */
  readonly passthrough: string | null
  /** parameters of `ingress_passthrough`: ports of HTTP whose connections may be a stream's */
  readonly handed: readonly string[]
  readonly servers: readonly StreamServer[]
  /** with what TLS of clients ends, and that towards endpoints begins; null: there are no ports */
  readonly tls: (Omit<ReturnType<typeof tlsFields>, "sessionCache"> & StreamTlsFields) | null
  /** of a session, whatever its record says; passed-through TLS has three */
  readonly maxTries: number
  readonly headerTimeoutMs: number
  readonly timeoutMs: number
  readonly log: {
    readonly format: string
    readonly isOff: boolean
    readonly access: string
    /** more parameters of access_log */
    readonly parameters: readonly string[]
  }
  /** balancers that are believed about the client's address, as PROXY protocol tells it */
  readonly trusted: readonly string[]
}

interface StreamTlsFields {
  readonly listen: string
  readonly sessionCache: string
}

/** A port of TCP or UDP. */
interface StreamServer {
  readonly listens: readonly ListenFields[]
  /** words of ingress_stream_route */
  readonly route: readonly string[]
}

/** Whether anything needs the stream module. */
export function hasStream({ http: { passesTls, snippets }, streams = [] }: Fixed): boolean {
  return passesTls || streams.length > 0 || snippets.stream.length > 0
}

/** Null: no connections go to backends as they are. */
export function streamFields(fixed: Fixed, site: Site): StreamFields | null {
  const { http, streams: all = [] } = fixed
  const { passesTls, streams, listening, forwarding } = http
  const { paths } = site
  if (!passesTls && all.length === 0) return null
  const handed = all.filter((port) => isHandedOn(port, fixed))
  const ports = all.filter((port) => !isHandedOn(port, fixed))
  return {
    passthrough: passesTls || handed.length > 0 ? `unix:${paths.sockets.passthrough}` : null,
    handed: handed.map(streamName),
    maxTries: all.length > 0 ? 16 : 3,
    servers: ports.map((port) => ({
      listens: streamListens(port, http, site),
      route: [streamName(port), ...(port.isByAddress ? ["by_address"] : [])],
    })),
    tls: all.length > 0 ? streamTls(http, site) : null,
    headerTimeoutMs: streams.proxyProtocolHeaderTimeoutMs,
    timeoutMs: streams.proxyStreamTimeoutMs,
    log: logOf(http, paths.accessLog),
    trusted: listening.expectsProxyProtocol || forwarding.usesRealIp ? forwarding.trustedProxies : [],
  }
}

/** As for requests; sessions are kept in memory of their own. */
function streamTls(http: Http, { paths }: Site): StreamFields["tls"] {
  const { sessionCache, ...common } = tlsFields(http, paths.secrets)
  return {
    ...common,
    listen: `unix:${paths.sockets.streamTls}`,
    sessionCache: sessionCache.replace("shared:SSL:", "shared:SSL_streams:"),
  }
}

function logOf({ logs, streams }: Http, initial: string): StreamFields["log"] {
  const access = streams.streamAccessLogPath || logs.accessLogPath || initial
  return {
    format: streams.logFormatStream,
    isOff: logs.disablesAccessLog || streams.disablesStreamAccessLog,
    access,
    // What leaves by syslog leaves at once.
    parameters: access.startsWith("syslog:") ? [] : logs.accessLogParams.split(" ").filter(Boolean),
  }
}
