/**
 * The annotations of ingress-nginx 1.15 that wick knows by name only: using one is a Problem until it gets its entry in the table (and
 * leaves this list). With the table's entries these are all 136.
 */
export const namesWithoutEffect: readonly string[] = [
  "allowlist-source-range",
  "auth-always-set-cookie",
  "auth-cache-duration",
  "auth-cache-key",
  "auth-keepalive",
  "auth-keepalive-requests",
  "auth-keepalive-share-vars",
  "auth-keepalive-timeout",
  "auth-method",
  "auth-proxy-set-headers",
  "auth-realm",
  "auth-request-redirect",
  "auth-response-headers",
  "auth-secret",
  "auth-secret-type",
  "auth-signin",
  "auth-signin-redirect-param",
  "auth-snippet",
  "auth-type",
  "auth-url",
  "configuration-snippet",
  "cors-allow-credentials",
  "cors-allow-headers",
  "cors-allow-methods",
  "cors-allow-origin",
  "cors-expose-headers",
  "cors-max-age",
  "denylist-source-range",
  "enable-cors",
  "enable-global-auth",
  "enable-modsecurity",
  "enable-opentelemetry",
  "enable-owasp-core-rules",
  "limit-allowlist",
  "limit-burst-multiplier",
  "limit-connections",
  "limit-rate",
  "limit-rate-after",
  "limit-rpm",
  "limit-rps",
  "modsecurity-snippet",
  "modsecurity-transaction-id",
  "opentelemetry-operation-name",
  "opentelemetry-trust-incoming-span",
  "satisfy",
  "server-snippet",
  "stream-snippet",
]

/** Older spellings of names in the list above. */
export const aliasesWithoutEffect: readonly string[] = ["whitelist-source-range", "limit-whitelist"]

/** Those of them that keep requests out. An Ingress that has one is denied (translate/ingress/guards.ts) rather than served to everybody. */
export const guardsWithoutEffect: readonly string[] = [
  "allowlist-source-range",
  "auth-type",
  "auth-url",
  "denylist-source-range",
  "whitelist-source-range",
]
