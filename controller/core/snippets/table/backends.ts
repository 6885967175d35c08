import { asText, never } from "../reasons.ts"
import { type data, idle, many, optional, type Row, repeatable, type typed } from "../rows.ts"
import {
  flag,
  headerName,
  milliseconds,
  name,
  number,
  offset,
  oneOf,
  size,
  template,
  text,
  tlsVersion,
  validity,
} from "../values.ts"

// What nginx's modules for backends have in common, each under its own prefix: `proxy_read_timeout`, `grpc_read_timeout`. A file of a protocol has what
// only that has.

export const everywhere = "http server location"

/** What becomes of directives about a protocol. */
export interface Kinds {
  readonly data: typeof data
  readonly typed: typeof typed
}

/** Of a protocol that no backend here speaks, so that what is said about it makes no difference. */
export const withoutBackends: Kinds = { data: idle, typed: idle }

/** When another endpoint is asked. Source: nginx, ngx_http_proxy_next_upstream_masks and its like. */
export const failures = [
  ...["error", "timeout", "invalid_header", "non_idempotent", "http_500", "http_503"],
  ...["http_403", "http_404", "http_429", "updating", "off"],
] as const

/** How a backend is asked. @param when words for another try */
export function askingRows(it: string, { data, typed }: Kinds, when: readonly string[]): readonly Row[] {
  return [
    never.bind(`${it}_bind`, everywhere, [template, optional(text)]),
    typed(`${it}_socket_keepalive`, everywhere, [flag]),
    data(`${it}_connect_timeout`, everywhere, [milliseconds]),
    data(`${it}_send_timeout`, everywhere, [milliseconds]),
    data(`${it}_read_timeout`, everywhere, [milliseconds]),
    data(`${it}_buffer_size`, everywhere, [size]),
    data(`${it}_next_upstream`, everywhere, [many(oneOf(...when))], repeatable),
    data(`${it}_next_upstream_tries`, everywhere, [number()]),
    data(`${it}_next_upstream_timeout`, everywhere, [milliseconds]),
  ]
}

const ofNginx = [
  ...["X-Accel-Redirect", "X-Accel-Expires", "X-Accel-Limit-Rate", "X-Accel-Buffering"],
  ...["X-Accel-Charset", "Expires", "Cache-Control", "Set-Cookie", "Vary"],
]

/** What of an answer the client gets. */
export function answerRows(it: string, { data, typed }: Kinds): readonly Row[] {
  return [
    data(`${it}_intercept_errors`, everywhere, [flag]),
    data(`${it}_pass_header`, everywhere, [headerName], repeatable),
    data(`${it}_hide_header`, everywhere, [headerName], repeatable),
    typed(`${it}_ignore_headers`, everywhere, [many(oneOf(...ofNginx))], repeatable),
  ]
}

/** How requests and answers are kept on their way. */
export function bufferRows(it: string, { data, typed }: Kinds): readonly Row[] {
  return [
    never.disk(`${it}_store`, everywhere, [text]),
    never.disk(`${it}_store_access`, everywhere, [many(text, 1, 3)]),
    data(`${it}_buffering`, everywhere, [flag]),
    data(`${it}_request_buffering`, everywhere, [flag]),
    typed(`${it}_ignore_client_abort`, everywhere, [flag]),
    typed(`${it}_pass_request_headers`, everywhere, [flag]),
    typed(`${it}_pass_request_body`, everywhere, [flag]),
    data(`${it}_buffers`, everywhere, [number(1), size]),
    data(`${it}_busy_buffers_size`, everywhere, [size]),
    typed(`${it}_force_ranges`, everywhere, [flag]),
    typed(`${it}_limit_rate`, everywhere, [size]),
    never.disk(`${it}_temp_path`, everywhere, [text, many(text, 0, 3)]),
    data(`${it}_max_temp_file_size`, everywhere, [size]),
    idle(`${it}_temp_file_write_size`, everywhere, [size]),
  ]
}

/** Which answers are kept for others. @param when words for a stale one */
export function cacheRows(it: string, { data, typed }: Kinds, when: readonly string[]): readonly Row[] {
  return [
    data(`${it}_cache`, everywhere, [name]),
    typed(`${it}_cache_key`, everywhere, [template]),
    asText.disk(`${it}_cache_path`, "http", [text, many(text)], repeatable),
    typed(`${it}_cache_bypass`, everywhere, [many(template)], repeatable),
    typed(`${it}_no_cache`, everywhere, [many(template)], repeatable),
    typed(`${it}_cache_valid`, everywhere, [many(validity)], repeatable),
    typed(`${it}_cache_min_uses`, everywhere, [number()]),
    typed(`${it}_cache_max_range_offset`, everywhere, [offset]),
    typed(`${it}_cache_use_stale`, everywhere, [many(oneOf(...when))], repeatable),
    typed(`${it}_cache_methods`, everywhere, [many(oneOf("GET", "HEAD", "POST"))], repeatable),
    typed(`${it}_cache_lock`, everywhere, [flag]),
    typed(`${it}_cache_lock_timeout`, everywhere, [milliseconds]),
    typed(`${it}_cache_lock_age`, everywhere, [milliseconds]),
    typed(`${it}_cache_revalidate`, everywhere, [flag]),
    typed(`${it}_cache_background_update`, everywhere, [flag]),
  ]
}

/** Handshakes with backends. */
export function tlsRows(it: string, { typed }: Kinds): readonly Row[] {
  return [
    typed(`${it}_ssl_session_reuse`, everywhere, [flag]),
    typed(`${it}_ssl_protocols`, everywhere, [many(tlsVersion)], repeatable),
    typed(`${it}_ssl_ciphers`, everywhere, [text]),
    typed(`${it}_ssl_name`, everywhere, [template]),
    typed(`${it}_ssl_server_name`, everywhere, [flag]),
    typed(`${it}_ssl_verify_depth`, everywhere, [number()]),
    never.upstreamKeys(`${it}_ssl_trusted_certificate`, everywhere, [text]),
    never.upstreamKeys(`${it}_ssl_crl`, everywhere, [text]),
    never.upstreamKeys(`${it}_ssl_certificate`, everywhere, [template]),
    never.upstreamKeys(`${it}_ssl_certificate_key`, everywhere, [template]),
    never.upstreamKeys(`${it}_ssl_password_file`, everywhere, [text]),
    asText.commands(`${it}_ssl_conf_command`, everywhere, [text, text], repeatable),
  ]
}
