// Annotations and filters that say the same as a directive: what a directive that is refused has in its place stands in its row of the table.

/** What says the same as a directive without a snippet: a phrase. */
export function equivalentOf(name: string): string | undefined {
  return equivalents.get(name)
}

const equivalents: ReadonlyMap<string, string> = new Map([
  ["allow", 'annotation "allowlist-source-range"'],
  ["deny", 'annotation "denylist-source-range"'],
  ["auth_basic", 'annotation "auth-type"'],
  ["auth_basic_user_file", 'annotation "auth-secret"'],
  ["auth_request", 'annotation "auth-url"'],
  ["error_page", 'annotation "custom-http-errors"'],
  ["limit_conn", 'annotation "limit-connections"'],
  ["limit_rate", 'annotation "limit-rate"'],
  ["limit_rate_after", 'annotation "limit-rate-after"'],
  ["limit_req", 'annotation "limit-rps"'],
  ["proxy_ssl_verify", 'annotation "proxy-ssl-verify"'],
  ["return", 'annotation "permanent-redirect", if it is a redirect'],
  ["rewrite", 'annotation "rewrite-target"'],
  ["satisfy", 'annotation "satisfy"'],
  ["ssl_ciphers", 'annotation "ssl-ciphers"'],
  ["ssl_client_certificate", 'annotation "auth-tls-secret"'],
  ["ssl_verify_client", 'annotation "auth-tls-verify-client"'],
])

/** The filter of the Gateway API that does the same: a phrase. */
export function filterOf(name: string): string | undefined {
  return filters.get(name)
}

const filters: ReadonlyMap<string, string> = new Map([
  ["proxy_set_header", "RequestHeaderModifier"],
  ["more_set_input_headers", "RequestHeaderModifier"],
  ["more_clear_input_headers", "RequestHeaderModifier"],
  ["add_header", "ResponseHeaderModifier"],
  ["more_set_headers", "ResponseHeaderModifier"],
  ["more_clear_headers", "ResponseHeaderModifier"],
  ["proxy_hide_header", "ResponseHeaderModifier"],
  ["rewrite", "URLRewrite"],
  ["return", "RequestRedirect, if it is a redirect"],
  ["auth_request", "ExternalAuth"],
])
