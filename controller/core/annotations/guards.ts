// What annotations and keys of the ConfigMap have to do with who gets in: one line for each there is, and a test tries what it says
// (test/unit/core/annotations/guards.test.ts). What is in none of the lists is a mistake, so that nobody adds a guard that opens by its default.

/** Closes what it is for when its value cannot be used, when an object is missing that it names, and as long as it has no effect. */
export const closingAnnotations = [
  ...["allowlist-source-range", "denylist-source-range", "limit-allowlist", "limit-burst-multiplier"],
  ...["allow-countries", "deny-countries", "allow-asns", "deny-asns"],
  ...["limit-by", "limit-connections", "limit-headers", "limit-ipv6-prefix", "limit-rpm", "limit-rps"],
  ...["auth-type", "auth-secret", "auth-secret-type"],
  ...["auth-url", "auth-method", "auth-signin", "auth-signin-redirect-param", "auth-response-headers"],
  ...["auth-proxy-set-headers", "auth-request-redirect", "auth-always-set-cookie", "auth-cache-key"],
  ...["auth-cache-duration", "auth-proxy-ssl-secret"],
  ...["auth-tls-secret", "auth-tls-match-cn", "cors-allow-origin", "cors-allow-credentials"],
  ...["proxy-ssl-secret", "proxy-ssl-verify"],
  ...["auth-snippet", "configuration-snippet", "server-snippet"],
  ...["enable-modsecurity", "enable-owasp-core-rules", "modsecurity-rules", "modsecurity-snippet"],
] as const

/** Its default keeps out at least whom any value would, so that applies. */
export const strictAnnotations = [
  ...["satisfy", "auth-realm", "enable-global-auth", "auth-tls-verify-client", "auth-tls-verify-depth"],
  ...["auth-tls-error-page", "proxy-ssl-ciphers", "proxy-ssl-name", "proxy-ssl-protocols"],
  ...["proxy-ssl-verify-depth", "ssl-ciphers"],
] as const

/** Decides where a request goes, what becomes of it on the way and what is told about it, not whether it may come. */
export const otherAnnotations = [
  ...[
    "use-regex",
    "rewrite-target",
    "enable-rewrite-log",
    "rewrite-raw",
    "x-forwarded-prefix",
    "app-root",
    "server-alias",
  ],
  ...["from-to-www-redirect", "permanent-redirect", "permanent-redirect-code", "temporal-redirect"],
  ...["temporal-redirect-code", "relative-redirects", "use-port-in-redirects", "preserve-trailing-slash"],
  ...["ssl-redirect", "force-ssl-redirect", "ssl-passthrough", "backend-protocol", "proxy-http-version"],
  ...["upstream-vhost", "connection-proxy-header", "http2-push-preload", "enable-access-log"],
  ...["access-log-sample-rate", "proxy-connect-timeout", "proxy-send-timeout", "proxy-read-timeout"],
  ...["proxy-body-size", "client-body-buffer-size", "client-body-timeout", "client-send-timeout"],
  ...["proxy-buffer-size", "proxy-buffers-number"],
  ...["proxy-busy-buffers-size", "proxy-buffering", "proxy-request-buffering"],
  ...["proxy-max-temp-file-size", "proxy-next-upstream", "proxy-next-upstream-tries"],
  ...["proxy-next-upstream-timeout", "limit-rate", "limit-rate-after", "proxy-cookie-domain"],
  ...["proxy-cookie-path", "proxy-redirect-from", "proxy-redirect-to", "custom-headers"],
  ...["proxy-ssl-server-name", "fastcgi-index", "fastcgi-params-configmap", "custom-http-errors"],
  ...["disable-proxy-intercept-errors", "default-backend", "mirror-target", "mirror-host"],
  ...["mirror-request-body", "load-balance", "policy-config", "upstream-hash-by"],
  ...["upstream-hash-by-subset", "upstream-hash-by-subset-size", "service-upstream", "slow-start"],
  ...["outlier-failures", "outlier-ejection-time", "affinity", "affinity-mode"],
  ...["affinity-canary-behavior", "session-cookie-name", "session-cookie-expires"],
  ...["session-cookie-max-age", "session-cookie-path", "session-cookie-domain", "session-cookie-samesite"],
  ...["session-cookie-secure", "session-cookie-conditional-samesite-none"],
  ...["session-cookie-change-on-failure", "canary", "canary-weight", "canary-weight-total"],
  ...["canary-by-header", "canary-by-header-value", "canary-by-header-pattern", "canary-by-cookie"],
  ...["canary-n-way", "ssl-prefer-server-ciphers", "auth-tls-pass-certificate-to-upstream"],
  ...["enable-cors", "cors-allow-methods", "cors-allow-headers", "cors-expose-headers", "cors-max-age"],
  ...["auth-keepalive", "auth-keepalive-requests", "auth-keepalive-timeout", "auth-keepalive-share-vars"],
  ...["enable-opentelemetry", "opentelemetry-trust-incoming-span", "opentelemetry-operation-name"],
  // about streams, which keep no request of HTTP out, and what logs call a request
  ...["stream-snippet", "modsecurity-transaction-id"],
] as const

/** As `closingAnnotations`. A value that could be used before the one that cannot stays in force. */
export const closingKeys = [
  ...[
    "whitelist-source-range",
    "denylist-source-range",
    "block-cidrs",
    "block-user-agents",
    "block-referers",
  ],
  ...["global-auth-url", "global-auth-method", "global-auth-signin", "global-auth-signin-redirect-param"],
  ...["global-auth-response-headers", "global-auth-request-redirect", "global-auth-cache-key"],
  ...["global-auth-cache-duration", "proxy-real-ip-cidr", "admission-hosts", "auth-namespaces"],
  "cross-namespace",
  ...["enable-modsecurity", "enable-owasp-modsecurity-crs", "modsecurity-snippet"],
  ...["global-auth-snippet", "http-snippet", "location-snippet", "server-snippet"],
] as const

/** As `strictAnnotations`. */
export const strictKeys = [
  ...["allow-cross-namespace-resources", "allow-snippet-annotations", "annotations-risk-level"],
  ...["strict-validate-path-type", "global-allowed-response-headers", "no-auth-locations"],
  ...["limit-conn-zone-variable", "nginx-status-ipv4-whitelist", "nginx-status-ipv6-whitelist"],
  ...["use-forwarded-headers", "enable-real-ip", "use-proxy-protocol", "compute-full-forwarded-for"],
  ...["enable-underscores-in-headers", "ignore-invalid-headers", "ssl-protocols", "ssl-ciphers"],
  ...["ssl-early-data", "policy-readable-headers", "unsupported-guards"],
  ...["modsecurity-crs-version", "modsecurity-fallback"],
] as const
