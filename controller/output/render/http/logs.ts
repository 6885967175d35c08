import type { Http } from "../../../model/http.ts"
import type { Site } from "../site.ts"
import { membership, type VariableMap, variableMap } from "./maps.ts"

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

/** `$loggable`, the condition of the access log: "0" is no. A route may say so, or the URI. */
export function loggableMaps({ logs }: Http): readonly VariableMap[] {
  const byUri = membership("$request_uri", "$is_uri_logged", logs.skippedUris, { inside: "0", outside: "1" })
  const hasUris = byUri.rows.length > 0
  const byRoute = variableMap("$route_access_log", "$loggable", hasUris ? byUri.name : "1", { "0": "0" })
  return hasUris ? [byUri, byRoute] : [byRoute]
}
