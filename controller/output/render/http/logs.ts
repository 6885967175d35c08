import type { Http } from "../../../model/http.ts"
import type { Site } from "../site.ts"
import { membership, type VariableMap } from "./maps.ts"

/** What the templates print about logs. */
export interface LogFields {
  /** parameters of log_format */
  readonly escape: readonly string[]
  readonly format: string
  readonly isOff: boolean
  readonly access: string
  /** more parameters of access_log */
  readonly parameters: readonly string[]
  readonly error: string
  readonly level: string
}

export function logFields({ logs }: Http, { paths }: Site): LogFields {
  const syslog =
    logs.usesSyslog && logs.syslogHost !== "" ? `syslog:server=${logs.syslogHost}:${logs.syslogPort}` : ""
  const access = logs.httpAccessLogPath || logs.accessLogPath || paths.accessLog
  return {
    escape: logs.escapesNothing ? ["escape=none"] : logs.escapesJson ? ["escape=json"] : [],
    format: logs.logFormatUpstream,
    isOff: logs.disablesAccessLog || logs.disablesHttpAccessLog,
    access: syslog || access,
    // What leaves by syslog leaves at once.
    parameters:
      syslog !== "" || access.startsWith("syslog:") ? [] : logs.accessLogParams.split(" ").filter(Boolean),
    error: syslog || logs.errorLogPath || "stderr",
    level: logs.errorLogLevel,
  }
}

const uriLogged = "$is_uri_logged"

/** Of URIs that are not logged; `undefined`: there are none. */
export function uriMap({ logs }: Http): VariableMap | undefined {
  const map = membership("$request_uri", uriLogged, logs.skippedUris, { inside: "0", outside: "1" })
  return map.rows.length > 0 ? map : undefined
}

/** The condition of the access log, `$route_access_log`, where the route says nothing: "0" is no. */
export function accessLogDefault(http: Http): string {
  return uriMap(http) === undefined ? "1" : uriLogged
}
