// Printed by `npm run wire` from wire/: change it there.

export type ObjectName =
  | "Host"
  | "Route"
  | "Condition"
  | "WeightedBackend"
  | "Actions"
  | "Mirror"
  | "Waf"
  | "BackendTls"
  | "Redirect"
  | "Header"
  | "Cors"
  | "Limits"
  | "Access"
  | "Password"
  | "ExternalAuth"
  | "CacheDuration"
  | "AccessRule"
  | "Script"
  | "Step"
  | "Level"
  | "ResponseHeader"
  | "InputHeader"
  | "ErrorPage"
  | "RequestLimit"
  | "ConnectionLimit"
  | "Replacement"
  | "CookieFlags"
  | "Assignment"
  | "ClientCertificate"
  | "Stream"
  | "ServerName"
  | "StreamTls"
  | "StreamBackendTls"
  | "Certificate"
  | "Staple"
  | "Authority"
  | "TlsHost"
  | "ClientVerification"
  | "Passthrough"
  | "Backend"
  | "Endpoint"
  | "Affinity"
  | "Cookie"
  | "HashBy"
  | "Shaping"
  | "SlowStart"
  | "OutlierEjection"
  | "Policy"
  | "AddressList"
  | "UserList"
  | "User"
  | "Overrides"

/** A field: what it is called in the model and as it is posted, and how its value is written, where that is not as it is. */
export interface Row {
  readonly posted: string
  readonly model: string
  /** the member of the object whose member it is */
  readonly within?: string
  readonly as?: "text" | "presence" | "isThere" | "filled" | "mark" | "variables" | "secret"
  /** its value is such an object, or a list of them */
  readonly object?: ObjectName
  /** the members of that object are the model's own */
  readonly isSpread?: true
  /** the value, always */
  readonly constant?: string
}

