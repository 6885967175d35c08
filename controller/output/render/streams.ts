import type { Http } from "../../model/http.ts"
import type { Site } from "./site.ts"

/** What the templates print about connections that go to backends as they are. */
export interface StreamFields {
  /** `listen` of the server for TLS that is passed through */
  readonly passthrough: string
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

/** Whether anything needs the stream module. */
export function hasStream({ passesTls, snippets }: Http): boolean {
  return passesTls || snippets.stream.length > 0
}

/** Null: no connections go to backends as they are. */
export function streamFields(http: Http, { paths }: Site): StreamFields | null {
  const { passesTls, streams, listening, forwarding } = http
  if (!passesTls) return null
  return {
    passthrough: `unix:${paths.sockets.passthrough}`,
    headerTimeoutMs: streams.proxyProtocolHeaderTimeoutMs,
    timeoutMs: streams.proxyStreamTimeoutMs,
    log: logOf(http, paths.accessLog),
    trusted: listening.expectsProxyProtocol ? forwarding.trustedProxies : [],
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
