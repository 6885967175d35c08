import type { Fields } from "./field.ts"

// Numbers and switches of a route that are in force instead of its policy's: fields of the route. A further one is a row here and a line
// in nginx/ingress/src/routes/overrides/patch.rs, where it takes effect. Those that begin with `proxy_` are about how a response is fetched.

const since = "0.1.0"

/** nginx's directive, with its unit. */
export const overrides: Fields = [
  {
    name: "proxy_connect_timeout_ms",
    type: "milliseconds",
    id: 32,
    since,
    meaning: "",
    example: 1,
  },
  { name: "proxy_send_timeout_ms", type: "milliseconds", id: 33, since, meaning: "", example: 60_000 },
  {
    name: "proxy_read_timeout_ms",
    type: "milliseconds",
    id: 34,
    since,
    meaning: "",
    example: 2_147_483_647,
  },
  {
    name: "client_max_body_size_bytes",
    type: "bytes_or_none",
    id: 35,
    since,
    meaning: "0: no limit",
    example: 2 ** 53,
  },
  {
    name: "proxy_next_upstream",
    type: "next_upstream",
    id: 36,
    since,
    meaning: "",
    example: "error http_502 off",
  },
  {
    name: "proxy_next_upstream_tries",
    type: "tries_or_none",
    id: 37,
    since,
    meaning: "0: no limit but the upstream's `max_tries`",
    example: 0,
  },
  {
    name: "proxy_next_upstream_timeout_ms",
    type: "milliseconds_or_none",
    id: 38,
    since,
    meaning: "0: no limit",
    example: 2,
  },
  {
    name: "proxy_buffer_size_bytes",
    type: "buffer_bytes",
    id: 39,
    since,
    meaning: "of all buffers",
    example: 3,
  },
  { name: "proxy_buffers_number", type: "buffers", id: 40, since, meaning: "", example: 4 },
  {
    name: "proxy_busy_buffers_size_bytes",
    type: "buffer_bytes",
    id: 41,
    since,
    meaning: "",
    example: 5,
  },
  { name: "proxy_buffering", type: "flag", id: 42, since, meaning: "", example: true },
  { name: "proxy_request_buffering", type: "flag", id: 43, since, meaning: "", example: false },
  {
    name: "proxy_max_temp_file_size_bytes",
    type: "bytes_or_none",
    id: 44,
    since,
    meaning: "0: no file",
    example: 6,
  },
  { name: "client_body_buffer_size_bytes", type: "buffer_bytes", id: 45, since, meaning: "", example: 7 },
  { name: "absolute_redirect", type: "flag", id: 46, since, meaning: "", example: false },
  { name: "port_in_redirect", type: "flag", id: 47, since, meaning: "", example: true },
  {
    name: "limit_rate_bytes",
    type: "bytes_or_none",
    id: 48,
    since,
    meaning: "of a response, per second; 0: no limit",
    example: 8,
  },
  {
    name: "limit_rate_after_bytes",
    type: "bytes_or_none",
    id: 49,
    since,
    meaning: "of a response, before `limit_rate` applies",
    example: 9,
  },
]
