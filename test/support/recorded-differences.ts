// Pairs for `wick lint`: what ingress-nginx 1.15.1 answers, what wick answers where that differs, and the rules that have to say so. Around each
// difference stand its near misses, of which lint must say nothing.
import type { Recorded, RecordedCase, RecordedRequest } from "./recorded-answers.ts"

const ok = { status: 200 }
const missing = { status: 404 }
const secretUser = { authorization: "Basic Zm9vOmJhcg==" }

type Annotations = Readonly<Record<string, string>>

/** Both answer the same, and lint says so. */
function same(
  name: string,
  annotations: Annotations,
  asks: readonly RecordedRequest[] = [{ answer: ok }],
  paths: readonly string[] = ["/"],
): RecordedCase {
  return { name, paths, annotations, asks, rules: [] }
}

/** Lint says these rules, and nothing else. */
function different(
  rules: readonly string[],
  annotations: Annotations,
  asks: readonly RecordedRequest[] = [{ answer: ok }],
  paths: readonly string[] = ["/"],
): RecordedCase {
  const [rule = ""] = rules
  const values = Object.entries(annotations).map(([key, value]) => `${key}: ${value}`)
  return { name: `${rule}: ${values.join(", ")}`, paths, annotations, asks, rules }
}

const at = (path: string, answer: Recorded, wick?: Recorded): RecordedRequest => ({
  path,
  answer,
  ...(wick && { wick }),
})
/** ingress-nginx leaves the whole Ingress out, so that its host is nobody's. */
const leftOut = (wick: Recorded = ok): readonly RecordedRequest[] => [{ answer: missing, wick }]

const basic = { "auth-type": "basic", "auth-secret": "users" }
const cors = { "enable-cors": "true" }
const cookie = { affinity: "cookie" }

