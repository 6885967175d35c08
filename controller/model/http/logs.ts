import type { MapKey } from "./requests.ts"

/** What is logged, where and how. A path is absolute, or an address behind `syslog:`; "" is our own stdout or stderr. */
export interface Logs {
  readonly accessLogPath: string
  /** takes the place of `accessLogPath` unless empty */
  readonly httpAccessLogPath: string
  /** words of the directive about buffering */
  readonly accessLogParams: string
  /** of requests that do not fail: 0 to 1 */
  readonly accessLogSample: number
  readonly disablesAccessLog: boolean
  readonly disablesHttpAccessLog: boolean
  /** questions to authentication services too */
  readonly logsAuthRequests: boolean
  /** of the format `upstreaminfo`, with nginx's variables; line breaks and tabs may occur */
  readonly logFormatUpstream: string
  /** wins over the next */
  readonly escapesNothing: boolean
  readonly escapesJson: boolean
  /** request URIs with their arguments that are not logged */
  readonly skippedUris: readonly MapKey[]
  readonly usesSyslog: boolean
  /** a name or an address */
  readonly syslogHost: string
  readonly syslogPort: number
  readonly errorLogPath: string
  readonly errorLogLevel: ErrorLogLevel
}

type ErrorLogLevel = "debug" | "info" | "notice" | "warn" | "error" | "crit" | "alert" | "emerg"

/** Words of OpenTelemetry's `OTEL_PROPAGATORS`. */
export type Propagator = "tracecontext" | "b3" | "b3multi"

/** Which traces are recorded, and how many finished spans wait for the exporter. */
export interface Tracing {
  readonly sampler: "AlwaysOn" | "AlwaysOff" | "TraceIdRatioBased"
  /** of `TraceIdRatioBased`: 0 to 1 */
  readonly samplerRatio: number
  /** what a client says of its own trace counts */
  readonly isParentBased: boolean
  /** in which headers traces come and go; one at least */
  readonly propagators: readonly Propagator[]
  /** spans */
  readonly maxQueueSize: number
}
