// The variables that a value may name. nginx refuses a configuration that names any other, whoever wrote it.

/** Those of nginx 1.22 and its usual modules, and those that our configuration defines. In alphabetical order. */
export const nginxVariables: readonly string[] = [
  "args",
  "best_http_host",
  "binary_remote_addr",
  "body_bytes_sent",
  "bytes_sent",
  "connection",
  "connection_requests",
  "connection_time",
  "connection_upgrade",
  "content_length",
  "content_type",
  "date_gmt",
  "date_local",
  "document_root",
  "document_uri",
  "escaped_request_uri",
  "fastcgi_path_info",
  "fastcgi_script_name",
  "gzip_ratio",
  "host",
  "hostname",
  "http2",
  "https",
  "ingress_host",
  "ingress_name",
  "is_args",
  "limit_conn_status",
  "limit_rate",
  "limit_req_status",
  "location_path",
  "msec",
  "namespace",
  "nginx_version",
  "opentelemetry_context_b3",
  "opentelemetry_context_traceparent",
  "opentelemetry_sampled",
  "opentelemetry_span_id",
  "opentelemetry_trace_id",
  "pass_access_scheme",
  "pass_port",
  "pass_server_port",
  "pid",
  "pipe",
  "proxy_add_x_forwarded_for",
  "proxy_alternative_upstream_name",
  "proxy_host",
  "proxy_port",
  "proxy_protocol_addr",
  "proxy_protocol_port",
  "proxy_protocol_server_addr",
  "proxy_protocol_server_port",
  "proxy_upstream_name",
  "query_string",
  "realip_remote_addr",
  "realip_remote_port",
  "realpath_root",
  "redirect_host",
  "redirect_uri",
  "remote_addr",
  "remote_port",
  "remote_user",
  "req_id",
  "request",
  "request_completion",
  "request_filename",
  "request_id",
  "request_length",
  "request_method",
  "request_time",
  "request_uri",
  "scheme",
  "server_addr",
  "server_name",
  "server_port",
  "server_protocol",
  "service_name",
  "service_port",
  "ssl_alpn_protocol",
  "ssl_cipher",
  "ssl_ciphers",
  "ssl_client_cert",
  "ssl_client_escaped_cert",
  "ssl_client_fingerprint",
  "ssl_client_i_dn",
  "ssl_client_i_dn_legacy",
  "ssl_client_raw_cert",
  "ssl_client_s_dn",
  "ssl_client_s_dn_legacy",
  "ssl_client_serial",
  "ssl_client_v_end",
  "ssl_client_v_remain",
  "ssl_client_v_start",
  "ssl_client_verify",
  "ssl_curve",
  "ssl_curves",
  "ssl_early_data",
  "ssl_protocol",
  "ssl_server_name",
  "ssl_session_id",
  "ssl_session_reused",
  "status",
  "tcpinfo_rcv_space",
  "tcpinfo_rtt",
  "tcpinfo_rttvar",
  "tcpinfo_snd_cwnd",
  "time_iso8601",
  "time_local",
  "upstream_addr",
  "upstream_bytes_received",
  "upstream_bytes_sent",
  "upstream_cache_status",
  "upstream_connect_time",
  "upstream_header_time",
  "upstream_response_length",
  "upstream_response_time",
  "upstream_status",
  "uri",
]

/** Variables that exist under any name: a header, an argument or a cookie of that name. */
const families =
  /^(http|arg|cookie|sent_http|sent_trailer|upstream_http|upstream_trailer|upstream_cookie)_[a-z0-9_]+$/

const known = new Set(nginxVariables)

export function isNginxVariable(name: string): boolean {
  return known.has(name) || families.test(name)
}

/** Those that hold the path of a request decoded, line breaks included: in a header or URL these would begin another one. */
export const decodedVariables: ReadonlySet<string> = new Set([
  "document_uri",
  "fastcgi_path_info",
  "fastcgi_script_name",
  "request_filename",
  "uri",
])

/** Those that hold what proves who a client is: none of it belongs into a URL, a name or a log. */
const credentials =
  /^(http_(proxy_)?authorization|http_cookie|cookie_\w+|upstream_cookie_\w+|(sent|upstream)_http_set_cookie)$/

/** The first variable of a text that holds credentials, as it is written there. */
export function credentialIn(text: string): string | undefined {
  const names = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name)
  return names.find((name) => credentials.test(name.toLowerCase()))
}

/**
 * The names of the variables in a text: `$name` or `${name}`. Undefined when some `$` begins none, which nginx refuses; a digit after it
 * stands for a group of a regular expression and is no variable.
 */
export function variablesIn(text: string): readonly string[] | undefined {
  const pattern = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)|[1-9])/g
  if (text.replaceAll(pattern, "").includes("$")) return undefined
  return [...text.matchAll(pattern)].flatMap(([, braced, bare]) => braced ?? bare ?? [])
}
