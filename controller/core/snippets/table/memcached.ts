import { never } from "../reasons.ts"
import { idle, many, optional, type Row, repeatable } from "../rows.ts"
import { flag, milliseconds, number, oneOf, size, template, text } from "../values.ts"

// Backends of memcached: there are none here, so that what is about them makes no difference.

const everywhere = "http server location"

export const memcached: readonly Row[] = [
  never.protocols("memcached_pass", "location if", [template]),
  never.bind("memcached_bind", everywhere, [template, optional(text)]),
  idle("memcached_socket_keepalive", everywhere, [flag]),
  idle("memcached_connect_timeout", everywhere, [milliseconds]),
  idle("memcached_send_timeout", everywhere, [milliseconds]),
  idle("memcached_buffer_size", everywhere, [size]),
  idle("memcached_read_timeout", everywhere, [milliseconds]),
  idle(
    "memcached_next_upstream",
    everywhere,
    [many(oneOf("error", "timeout", "invalid_response", "not_found", "off"))],
    repeatable,
  ),
  idle("memcached_next_upstream_tries", everywhere, [number()]),
  idle("memcached_next_upstream_timeout", everywhere, [milliseconds]),
  idle("memcached_gzip_flag", everywhere, [number()]),
]