export const recordedDifferences: readonly RecordedCase[] = [
  // passwords
  same("basic", basic, [{ answer: { status: 401 } }, { headers: secretUser, answer: ok }]),
  same("a realm", { ...basic, "auth-realm": "shop" }, [
    { answer: { status: 401, headers: { "www-authenticate": 'Basic realm="shop"' } } },
  ]),
  same("a Secret without type", { "auth-secret": "users" }),
  same("a realm without type", { "auth-realm": "shop" }),
  same("a wrong password", basic, [
    { headers: { authorization: "Basic Zm9vOm5v" }, answer: { status: 401 } },
  ]),
  different(
    ["auth-type-in-capitals"],
    { "auth-type": "Basic", "auth-secret": "users" },
    leftOut({ status: 401 }),
  ),
  different(
    ["auth-type-in-capitals"],
    { "auth-type": "BASIC", "auth-secret": "users" },
    leftOut({ status: 401 }),
  ),
  different(
    ["auth-type-in-capitals"],
    { "auth-type": "bAsIc", "auth-secret": "users" },
    leftOut({ status: 401 }),
  ),
  // lists of addresses
  same("an allow list for the client", { "allowlist-source-range": "127.0.0.1" }),
  same("an allow list with a network", { "allowlist-source-range": "10.0.0.0/8,127.0.0.0/8" }),
  same("the older name of the list", { "whitelist-source-range": "18.0.0.0/8" }, [
    { answer: { status: 403 } },
  ]),
  same("a deny list for the client", { "denylist-source-range": "127.0.0.0/8" }, [
    { answer: { status: 403 } },
  ]),
  same("a deny list for others", { "denylist-source-range": "18.0.0.0/8,56.0.0.1" }),
  same(
    "a list on a host's implicit path",
    { "allowlist-source-range": "18.0.0.0/8" },
    [at("/", { status: 403 }), at("/foo", { status: 403 })],
    ["/foo"],
  ),
  same("a password on a host's implicit path", basic, [at("/", { status: 401 })], ["/foo"]),
  // redirects
  same("app-root on other paths", { "app-root": "/foo" }, [
    at("/x", ok),
    at("/", { status: 302, headers: { location: "http://HOST/foo" } }),
  ]),
  same("a redirect of every path", { "permanent-redirect": "http://redirect.test" }, [
    at("/", { status: 301, headers: { location: "http://redirect.test" } }),
    at("/a?b", { status: 301, headers: { location: "http://redirect.test" } }),
  ]),
  same("another code", { "permanent-redirect": "http://redirect.test", "permanent-redirect-code": "308" }, [
    at("/", { status: 308, headers: { location: "http://redirect.test" } }),
  ]),
  same("a code alone", { "permanent-redirect-code": "308" }),
  same("a temporary code alone", { "temporal-redirect-code": "307" }),
  same("www onto nobody", { "from-to-www-redirect": "false" }),
  same("no redirect to HTTPS without a certificate", { "ssl-redirect": "true" }),
  same("relative redirects", { "permanent-redirect": "/new", "relative-redirects": "true" }, [
    at("/", { status: 301, headers: { location: "/new" } }),
  ]),
  // rewriting
  same("x-forwarded-prefix without a target", { "x-forwarded-prefix": "/p" }, [
    { answer: { status: 200, sent: { "x-forwarded-prefix": null } } },
  ]),
  same(
    "a target without groups",
    { "rewrite-target": "/new" },
    [at("/old/x", { status: 200, url: "/new" })],
    ["/old ~"],
  ),
  same(
    "arguments stay",
    { "rewrite-target": "/$1" },
    [at("/old/x?y=1", { status: 200, url: "/x?y=1" })],
    ["/old/(.*) ~"],
  ),
  same(
    "a pattern with an end",
    { "use-regex": "true" },
    [at("/id/1", ok), at("/id/123a", missing)],
    ["/id/[0-9]+$ ~"],
  ),
  same("use-regex that is false", { "use-regex": "false" }, [at("/foo", ok), at("/foox", missing)], ["/foo"]),
  different(["template-variable-unknown"], { "app-root": "/$hots" }, []),
  different(["template-variable-unknown"], { "rewrite-target": "/$nope" }, [], ["/old ~"]),
  different(["template-variable-unknown"], { "rewrite-target": "/new/$1$nope" }, [], ["/old/(.*) ~"]),
  // names of hosts
  same("an alias of a host that there is", { "server-alias": "HOST" }),
  different(["server-alias-metrics"], { "server-alias": "one.alias.test" }, [
    { host: "one.alias.test", answer: ok },
  ]),
  different(["server-alias-metrics"], { "server-alias": "two.alias.test,three.alias.test" }, [
    { host: "three.alias.test", answer: ok },
  ]),
  different(["server-alias-metrics"], { "server-alias": " four.alias.test " }, [
    { host: "four.alias.test", answer: ok },
  ]),
  // CORS
  same("CORS without an origin", cors, [
    { answer: { status: 200, headers: { "access-control-allow-origin": "*" } } },
  ]),
  same("CORS that is off", { "enable-cors": "false", "cors-allow-origin": "https://a.test" }, [
    {
      headers: { origin: "https://a.test" },
      answer: { status: 200, headers: { "access-control-allow-origin": null } },
    },
  ]),
  same("an origin without CORS", { "cors-allow-origin": "https://a.test" }),
  same("cors-max-age", { ...cors, "cors-max-age": "600" }, [
    {
      method: "OPTIONS",
      headers: { origin: "http://any.test", "access-control-request-method": "GET" },
      answer: { status: 204, headers: { "access-control-max-age": "600" } },
    },
  ]),
  same("cors-allow-headers", { ...cors, "cors-allow-headers": "X-One" }, [
    {
      method: "OPTIONS",
      headers: { origin: "http://any.test", "access-control-request-method": "GET" },
      answer: { status: 204, headers: { "access-control-allow-headers": "X-One" } },
    },
  ]),
  same("methods without CORS", { "cors-allow-methods": "GET" }),
  // sessions
  same("settings of sessions without any", { "session-cookie-name": "a", "session-cookie-path": "/" }, [
    { answer: { status: 200, headers: { "set-cookie": null } } },
  ]),
  same("a cookie that is over with the browser's session", { ...cookie, "session-cookie-name": "OVER" }, [
    { answer: { status: 200, headers: { "set-cookie": "OVER=" } } },
  ]),
  same("affinity-mode alone", { "affinity-mode": "persistent" }),
  same("change-on-failure alone", { "session-cookie-change-on-failure": "true" }),
  // balancing
  same("round_robin", { "load-balance": "round_robin" }),
  same("a subset without a key", { "upstream-hash-by-subset": "true" }),
  same("the size of a subset without one", { "upstream-hash-by-subset-size": "5" }),
  different(["upstream-hash-by-unknown"], { "upstream-hash-by": "$reqest_uri" }),
  different(["upstream-hash-by-unknown"], { "upstream-hash-by": "$remote_adr" }),
  different(["upstream-hash-by-unknown"], { "upstream-hash-by": "$host$nope" }),
  different(["upstream-hash-by-dollar"], { "upstream-hash-by": "a$" }),
  different(["upstream-hash-by-dollar"], { "upstream-hash-by": "$-" }),
  different(["load-balance-unknown-name"], { "load-balance": "robin" }, leftOut()),
  different(["load-balance-unknown-name"], { "load-balance": "EWMA" }, leftOut()),
  different(["load-balance-unknown-name"], { "load-balance": "ip_hash" }, leftOut()),
  // backends
  same("backend-protocol HTTP", { "backend-protocol": "HTTP" }),
  same("a name for TLS where none is spoken", {
    "proxy-ssl-name": "a.internal",
    "proxy-ssl-server-name": "on",
  }),
  same("verification where no TLS is spoken", { "proxy-ssl-verify": "off" }),
  same("a depth without a Secret", { "proxy-ssl-verify-depth": "2" }),
  same("proxy-http-version", { "proxy-http-version": "1.0" }),
  same("timeouts", { "proxy-read-timeout": "10", "proxy-send-timeout": "10", "proxy-connect-timeout": "5" }),
  same("buffering", { "proxy-buffering": "on", "proxy-buffer-size": "8k", "proxy-buffers-number": "4" }),
  same("a body size", { "proxy-body-size": "8m" }),
  same("no body size", { "proxy-body-size": "0" }, [{ method: "POST", answer: ok }]),
  same("the number of attempts", { "proxy-next-upstream-tries": "1" }),
  same("a Connection of requests", { "connection-proxy-header": "close" }, [
    { answer: { status: 200, sent: { connection: "close" } } },
  ]),
  same("a variable in the Host of requests", { "upstream-vhost": "$host.internal" }, [
    { answer: { status: 200, sent: { host: "HOST.internal" } } },
  ]),
  different(["annotation-value-refused"], { "connection-proxy-header": "upgrade" }, [
    at("/", { status: 404 }, ok),
  ]),
  different(["annotation-value-refused"], { "client-body-buffer-size": "15r" }, [
    at("/", { status: 404 }, ok),
  ]),
  different(["annotation-value-refused"], { "permanent-redirect": "http://a.test/;" }, [
    at("/", { status: 404 }, ok),
  ]),
  different(["annotation-variable-unknown"], { "upstream-vhost": "$hots" }, []),
  different(["annotation-variable-unknown"], { "upstream-vhost": "$hots.internal" }, []),
  different(["annotation-variable-unknown"], { "upstream-vhost": "a.$nope" }, []),
  // mirrors
  same("a mirror's Host without a mirror", { "mirror-host": "a.test" }),
  same("a mirror's body without a mirror", { "mirror-request-body": "off" }),
  same("a mirror with the request's path behind its host", {
    "mirror-target": "http://192.0.2.1$request_uri",
  }),
  same("a mirror with a path", { "mirror-target": "http://192.0.2.1/copy" }),
  different(["mirror-target-without-path"], { "mirror-target": "http://192.0.2.1" }),
  different(["mirror-target-without-path"], { "mirror-target": "https://192.0.2.1:8443" }),
  different(["mirror-target-without-path"], { "mirror-target": "http://192.0.2.2:80" }),
  // limits
  same("a burst without a limit", { "limit-burst-multiplier": "2" }),
  same("an allow list without a limit", { "limit-allowlist": "127.0.0.1" }),
  same("a rate", { "limit-rate": "100", "limit-rate-after": "10" }),
  same("the access log", { "enable-access-log": "false" }),
  same("the rewrite log", { "enable-rewrite-log": "true" }),
  // nothing of ours
  same("an annotation of another tool", { "cert-manager.io/cluster-issuer": "a" }),
  same("an empty annotation", { "upstream-vhost": "" }),
  same("an empty number", { "proxy-read-timeout": "" }),
]
