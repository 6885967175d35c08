import type { Http } from "../../model/http.ts"
import type { Fixed } from "../../model/model.ts"
import { streamName } from "../../model/stream-listener.ts"
import { type ListenFields, streamListens } from "./http/listen.ts"
import type { Site } from "./site.ts"

/** What the templates print about connections that go to backends as they are. */
export interface StreamFields {
  /** `listen` of the server for TLS that is passed through; null: none is */
  readonly passthrough: string | null
  readonly servers: readonly StreamServer[]
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

/** A port of TCP or UDP. */
interface StreamServer {
  readonly listens: readonly ListenFields[]
  /** of its record */
  readonly name: string
  readonly isByAddress: boolean
}

/** Whether anything needs the stream module. */
export function hasStream({ http: { passesTls, snippets }, streams = [] }: Fixed): boolean {
  return passesTls || streams.length > 0 || snippets.stream.length > 0
}

/** Null: no connections go to backends as they are. */
export function streamFields({ http, streams: ports = [] }: Fixed, site: Site): StreamFields | null {
  const { passesTls, streams, listening, forwarding } = http
  const { paths } = site
  if (!passesTls && ports.length === 0) return null
  return {
    passthrough: passesTls ? `unix:${paths.sockets.passthrough}` : null,
    maxTries: ports.length > 0 ? 16 : 3,
    servers: ports.map((port) => ({
      listens: streamListens(port, http, site),
      name: streamName(port),
      isByAddress: port.isByAddress ?? false,
    })),
    headerTimeoutMs: streams.proxyProtocolHeaderTimeoutMs,
    timeoutMs: streams.proxyStreamTimeoutMs,
    log: logOf(http, paths.accessLog),
    trusted: listening.expectsProxyProtocol || forwarding.usesRealIp ? forwarding.trustedProxies : [],
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
