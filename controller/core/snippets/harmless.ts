import type { Context } from "./rows.ts"
import { rowOf } from "./table.ts"

// Directives of nginx that keep nobody out, beside those that are idle in the table: they add or change something of a request or a response, or say
// how bytes are moved and what is logged. What becomes of a directive does not tell: `deny` is data as `add_header` is. Without them a request is served that was served with them, only not in the same way. Everything that is not here may keep requests out: checks,
// answers in the place of the backend, other paths and hosts, what decides whose address a client has, code, and what nobody knows.

/** Where a text stands in nginx's configuration. `auth`: in the location that asks an authentication service, whose question decides who gets in. */
export type SnippetPlace = "http" | "server" | "location" | "auth"

/** How bytes are moved and what is logged: also of the question to an authentication service nothing else depends on it. */
const transport = [
  ...["access_log", "error_log"],
  ...["output_buffers", "postpone_output", "tcp_nodelay"],
  ...["keepalive_disable", "keepalive_requests", "keepalive_time", "keepalive_timeout", "send_lowat"],
  ...["send_timeout", "reset_timedout_connection", "lingering_close", "lingering_time", "lingering_timeout"],
  ...["resolver", "resolver_timeout", "subrequest_output_buffer_size", "chunked_transfer_encoding"],
  ...["connection_pool_size", "request_pool_size"],
  ...ofProtocols("buffer_size", "connect_timeout", "next_upstream", "next_upstream_timeout"),
  ...ofProtocols("next_upstream_tries", "read_timeout", "send_timeout", "socket_keepalive"),
  ...ofProtocols("buffering", "buffers", "busy_buffers_size", "force_ranges", "ignore_client_abort"),
  ...ofProtocols("limit_rate", "max_temp_file_size", "request_buffering", "send_lowat"),
  ...ofProtocols("temp_file_write_size", "temp_path"),
  ...["proxy_http_version"],
  ...["proxy_ssl_name", "proxy_ssl_server_name", "proxy_ssl_session_reuse"],
  ...["grpc_ssl_name", "grpc_ssl_server_name", "grpc_ssl_session_reuse"],
] as const

/** Headers, bodies, compression, caches, tracing and the sizes of what clients may send, which have defaults of their own. */
const changes = [
  ...["add_header", "add_trailer", "expires", "charset", "charset_types"],
  ...["override_charset", "source_charset", "default_type", "types", "server_tokens", "userid"],
  ...["userid_domain", "userid_expires", "userid_name", "userid_p3p", "userid_path", "userid_service"],
  ...["more_set_headers", "more_clear_headers", "more_set_input_headers", "more_clear_input_headers"],
  ...["auth_request_set", "set", "mirror", "mirror_request_body"],
  ...["proxy_set_header", "grpc_set_header", "fastcgi_param"],
  ...["proxy_cookie_domain", "proxy_cookie_flags", "proxy_cookie_path", "proxy_redirect"],
  ...ofProtocols("hide_header", "ignore_headers", "pass_header", "intercept_errors"),
  ...ofProtocols("cache", "cache_background_update", "cache_bypass", "cache_key", "cache_lock"),
  ...ofProtocols("cache_lock_age", "cache_lock_timeout", "cache_max_range_offset", "cache_methods"),
  ...ofProtocols("cache_min_uses", "cache_path", "cache_revalidate", "cache_use_stale", "cache_valid"),
  ...ofProtocols("no_cache"),
  ...["proxy_cache_convert_head", "sub_filter", "sub_filter_last_modified", "sub_filter_once"],
  ...["sub_filter_types", "gunzip", "gunzip_buffers", "gzip", "gzip_buffers", "gzip_comp_level"],
  ...["gzip_disable", "gzip_http_version", "gzip_min_length", "gzip_proxied", "gzip_types"],
  ...["gzip_vary", "brotli", "brotli_buffers", "brotli_comp_level", "brotli_min_length"],
  ...["brotli_types", "brotli_window", "client_body_buffer_size", "client_body_in_file_only"],
  ...["client_body_in_single_buffer", "client_body_temp_path", "client_body_timeout"],
  ...["client_header_buffer_size", "client_header_timeout", "client_max_body_size"],
  ...["large_client_header_buffers", "http2_body_preread_size", "http2_chunk_size"],
  ...["http2_max_concurrent_streams"],
  ...["absolute_redirect", "port_in_redirect", "server_name_in_redirect"],
  ...["opentelemetry", "opentelemetry_attribute", "opentelemetry_capture_headers", "opentelemetry_config"],
  ...["opentelemetry_operation_name", "opentelemetry_propagate", "opentelemetry_trust_incoming_spans"],
  ...["otel_span_attr", "otel_span_name", "otel_trace", "otel_trace_context", "opentracing"],
  ...["opentracing_operation_name", "opentracing_propagate_context", "opentracing_tag"],
  ...["opentracing_trust_incoming_span"],
] as const

/** What a handshake with a client costs, not with whom there is one. */
const ofServers = [
  ...["ssl_buffer_size", "ssl_early_data", "ssl_prefer_server_ciphers", "ssl_session_cache"],
  ...["ssl_stapling", "ssl_stapling_responder", "ssl_stapling_verify"],
] as const

/** Definitions: by themselves they do nothing, and what uses them is judged where it stands. */
const definitions = [
  ...["geo", "geoip2", "geoip_city", "geoip_country", "geoip_org", "geoip_proxy", "limit_conn_zone"],
  ...["limit_req_zone", "log_format", "lua_package_cpath", "lua_package_path", "lua_shared_dict", "map"],
  ...["map_hash_bucket_size", "map_hash_max_size", "server_names_hash_bucket_size"],
  ...["server_names_hash_max_size", "split_clients"],
  ...["upstream", "variables_hash_bucket_size", "variables_hash_max_size"],
] as const

const harmless: Readonly<Record<SnippetPlace, ReadonlySet<string>>> = {
  http: new Set<string>([...transport, ...changes, ...ofServers, ...definitions]),
  server: new Set<string>([...transport, ...changes, ...ofServers]),
  location: new Set<string>([...transport, ...changes]),
  auth: new Set<string>(transport),
}

/** Directives with a block that has no directives inside, or none that concern requests. */
const withBlock: ReadonlySet<string> = new Set([
  ...["geo", "geoip2", "map", "split_clients", "types", "upstream"],
])

/** @param hasBlock braces follow, where others have a semicolon */
export function isHarmless(name: string, place: SnippetPlace, hasBlock: boolean): boolean {
  const isListed = harmless[place].has(name) && withBlock.has(name) === hasBlock
  return isListed || (!hasBlock && isIdle(name, place === "auth" ? "location" : place))
}

/** It makes no difference where it may stand. */
function isIdle(name: string, context: Context): boolean {
  const row = rowOf(name, context, false)
  return row !== undefined && row.becomes === "idle" && row.contexts.includes(context)
}

function ofProtocols(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ["proxy", "grpc", "fastcgi", "uwsgi", "scgi"].map((it) => `${it}_${name}`))
}
