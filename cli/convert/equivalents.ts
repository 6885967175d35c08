// Which annotations come to something in the Gateway API (standard channel, v1.7), and why the others do not.

/** That are converted, or are part of one that is. What of them cannot be is said where they are read. */
export const converted: ReadonlySet<string> = new Set([
  "use-regex",
  "rewrite-target",
  "x-forwarded-prefix",
  "app-root",
  "server-alias",
  "from-to-www-redirect",
  "permanent-redirect",
  "permanent-redirect-code",
  "temporal-redirect",
  "temporal-redirect-code",
  "ssl-redirect",
  "force-ssl-redirect",
  "ssl-passthrough",
  "enable-cors",
  "cors-allow-origin",
  "cors-allow-methods",
  "cors-allow-headers",
  "cors-allow-credentials",
  "cors-expose-headers",
  "cors-max-age",
  "canary",
  "canary-weight",
  "canary-weight-total",
  "canary-by-header",
  "canary-by-header-value",
  "canary-by-header-pattern",
  "backend-protocol",
  "upstream-vhost",
  "custom-headers",
  "mirror-target",
  "proxy-ssl-secret",
  "proxy-ssl-verify",
  "proxy-ssl-name",
  "proxy-next-upstream-tries",
])

interface Reason {
  readonly kind: "open" | "left-out"
  readonly what: string
}

const open = (what: string): Reason => ({ kind: "open", what })
const leftOut = (what: string): Reason => ({ kind: "left-out", what })

/** What may keep requests out is open until somebody has seen to it. */
const ofSnippets =
  "There is no nginx to configure. Headers are filters (RequestHeaderModifier, ResponseHeaderModifier), redirects and other paths are RequestRedirect and URLRewrite, location blocks are rules of their own; who gets in is a policy of the implementation"

/** By the beginning of the name; the first line that fits counts. */
const reasons: readonly (readonly [beginning: string, reason: Reason])[] = [
  ["auth-tls-", open("Certificates of clients are asked for by a port of a Gateway, for all of its hosts")],
  ["auth-keepalive", leftOut("Connections to authentication services are up to the implementation")],
  ["auth-", open("Authentication is a policy of the implementation")],
  ["enable-global-auth", leftOut("Authentication of all hosts is a policy of the implementation")],
  ["satisfy", open("How checks combine is up to policies of the implementation")],
  ["allowlist-", open("Lists of addresses are policies of the implementation")],
  ["denylist-", open("Lists of addresses are policies of the implementation")],
  ["allow-", open("Lists of countries and autonomous systems are policies of the implementation")],
  ["deny-", open("Lists of countries and autonomous systems are policies of the implementation")],
  ["limit-rate", leftOut("Bandwidth is not limited")],
  ["limit-", leftOut("Rate limits are policies of the implementation")],
  ["affinity", leftOut("Sessions are part of the experimental channel only")],
  ["session-cookie-", leftOut("Sessions are part of the experimental channel only")],
  ["canary-by-cookie", leftOut("Routes do not match cookies")],
  ["canary-n-way", leftOut("All canaries of a path are converted, each with its weight")],
  ["mirror-", leftOut("A mirror gets the request as it is, with its host and body")],
  ["proxy-ssl-", leftOut("How TLS to backends is spoken is up to the implementation")],
  ["proxy-connect-timeout", leftOut("Timeouts of routes are for whole requests, not for single steps")],
  ["proxy-send-timeout", leftOut("Timeouts of routes are for whole requests, not for single steps")],
  ["proxy-read-timeout", leftOut("Timeouts of routes are for whole requests, not for single steps")],
  ["proxy-next-upstream", leftOut("What is tried again is up to the implementation, but for statuses")],
  ["proxy-body-size", leftOut("Sizes of requests are policies of the implementation")],
  ["proxy-cookie-", leftOut("Cookies of responses are not rewritten")],
  ["proxy-redirect-", leftOut("Locations of responses are not rewritten")],
  ["proxy-http-version", leftOut("The protocol to backends is said by the Service's appProtocol")],
  ["proxy-", leftOut("Buffers are up to the implementation")],
  ["client-body-timeout", leftOut("How long clients may pause is up to the implementation")],
  ["client-send-timeout", leftOut("How long clients may pause is up to the implementation")],
  ["client-body-", leftOut("Buffers are up to the implementation")],
  ["custom-http-errors", leftOut("Error pages are policies of the implementation")],
  ["disable-proxy-intercept-errors", leftOut("Error pages are policies of the implementation")],
  ["default-backend", leftOut("A route has no second backend for when the first has no endpoints")],
  ["load-balance", leftOut("Balancing is a policy of the implementation")],
  ["policy-config", leftOut("Balancing is a policy of the implementation")],
  ["upstream-hash-", leftOut("Balancing is a policy of the implementation")],
  ["slow-start", leftOut("Balancing is a policy of the implementation")],
  ["outlier-", leftOut("Balancing is a policy of the implementation")],
  ["service-upstream", leftOut("Whether Services or their endpoints are asked is up to the implementation")],
  ["connection-proxy-header", leftOut("Connections to backends are up to the implementation")],
  ["http2-push-preload", leftOut("Nothing is pushed, and browsers take nothing any more")],
  ["ssl-ciphers", leftOut("Ciphers are options of listeners that the implementation names")],
  ["ssl-prefer-", leftOut("Ciphers are options of listeners that the implementation names")],
  ["fastcgi-", leftOut("FastCGI is not spoken")],
  ["relative-redirects", leftOut("The form of Location is up to the implementation")],
  ["use-port-in-redirects", leftOut("Redirects name the port of their filter")],
  ["preserve-trailing-slash", leftOut("Redirects keep the path as it is")],
  ["rewrite-raw", leftOut("Whether escapes of a rewritten path stay is up to the implementation")],
  ["enable-rewrite-log", leftOut("Logs are up to the implementation")],
  ["enable-access-log", leftOut("Logs are up to the implementation")],
  ["access-log-", leftOut("Logs are up to the implementation")],
  ["enable-opentelemetry", leftOut("Tracing is a policy of the implementation")],
  ["opentelemetry-", leftOut("Tracing is a policy of the implementation")],
  ["configuration-snippet", open(ofSnippets)],
  ["server-snippet", open(ofSnippets)],
  ["stream-snippet", leftOut("There is no nginx to configure")],
  ["enable-modsecurity", open("A web application firewall is a policy of the implementation")],
  ["enable-owasp-core-rules", open("A web application firewall is a policy of the implementation")],
  ["modsecurity-transaction-id", leftOut("A web application firewall is a policy of the implementation")],
  ["modsecurity-", open("A web application firewall is a policy of the implementation")],
]

/** Why an annotation comes to nothing. @param name of today, without prefix @returns undefined for one that is converted, and for names that nobody knows */
export function reasonFor(name: string): Reason | undefined {
  if (converted.has(name)) return undefined
  return reasons.find(([beginning]) => name.startsWith(beginning))?.[1]
}
