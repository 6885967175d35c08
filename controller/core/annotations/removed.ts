/**
 * Names that ingress-nginx has removed, or that other controllers have, and that are still written under its prefix; what to write instead, as
 * a phrase that fits after a colon.
 */
export const removedNames: ReadonlyMap<string, string> = new Map([
  ["add-base-url", "it is gone; let the application print its own base"],
  ["base-url-scheme", "it is gone; let the application print its own base"],
  ["client-max-body-size", 'write "proxy-body-size"'],
  ["client_max_body_size", 'write "proxy-body-size"'],
  ["enable-opentracing", 'write "enable-opentelemetry"'],
  ["grpc-backend", 'write "backend-protocol" with the value GRPC'],
  ["ingress.allow-http", 'write "force-ssl-redirect" to keep clients from plain HTTP'],
  ["modsecurity-enable", 'write "enable-modsecurity"'],
  ["proxy-cache-key", "responses are not cached"],
  ["proxy-cache-valid", "responses are not cached"],
  ["rate-limit", 'write "limit-rps" or "limit-rpm"'],
  ["rate-limit-burst", 'write "limit-burst-multiplier"'],
  ["rate-limit-rps", 'write "limit-rps"'],
  ["rate-limit-window", 'write "limit-rps" to count by the second, "limit-rpm" by the minute'],
  ["secure-backends", 'write "backend-protocol" with the value HTTPS'],
  ["secure-verify-ca-secret", 'write "proxy-ssl-secret"'],
  ["session-cookie-hash", "it is gone; drop it"],
  [
    "upstream-fail-timeout",
    'write "proxy-next-upstream", and "wick.dev/outlier-failures" to leave endpoints out',
  ],
  [
    "upstream-max-fails",
    'write "proxy-next-upstream", and "wick.dev/outlier-failures" to leave endpoints out',
  ],
])
