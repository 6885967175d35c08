import { data, optional, type Row, repeatable, typed } from "../rows.ts"
import { codeFrom, flag, name, number, oneOf, parameter, template, text } from "../values.ts"

// How much a client may request.

const everywhere = "http server location"

export const limits: readonly Row[] = [
  typed("limit_req_zone", "http", [template, parameter, parameter], repeatable),
  data("limit_req", everywhere, [parameter, optional(text), optional(text)], repeatable),
  data("limit_req_log_level", everywhere, [oneOf("info", "notice", "warn", "error")]),
  data("limit_req_status", everywhere, [codeFrom(400, 599)]),
  data("limit_req_dry_run", everywhere, [flag]),
  typed("limit_conn_zone", "http", [template, parameter], repeatable),
  data("limit_conn", everywhere, [name, number(1, 65_535)], repeatable),
  data("limit_conn_log_level", everywhere, [oneOf("info", "notice", "warn", "error")]),
  data("limit_conn_status", everywhere, [codeFrom(400, 599)]),
  data("limit_conn_dry_run", everywhere, [flag]),
]
