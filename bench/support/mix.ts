import type { Random } from "../../harness/random.ts"

/** An annotation, of how many Ingresses in 100,000 it is one, and what stands in it. */
interface Share {
  readonly name: string
  readonly per100000: number
  /** the text; values that occur often stand here often */
  readonly value: (random: Random) => string
  /** the annotation without which nobody writes this one */
  readonly with?: string
}

function of(name: string, per100000: number, values: readonly string[], beside?: string): Share {
  const value = (random: Random) => values[random.below(values.length)] ?? ""
  return { name, per100000, value, ...(beside !== undefined && { with: beside }) }
}

const seconds = ["30", "60", "60", "60", "120", "300", "600", "600", "1800", "3600"]
const sizes = ["1m", "8m", "10m", "10m", "16m", "50m", "50m", "100m", "500m", "0"]
const hosts = (random: Random) => `service-${random.below(1000)}.internal.test`

/**
 * How often Ingresses have which annotation, counted on those that people have published; without snippets, and without what has no effect
 * (authentication, limits, TLS of hosts). Values that differ from one application to the next are drawn anew each time.
 */
const mix: readonly Share[] = [
  of("use-regex", 5085, ["true"]),
  of("rewrite-target", 23_390, ["/", "/", "/$1", "/$2"]),
  of("x-forwarded-prefix", 339, ["/app", "/$1"], "rewrite-target"),
  of("app-root", 1356, ["/start", "/app", "/login"]),
  { name: "server-alias", per100000: 33, value: hosts },
  of("from-to-www-redirect", 100, ["true"]),
  { name: "permanent-redirect", per100000: 117, value: (random) => `https://${hosts(random)}/` },
  of("permanent-redirect-code", 50, ["301", "308"], "permanent-redirect"),
  { name: "temporal-redirect", per100000: 84, value: (random) => `https://${hosts(random)}/` },
  of("ssl-redirect", 25_424, ["true", "true", "false"]),
  of("force-ssl-redirect", 17_288, ["true", "true", "false"]),
  of("preserve-trailing-slash", 339, ["true"]),
  of("use-port-in-redirects", 50, ["true"]),
  of("enable-rewrite-log", 1017, ["true"]),
  of("backend-protocol", 16_610, [
    "HTTPS",
    "HTTPS",
    "HTTPS",
    "HTTPS",
    "HTTPS",
    "HTTP",
    "HTTP",
    "HTTP",
    "HTTP",
    "GRPC",
  ]),
  of("service-upstream", 1356, ["true"]),
  { name: "upstream-vhost", per100000: 1017, value: hosts },
  of("connection-proxy-header", 339, ["keep-alive", "close"]),
  of("http2-push-preload", 84, ["true"]),
  of("enable-access-log", 2034, ["false", "false", "true"]),
  of("proxy-connect-timeout", 11_864, seconds),
  of("proxy-send-timeout", 17_627, seconds),
  of("proxy-read-timeout", 21_356, seconds),
  of("proxy-body-size", 28_475, sizes),
  of("client-body-buffer-size", 134, ["16k", "128k", "1m"]),
  of("proxy-buffer-size", 7458, ["8k", "16k", "128k", "128k", "256k"]),
  of("proxy-buffers-number", 1356, ["4", "8"]),
  of("proxy-busy-buffers-size", 339, ["512k"], "proxy-buffer-size"),
  of("proxy-buffering", 3051, ["on", "on", "off"]),
  of("proxy-request-buffering", 1356, ["off"]),
  of("proxy-max-temp-file-size", 100, ["0", "1024m"]),
  of("proxy-http-version", 1356, ["1.1", "1.1", "1.1", "1.0"]),
  of("proxy-next-upstream", 167, ["error timeout http_502", "error timeout http_503", "off"]),
  of("proxy-next-upstream-timeout", 1017, ["5", "10", "30"]),
  of("proxy-next-upstream-tries", 100, ["1", "2", "3"]),
  { name: "proxy-cookie-domain", per100000: 50, value: (random) => `${hosts(random)} example.test` },
  { name: "proxy-cookie-path", per100000: 167, value: (random) => `/app-${random.below(1000)} /` },
  { name: "proxy-redirect-from", per100000: 134, value: (random) => `http://${hosts(random)}/` },
  of("proxy-redirect-to", 134, ["/", "https://example.test/"], "proxy-redirect-from"),
  of("proxy-ssl-name", 100, ["internal.test", "backend.test"], "backend-protocol"),
  of("proxy-ssl-server-name", 84, ["on"], "proxy-ssl-name"),
  of("proxy-ssl-protocols", 100, ["TLSv1.2 TLSv1.3", "TLSv1.3"], "backend-protocol"),
  of("proxy-ssl-ciphers", 67, ["HIGH:!aNULL:!MD5"], "proxy-ssl-protocols"),
  of("default-backend", 84, ["errors"]),
  of("custom-http-errors", 1356, ["404", "404,503", "502,503,504", "500,502,503,504", "404,500,502,503"]),
  { name: "mirror-target", per100000: 100, value: (random) => `https://${hosts(random)}$request_uri` },
  of("mirror-request-body", 50, ["off"], "mirror-target"),
  of("load-balance", 134, ["ewma", "round_robin"]),
  of("upstream-hash-by", 339, ["$request_uri", "$remote_addr", "$http_x_user"]),
  of("affinity", 8136, ["cookie"]),
  of("affinity-mode", 4746, ["persistent", "balanced"], "affinity"),
  {
    name: "session-cookie-name",
    per100000: 5424,
    value: (random) => `route-${random.below(1000)}`,
    with: "affinity",
  },
  of("session-cookie-expires", 2373, ["3600", "86400", "172800"], "affinity"),
  of("session-cookie-max-age", 2373, ["3600", "86400", "172800"], "affinity"),
  of("session-cookie-path", 1017, ["/"], "affinity"),
  of("session-cookie-samesite", 117, ["Lax", "None", "Strict"], "affinity"),
  of("canary", 4068, ["true"]),
  of("canary-weight", 4068, ["5", "10", "20", "50"], "canary"),
  of("canary-by-header", 117, ["X-Canary"], "canary"),
]

const shareOf: ReadonlyMap<string, number> = new Map(mix.map(({ name, per100000 }) => [name, per100000]))

/** The annotations of one more Ingress. Those that nobody writes alone come with the one that they need, so that each has its share over all. */
export function drawAnnotations(random: Random): Record<string, string> {
  const drawn: Record<string, string> = {}
  for (const { name, per100000, value, with: beside } of mix) {
    const among = beside === undefined ? 100_000 : (shareOf.get(beside) ?? 0)
    const isPossible = beside === undefined || drawn[beside] !== undefined
    if (isPossible && random.below(among) < per100000) drawn[name] = value(random)
  }
  return drawn
}
