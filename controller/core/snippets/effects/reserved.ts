/** Variables of nginx that `set` may change. Source: nginx, NGX_HTTP_VAR_CHANGEABLE. Others of its own it calls duplicate. */
const changeable: ReadonlySet<string> = new Set(["args", "limit_rate"])

/** Variables by which wick and the reference find what serves a request, and what they tell its backend. */
const ours: ReadonlySet<string> = new Set([
  ...["namespace", "ingress_name", "service_name", "service_port", "location_path", "best_http_host"],
  ...["proxy_upstream_name", "proxy_alternative_upstream_name", "proxy_host", "proxy_port"],
  ...["pass_access_scheme", "pass_port", "pass_server_port", "pass_forwarded_for", "req_id"],
  ...["escaped_request_uri", "redirect_uri", "redirect_host", "redirect_port", "ingress_host"],
  ...["connection_upgrade", "balancer_ewma_score", "force_ssl_redirect", "ssl_redirect", "the_real_ip"],
])

/** Variables of nginx itself that stay what they are. */
const fixed: ReadonlySet<string> = new Set([
  ...["host", "hostname", "uri", "document_uri", "request_uri", "request", "request_method", "request_id"],
  ...["query_string", "is_args", "scheme", "https", "remote_addr", "remote_port", "remote_user"],
  ...["binary_remote_addr", "server_addr", "server_name", "server_port", "server_protocol", "status"],
  ...["document_root", "realpath_root", "request_filename", "request_body", "request_body_file"],
  ...["body_bytes_sent", "bytes_sent", "connection", "connection_requests", "content_length"],
  ...["content_type", "msec", "nginx_version", "pid", "pipe", "request_completion", "request_length"],
  ...["request_time", "time_iso8601", "time_local", "proxy_add_x_forwarded_for", "http_host"],
  ...["http_user_agent", "http_referer", "http_via", "http_x_forwarded_for", "http_cookie"],
])

/** @param name in small letters */
export function isReserved(name: string): boolean {
  return !changeable.has(name) && (ours.has(name) || fixed.has(name) || /^(ssl|upstream)_/.test(name))
}