/** The fields of each object. */
export const rows: Readonly<Record<ObjectName, readonly Row[]>> = {
  Host: [
    { posted: "host", model: "host" },
    { posted: "server", model: "server" },
    { posted: "routes", model: "routes", object: "Route" },
    { posted: "parts", model: "parts" },
    { posted: "closed", model: "isClosed", as: "mark" },
    { posted: "alias_of", model: "aliasOf" },
    { posted: "script", model: "script", object: "Script" },
    { posted: "listener", model: "listener" },
    { posted: "client_certificate", model: "clientCertificate", object: "ClientCertificate" },
  ],
  Route: [
    { posted: "path", model: "path" },
    { posted: "match", model: "match" },
    { posted: "location", model: "location" },
    { posted: "backend", model: "backend" },
    { posted: "namespace", model: "namespace" },
    { posted: "ingress_name", model: "ingressName" },
    { posted: "service_name", model: "serviceName" },
    { posted: "service_port", model: "servicePort" },
    { posted: "location_path", model: "locationPath" },
    { posted: "status", model: "status" },
    { posted: "redirect", model: "redirect", object: "Redirect" },
    { posted: "https_redirect", model: "httpsRedirect", object: "Redirect" },
    { posted: "rewrite", model: "rewrite" },
    { posted: "log_rewrite", model: "logsRewrite", as: "mark" },
    { posted: "variables", model: "variables", as: "variables" },
    { posted: "headers", model: "headers", object: "Header" },
    { posted: "access", model: "access", object: "Access" },
    { posted: "cors", model: "cors", object: "Cors" },
    { posted: "limits", model: "limits", object: "Limits" },
    { posted: "trace", model: "tracing", as: "presence" },
    { posted: "trace_begins", model: "beginsTrace", within: "tracing", as: "mark" },
    { posted: "span_name", model: "spanName", within: "tracing" },
    { posted: "rewrite_raw", model: "rewritesRaw", as: "mark" },
    { posted: "conditions", model: "conditions", object: "Condition" },
    { posted: "split", model: "split", object: "WeightedBackend" },
    { posted: "script", model: "script", object: "Script" },
    { posted: "no_slash_redirect", model: "hasNoSlashRedirect", as: "mark" },
    { posted: "within", model: "within" },
    { posted: "actions", model: "actions", object: "Actions" },
    { posted: "waf", model: "waf", object: "Waf" },
    { posted: "backend_tls", model: "backendTls", object: "BackendTls" },
    { posted: "rule", model: "rule" },
    { posted: "overrides", model: "overrides", object: "Overrides" },
  ],
  Condition: [
    { posted: "of", model: "of" },
    { posted: "name", model: "name" },
    { posted: "match", model: "match" },
    { posted: "value", model: "value" },
  ],
  WeightedBackend: [
    { posted: "weight", model: "weight" },
    { posted: "backend", model: "backend" },
    { posted: "service_name", model: "serviceName" },
    { posted: "service_port", model: "servicePort" },
    { posted: "status", model: "status" },
    { posted: "actions", model: "actions", object: "Actions" },
    { posted: "location", model: "location" },
    { posted: "variables", model: "variables", as: "variables" },
    { posted: "backend_tls", model: "backendTls", object: "BackendTls" },
  ],
  Actions: [
    { posted: "set_request_headers", model: "setRequestHeaders", object: "Header" },
    { posted: "add_request_headers", model: "addRequestHeaders", object: "Header" },
    { posted: "set_response_headers", model: "setResponseHeaders", object: "Header" },
    { posted: "add_response_headers", model: "addResponseHeaders", object: "Header" },
    { posted: "path", model: "path" },
    { posted: "path_prefix", model: "replacesPrefix", as: "mark" },
    { posted: "request_timeout_ms", model: "requestTimeoutMs" },
    { posted: "backend_timeout_ms", model: "backendTimeoutMs" },
    { posted: "retry_codes", model: "retryCodes" },
    { posted: "mirrors", model: "mirrors", object: "Mirror" },
  ],
  Mirror: [
    { posted: "backend", model: "backend" },
    { posted: "location", model: "location" },
    { posted: "variables", model: "variables", as: "variables" },
    { posted: "numerator", model: "numerator" },
    { posted: "denominator", model: "denominator" },
    { posted: "backend_tls", model: "backendTls", object: "BackendTls" },
  ],
  Waf: [
    { posted: "owner", model: "owner" },
    { posted: "rules", model: "rules" },
    { posted: "transaction_id", model: "transactionId" },
    { posted: "fail_open", model: "failsOpen", as: "mark" },
  ],
  BackendTls: [
    { posted: "authority", model: "authority" },
    { posted: "depth", model: "depth" },
    { posted: "alternative_names", model: "alternativeNames" },
    { posted: "certificate", model: "certificate" },
    { posted: "sends_name", model: "sendsName", as: "mark" },
    { posted: "ciphers", model: "ciphers" },
    { posted: "version", model: "version" },
  ],
  Redirect: [
    { posted: "code", model: "code" },
    { posted: "to", model: "to" },
  ],
  Header: [
    { posted: "name", model: "name" },
    { posted: "value", model: "value" },
  ],
  Cors: [
    { posted: "origins", model: "origins" },
    { posted: "allow_methods", model: "methods" },
    { posted: "allow_headers", model: "headers" },
    { posted: "expose_headers", model: "exposedHeaders" },
    { posted: "max_age", model: "maxAgeSeconds", as: "text" },
    { posted: "credentials", model: "allowsCredentials", as: "mark" },
    { posted: "gateway", model: "isGateway", as: "mark" },
  ],
  Limits: [
    { posted: "key", model: "key" },
    { posted: "rps", model: "rps" },
    { posted: "rpm", model: "rpm" },
    { posted: "burst_multiplier", model: "burstMultiplier" },
    { posted: "connections", model: "connections" },
    { posted: "exempt", model: "exempt" },
    { posted: "by", model: "by" },
    { posted: "ipv6_bits", model: "ipv6Bits" },
    { posted: "headers", model: "hasHeaders", as: "mark" },
  ],
  Access: [
    { posted: "allow", model: "allow" },
    { posted: "deny", model: "deny" },
    { posted: "satisfy", model: "satisfy" },
    { posted: "basic", model: "basic", object: "Password" },
    { posted: "digest", model: "digest", object: "Password" },
    { posted: "external", model: "external", object: "ExternalAuth" },
    { posted: "rules", model: "rules", object: "AccessRule" },
    { posted: "allow_countries", model: "allowCountries" },
    { posted: "deny_countries", model: "denyCountries" },
    { posted: "allow_asns", model: "allowAsns" },
    { posted: "deny_asns", model: "denyAsns" },
  ],
  Password: [
    { posted: "users", model: "users" },
    { posted: "realm", model: "realm" },
  ],
  ExternalAuth: [
    { posted: "location", model: "location" },
    { posted: "backend", model: "backend" },
    { posted: "target", model: "target" },
    { posted: "host", model: "host" },
    { posted: "method", model: "method" },
    { posted: "headers", model: "headers", object: "Header" },
    { posted: "response_headers", model: "responseHeaders" },
    { posted: "signin", model: "signin" },
    { posted: "request_redirect", model: "requestRedirect" },
    { posted: "always_set_cookie", model: "alwaysSetsCookie", as: "mark" },
    { posted: "cache_key", model: "cacheKey" },
    { posted: "cache_durations", model: "cacheDurations", object: "CacheDuration" },
    { posted: "is_filter", model: "isFilter", as: "mark" },
    { posted: "request_headers", model: "requestHeaders" },
    { posted: "backend_tls", model: "backendTls", object: "BackendTls" },
  ],
  CacheDuration: [
    { posted: "status", model: "status" },
    { posted: "seconds", model: "seconds" },
  ],
  AccessRule: [
    { posted: "action", model: "action" },
    { posted: "from", model: "from" },
  ],
  Script: [
    { posted: "steps", model: "steps", object: "Step" },
    { posted: "levels", model: "levels", object: "Level" },
  ],
  Step: [
    { posted: "op", model: "op" },
    { posted: "name", model: "name" },
    { posted: "value", model: "value" },
    { posted: "test", model: "test" },
    { posted: "pattern", model: "pattern" },
    { posted: "against", model: "against" },
    { posted: "skip", model: "skip" },
    { posted: "level", model: "level" },
    { posted: "code", model: "code" },
    { posted: "flag", model: "flag" },
    { posted: "drops_args", model: "dropsArgs", as: "mark" },
    { posted: "is_url", model: "isUrl", as: "mark" },
  ],
  Level: [
    { posted: "response_headers", model: "responseHeaders", object: "ResponseHeader" },
    { posted: "upstream_headers", model: "upstreamHeaders", object: "Header" },
    { posted: "input_headers", model: "inputHeaders", object: "InputHeader" },
    { posted: "hides", model: "hides" },
    { posted: "passes", model: "passes" },
    { posted: "expires", model: "expires" },
    { posted: "limit_rate", model: "limitRate" },
    { posted: "limit_rate_after", model: "limitRateAfter" },
    { posted: "access_log_off", model: "accessLogOff", as: "mark" },
    { posted: "default_type", model: "defaultType" },
    { posted: "error_pages", model: "errorPages", object: "ErrorPage" },
    { posted: "auth_variables", model: "authVariables", object: "Assignment" },
    { posted: "request_limits", model: "requestLimits", object: "RequestLimit" },
    { posted: "connection_limits", model: "connectionLimits", object: "ConnectionLimit" },
    { posted: "limit_req_dry_run", model: "limitReqDryRun" },
    { posted: "limit_conn_dry_run", model: "limitConnDryRun" },
    { posted: "limit_req_log_level", model: "limitReqLogLevel" },
    { posted: "limit_conn_log_level", model: "limitConnLogLevel" },
    { posted: "limit_req_status", model: "limitReqStatus" },
    { posted: "limit_conn_status", model: "limitConnStatus" },
    { posted: "redirects", model: "redirects", object: "Replacement" },
    { posted: "cookie_domains", model: "cookieDomains", object: "Replacement" },
    { posted: "cookie_paths", model: "cookiePaths", object: "Replacement" },
    { posted: "cookie_flags", model: "cookieFlags", object: "CookieFlags" },
  ],
  ResponseHeader: [
    { posted: "op", model: "op" },
    { posted: "name", model: "name" },
    { posted: "value", model: "value" },
    { posted: "always", model: "always", as: "mark" },
    { posted: "statuses", model: "statuses" },
    { posted: "types", model: "types" },
  ],
  InputHeader: [
    { posted: "op", model: "op" },
    { posted: "name", model: "name" },
    { posted: "value", model: "value" },
    { posted: "replaces", model: "replaces", as: "mark" },
    { posted: "types", model: "types" },
  ],
  ErrorPage: [
    { posted: "codes", model: "codes" },
    { posted: "code", model: "code" },
    { posted: "to", model: "to" },
  ],
  RequestLimit: [
    { posted: "zone", model: "zone" },
    { posted: "burst", model: "burst" },
    { posted: "delay", model: "delay" },
    { posted: "no_delay", model: "hasNoDelay", as: "mark" },
  ],
  ConnectionLimit: [
    { posted: "zone", model: "zone" },
    { posted: "connections", model: "connections" },
  ],
  Replacement: [
    { posted: "from", model: "from" },
    { posted: "pattern", model: "pattern" },
    { posted: "any_case", model: "anyCase", as: "mark" },
    { posted: "to", model: "to" },
  ],
  CookieFlags: [
    { posted: "cookie", model: "cookie" },
    { posted: "pattern", model: "pattern" },
    { posted: "any_case", model: "anyCase", as: "mark" },
    { posted: "secure", model: "secure" },
    { posted: "http_only", model: "httpOnly" },
    { posted: "same_site", model: "sameSite" },
  ],
  Assignment: [
    { posted: "name", model: "name" },
    { posted: "value", model: "value" },
  ],
  ClientCertificate: [
    { posted: "authority", model: "authority" },
    { posted: "verify", model: "verify" },
    { posted: "match_cn", model: "matchCn" },
    { posted: "error_page", model: "errorPage" },
    { posted: "pass_certificate", model: "passesCertificate", as: "mark" },
  ],
  Stream: [
    { posted: "name", model: "name" },
    { posted: "backend", model: "backend" },
    { posted: "namespace", model: "namespace" },
    { posted: "service_name", model: "serviceName" },
    { posted: "service_port", model: "servicePort" },
    { posted: "source", model: "source" },
    { posted: "accepts_proxy_protocol", model: "acceptsProxyProtocol", as: "mark" },
    { posted: "sends_proxy_protocol", model: "sendsProxyProtocol" },
    { posted: "proxy_timeout_ms", model: "proxyTimeoutMs" },
    { posted: "proxy_connect_timeout_ms", model: "proxyConnectTimeoutMs" },
    { posted: "next_upstream", model: "triesNextUpstream" },
    { posted: "next_upstream_timeout_ms", model: "nextUpstreamTimeoutMs" },
    { posted: "next_upstream_tries", model: "nextUpstreamTries" },
    { posted: "responses", model: "responses" },
    { posted: "requests", model: "requests" },
    { posted: "allow", model: "allow" },
    { posted: "deny", model: "deny" },
    { posted: "connections", model: "connections" },
    { posted: "connections_per_second", model: "connectionsPerSecond" },
    { posted: "upload_bytes", model: "uploadBytes" },
    { posted: "download_bytes", model: "downloadBytes" },
    { posted: "proxy_protocol_timeout_ms", model: "proxyProtocolTimeoutMs" },
    { posted: "names", model: "names", object: "ServerName" },
    { posted: "tls", model: "tls", object: "StreamTls" },
    { posted: "backend_tls", model: "backendTls", object: "StreamBackendTls" },
    { posted: "drain_ms", model: "drainMs" },
  ],
  ServerName: [
    { posted: "host", model: "host" },
    { posted: "backend", model: "backend" },
    { posted: "namespace", model: "namespace" },
    { posted: "service_name", model: "serviceName" },
    { posted: "service_port", model: "servicePort" },
    { posted: "tls", model: "tls", object: "StreamTls" },
    { posted: "backend_tls", model: "backendTls", object: "StreamBackendTls" },
  ],
  StreamTls: [
    { posted: "certificates", model: "certificates" },
    { posted: "authority", model: "authority" },
    { posted: "verify", model: "verify" },
    { posted: "depth", model: "depth" },
    { posted: "alpn", model: "alpn" },
  ],
  StreamBackendTls: [
    { posted: "server_name", model: "serverName" },
    { posted: "authority", model: "authority" },
    { posted: "depth", model: "depth" },
    { posted: "alternative_names", model: "alternativeNames" },
    { posted: "certificate", model: "certificate" },
  ],
  Certificate: [
    { posted: "id", model: "id" },
    { posted: "chain", model: "chain" },
    { posted: "key", model: "key", as: "secret" },
  ],
  Staple: [
    { posted: "certificate", model: "certificate" },
    { posted: "response", model: "response" },
    { posted: "until_ms", model: "untilMs" },
  ],
  Authority: [
    { posted: "id", model: "id" },
    { posted: "certificates", model: "certificates" },
    { posted: "crls", model: "crls" },
  ],
  TlsHost: [
    { posted: "host", model: "host" },
    { posted: "certificates", model: "certificates" },
    { posted: "ciphers", model: "ciphers" },
    { posted: "prefer_server_ciphers", model: "prefersServerCiphers" },
    { posted: "listener", model: "listener" },
    { posted: "client_certificate", model: "clientCertificate", object: "ClientVerification" },
  ],
  ClientVerification: [
    { posted: "authority", model: "authority" },
    { posted: "verify", model: "verify" },
    { posted: "depth", model: "depth" },
  ],
  Passthrough: [
    { posted: "host", model: "host" },
    { posted: "backend", model: "backend" },
  ],
  Backend: [
    { posted: "name", model: "name" },
    { posted: "load-balance", model: "loadBalance" },
    { posted: "endpoints", model: "endpoints", object: "Endpoint" },
    { posted: "sessionAffinityConfig", model: "affinity", object: "Affinity" },
    { posted: "upstreamHashByConfig", model: "hashBy", object: "HashBy" },
    { posted: "trafficShapingPolicy", model: "shaping", object: "Shaping" },
    { posted: "alternativeBackends", model: "alternatives" },
    { posted: "slowStart", model: "slowStart", object: "SlowStart", isSpread: true },
    { posted: "outlierEjection", model: "outlierEjection", object: "OutlierEjection" },
    { posted: "policy", model: "policy", object: "Policy" },
  ],
  Endpoint: [
    { posted: "address", model: "address" },
    { posted: "port", model: "port", as: "text" },
    { posted: "zone", model: "zone" },
  ],
  Affinity: [
    { posted: "name", model: "name", constant: "cookie" },
    { posted: "mode", model: "mode" },
    { posted: "cookieSessionAffinity", model: "cookie", object: "Cookie" },
  ],
  Cookie: [
    { posted: "name", model: "name" },
    { posted: "expires", model: "expiresSeconds" },
    { posted: "maxage", model: "maxAgeSeconds" },
    { posted: "sessions_of", model: "sessionsOf" },
    { posted: "secure", model: "secure" },
    { posted: "path", model: "path" },
    { posted: "domain", model: "domain" },
    { posted: "samesite", model: "sameSite" },
    { posted: "conditional_samesite_none", model: "conditionalSameSiteNone" },
    { posted: "change_on_failure", model: "changeOnFailure" },
  ],
  HashBy: [
    { posted: "upstream-hash-by", model: "key" },
    { posted: "upstream-hash-by-subset", model: "subsetSize", as: "isThere" },
    { posted: "upstream-hash-by-subset-size", model: "subsetSize" },
  ],
  Shaping: [
    { posted: "weight", model: "weight" },
    { posted: "weightTotal", model: "weightTotal" },
    { posted: "header", model: "header" },
    { posted: "headerValue", model: "headerValue" },
    { posted: "headerPattern", model: "headerPattern" },
    { posted: "cookie", model: "cookie" },
  ],
  SlowStart: [{ posted: "window_ms", model: "slowStartMs" }],
  OutlierEjection: [
    { posted: "failures", model: "failures" },
    { posted: "ejection_ms", model: "ejectionMs" },
  ],
  Policy: [
    { posted: "name", model: "name" },
    { posted: "digest", model: "digest" },
    { posted: "config", model: "config", as: "filled" },
    { posted: "needs", model: "needs" },
  ],
  AddressList: [
    { posted: "id", model: "id" },
    { posted: "ranges", model: "ranges" },
  ],
  UserList: [
    { posted: "id", model: "id" },
    { posted: "users", model: "users", object: "User" },
  ],
  User: [
    { posted: "name", model: "name" },
    { posted: "hash", model: "hash", as: "secret" },
  ],
  Overrides: [
    { posted: "proxy_connect_timeout_ms", model: "proxyConnectTimeoutMs" },
    { posted: "proxy_send_timeout_ms", model: "proxySendTimeoutMs" },
    { posted: "proxy_read_timeout_ms", model: "proxyReadTimeoutMs" },
    { posted: "client_max_body_size_bytes", model: "clientMaxBodyBytes" },
    { posted: "proxy_next_upstream", model: "proxyNextUpstream" },
    { posted: "proxy_next_upstream_tries", model: "proxyNextUpstreamTries" },
    { posted: "proxy_next_upstream_timeout_ms", model: "proxyNextUpstreamTimeoutMs" },
    { posted: "proxy_buffer_size_bytes", model: "proxyBufferBytes" },
    { posted: "proxy_buffers_number", model: "proxyBuffersNumber" },
    { posted: "proxy_busy_buffers_size_bytes", model: "proxyBusyBuffersBytes" },
    { posted: "proxy_buffering", model: "proxyBuffering" },
    { posted: "proxy_request_buffering", model: "proxyRequestBuffering" },
    { posted: "proxy_max_temp_file_size_bytes", model: "proxyMaxTempFileBytes" },
    { posted: "client_body_buffer_size_bytes", model: "clientBodyBufferBytes" },
    { posted: "absolute_redirect", model: "absoluteRedirect" },
    { posted: "port_in_redirect", model: "portInRedirect" },
    { posted: "limit_rate_bytes", model: "limitRateBytes" },
    { posted: "limit_rate_after_bytes", model: "limitRateAfterBytes" },
    { posted: "client_body_timeout_ms", model: "clientBodyTimeoutMs" },
    { posted: "send_timeout_ms", model: "sendTimeoutMs" },
    { posted: "error_pages_400", model: "errorPages400" },
    { posted: "error_pages_450", model: "errorPages450" },
    { posted: "error_pages_500", model: "errorPages500" },
    { posted: "error_pages_550", model: "errorPages550" },
    { posted: "proxy_intercept_errors", model: "proxyInterceptErrors" },
    { posted: "limit_req_status", model: "limitReqStatus" },
    { posted: "limit_conn_status", model: "limitConnStatus" },
  ],
}
