import { block, many, optional, type Row, repeatable, typed } from "../rows.ts"
import { milliseconds, name, number, oneOf, size, template, text } from "../values.ts"

// Groups of servers.

export const upstream: readonly Row[] = [
  typed("keepalive", "upstream", [number(1)]),
  typed("keepalive_time", "upstream", [milliseconds]),
  typed("keepalive_timeout", "upstream", [milliseconds]),
  typed("keepalive_requests", "upstream", [number()]),
  typed("least_conn", "upstream", []),
  typed("hash", "upstream", [template, optional(oneOf("consistent"))]),
  typed("zone", "upstream", [name, optional(size)]),
  typed("random", "upstream", [optional(text), optional(text)]),
  typed("ip_hash", "upstream", []),
  typed("upstream", "http", [name], block),
  typed("server", "upstream", [many(text)], repeatable),
]
