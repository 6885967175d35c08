import type { About as Told } from "../options/about.ts"

/** What a person has to know of an annotation to use it: words for docs/reference/annotations.md, which `npm run docs` prints. */
export interface About extends Told {
  /** the other annotations without which the example shows nothing; of ingress-nginx unless they name a prefix */
  readonly beside?: Readonly<Record<string, string>>
}

type Family = Readonly<Record<string, About>>

const onOff = "`true` or `false`"
const onOffWord = "`on` or `off`"
const seconds = "whole seconds, no unit"
const count = "a whole number"
const size = "a number of bytes, or one with `k`, `m` or `g`"
const nothing = "–"
const ofTheConfigMap = "as the ConfigMap says"

const session = { affinity: "cookie" }
const canary = { canary: "true" }
const tls = { "backend-protocol": "HTTPS" }
const mirrored = { "mirror-target": "https://shadow.example.com$request_uri" }
const fastcgi = { "backend-protocol": "FCGI" }

const routing: Family = {
  "use-regex": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "paths of the host are regular expressions, in any case, anchored at their beginning",
  },
  "rewrite-target": {
    values: "a path with `$1` … `$9` for groups of the Ingress path",
    example: "/new/$1",
    initial: nothing,
    effect: "the path that the backend sees; makes the paths of the host regular expressions",
  },
  "x-forwarded-prefix": {
    values: "a path with `$1` … `$9`",
    example: "/shop",
    initial: nothing,
    effect: "`X-Forwarded-Prefix` of requests to the backend, beside a rewrite-target",
    beside: { "rewrite-target": "/new" },
  },
  "app-root": {
    values: "a path",
    example: "/start",
    initial: nothing,
    effect: "where a request for `/` is redirected to (302)",
  },
  "server-alias": {
    values: "host names between commas",
    example: "shop.example.org",
    initial: nothing,
    effect: "more names under which the hosts of the Ingress are served",
  },
  "from-to-www-redirect": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the host without `www.` leads to the one with it, or the other way round",
  },
  "permanent-redirect": {
    values: "a URL or path",
    example: "https://www.example.com/",
    initial: nothing,
    effect: "every request is redirected there; no endpoint is needed",
  },
  "permanent-redirect-code": {
    values: "300 to 308",
    example: "308",
    initial: "301",
    effect: "status of permanent-redirect",
    beside: { "permanent-redirect": "https://www.example.com/" },
  },
  "temporal-redirect": {
    values: "a URL",
    example: "https://status.example.com/",
    initial: nothing,
    effect: "as permanent-redirect with a temporary status; comes before it",
  },
  "temporal-redirect-code": {
    values: "300 to 307",
    example: "307",
    initial: "302",
    effect: "status of temporal-redirect",
    beside: { "temporal-redirect": "https://status.example.com/" },
  },
  "ssl-redirect": {
    values: onOff,
    example: "false",
    initial: ofTheConfigMap,
    effect: "plain HTTP is redirected to HTTPS where the host has a certificate",
  },
  "force-ssl-redirect": {
    values: onOff,
    example: "true",
    initial: ofTheConfigMap,
    effect: "plain HTTP is redirected to HTTPS, certificate or not",
  },
  "preserve-trailing-slash": {
    values: onOff,
    example: "true",
    initial: ofTheConfigMap,
    effect: "the redirect to HTTPS repeats the path as it was requested",
    beside: { "force-ssl-redirect": "true" },
  },
  "relative-redirects": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "redirects of nginx itself name no host",
  },
  "use-port-in-redirects": {
    values: onOff,
    example: "true",
    initial: ofTheConfigMap,
    effect: "redirects name the port",
  },
  "enable-rewrite-log": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the error log tells of every rewritten path",
    beside: { "rewrite-target": "/new" },
  },
}

const backends: Family = {
  "backend-protocol": {
    values: "`HTTP`, `HTTPS`, `AUTO_HTTP`, `GRPC`, `GRPCS` or `FCGI`",
    example: "HTTPS",
    initial: "`HTTP`",
    effect: "how endpoints are spoken to; `AUTO_HTTP` goes by the client's own scheme",
  },
  "service-upstream": {
    values: onOff,
    example: "true",
    initial: ofTheConfigMap,
    effect: "the Service's own address is the only endpoint",
  },
  "upstream-vhost": {
    values: "a host name, variables allowed",
    example: "internal.example.com",
    initial: "the host of the request",
    effect: "`Host` of requests to the backend",
  },
  "connection-proxy-header": {
    values: "`close` or `keep-alive`",
    example: "keep-alive",
    initial: "`upgrade` for upgrades, else nothing",
    effect: "`Connection` of requests to the backend",
  },
  "custom-headers": {
    values: "`namespace/name` of a ConfigMap",
    example: "shop/headers",
    initial: nothing,
    effect:
      "its entries are headers of every response; the key global-allowed-response-headers must list them",
  },
  "http2-push-preload": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "nothing: browsers have dropped server push",
  },
  "enable-access-log": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "whether requests are logged",
  },
}

const proxying: Family = {
  "proxy-connect-timeout": {
    values: seconds,
    example: "10",
    initial: ofTheConfigMap,
    effect: "longest wait for a connection to an endpoint",
  },
  "proxy-send-timeout": {
    values: seconds,
    example: "120",
    initial: ofTheConfigMap,
    effect: "longest pause while a request is sent to an endpoint",
  },
  "proxy-read-timeout": {
    values: seconds,
    example: "120",
    initial: ofTheConfigMap,
    effect: "longest pause while a response is read; then 504",
  },
  "proxy-body-size": {
    values: `${size}; \`0\` is no limit`,
    example: "8m",
    initial: ofTheConfigMap,
    effect: "largest request body; a larger one is answered 413",
  },
  "client-body-buffer-size": {
    values: size,
    example: "16k",
    initial: ofTheConfigMap,
    effect: "how much of a request body is kept in memory",
  },
  "proxy-buffer-size": {
    values: size,
    example: "8k",
    initial: ofTheConfigMap,
    effect: "room for the head of a response, and size of each buffer",
  },
  "proxy-buffers-number": {
    values: count,
    example: "8",
    initial: ofTheConfigMap,
    effect: "how many buffers a response may fill",
  },
  "proxy-busy-buffers-size": {
    values: size,
    example: "16k",
    initial: ofTheConfigMap,
    effect: "how much of them may be on its way to the client",
  },
  "proxy-buffering": {
    values: onOffWord,
    example: "on",
    initial: ofTheConfigMap,
    effect: "whether responses are buffered",
  },
  "proxy-request-buffering": {
    values: onOffWord,
    example: "off",
    initial: ofTheConfigMap,
    effect: "`off` passes request bodies on while they come in",
  },
  "proxy-max-temp-file-size": {
    values: `${size}; \`0\` is none`,
    example: "256m",
    initial: ofTheConfigMap,
    effect: "how much of a buffered response may go to disk",
  },
  "proxy-http-version": {
    values: "`1.0` or `1.1`",
    example: "1.0",
    initial: ofTheConfigMap,
    effect: "version of HTTP towards endpoints",
  },
  "proxy-next-upstream": {
    values: "words of nginx's `proxy_next_upstream` between blanks",
    example: "error timeout http_502",
    initial: ofTheConfigMap,
    effect: "after which failures another endpoint is tried",
  },
  "proxy-next-upstream-timeout": {
    values: `${seconds}; \`0\` is no limit`,
    example: "10",
    initial: ofTheConfigMap,
    effect: "how long after the first attempt another may begin",
  },
  "proxy-next-upstream-tries": {
    values: `${count}; \`0\` is no limit`,
    example: "2",
    initial: ofTheConfigMap,
    effect: "attempts in all",
  },
  "proxy-cookie-domain": {
    values: "`off`, or two names between a blank",
    example: "internal.test example.com",
    initial: ofTheConfigMap,
    effect: "in cookies of the backend the first domain becomes the second",
  },
  "proxy-cookie-path": {
    values: "`off`, or two paths between a blank",
    example: "/app /shop",
    initial: ofTheConfigMap,
    effect: "in cookies of the backend the first path becomes the second",
  },
  "proxy-redirect-from": {
    values: "`off`, `default`, or the beginning of a URL",
    example: "http://internal.test/",
    initial: ofTheConfigMap,
    effect: "what is replaced in `Location` and `Refresh` of the backend",
    beside: { "proxy-redirect-to": "https://example.com/" },
  },
  "proxy-redirect-to": {
    values: "the beginning of a URL",
    example: "https://example.com/",
    initial: ofTheConfigMap,
    effect: "what stands there instead",
    beside: { "proxy-redirect-from": "http://internal.test/" },
  },
  "proxy-ssl-secret": {
    values: "`namespace/name` of a Secret",
    example: "shop/backend-tls",
    initial: nothing,
    effect: "its `tls.crt` and `tls.key` are shown to endpoints, its `ca.crt` says whom to trust",
    beside: tls,
  },
  "proxy-ssl-verify": {
    values: onOffWord,
    example: "on",
    initial: "`off`",
    effect: "endpoints must have a certificate that the `ca.crt` of proxy-ssl-secret vouches for; else 502",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  },
  "proxy-ssl-verify-depth": {
    values: count,
    example: "2",
    initial: "1",
    effect: "longest chain of certificates",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls", "proxy-ssl-verify": "on" },
  },
  "proxy-ssl-name": {
    values: "a host name, variables allowed",
    example: "internal.example.com",
    initial: nothing,
    effect: "name in the endpoint's certificate, and of SNI",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  },
  "proxy-ssl-server-name": {
    values: onOffWord,
    example: "on",
    initial: "`off`",
    effect: "whether endpoints are told a name (SNI)",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  },
  "proxy-ssl-protocols": {
    values: "`TLSv1.2`, `TLSv1.3` or both between a blank",
    example: "TLSv1.3",
    initial: "`TLSv1.2`",
    effect: "versions of TLS towards endpoints",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  },
  "proxy-ssl-ciphers": {
    values: "a cipher list of OpenSSL",
    example: "HIGH:!aNULL",
    initial: "`DEFAULT`",
    effect: "ciphers towards endpoints",
    beside: { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  },
  "fastcgi-index": {
    values: "a file name",
    example: "index.php",
    initial: nothing,
    effect: "what stands for a path that ends in a slash",
    beside: fastcgi,
  },
  "fastcgi-params-configmap": {
    values: "`namespace/name` of a ConfigMap",
    example: "shop/fastcgi",
    initial: nothing,
    effect: "its entries are parameters of every request; variables allowed",
    beside: fastcgi,
  },
}

const errors: Family = {
  "default-backend": {
    values: "name of a Service in the same namespace",
    example: "errors",
    initial: "the default backend of wick",
    effect: "serves while the rule's Service has no endpoint, and answers custom-http-errors",
  },
  "custom-http-errors": {
    values: "codes from 400 to 599 between commas",
    example: "404,503",
    initial: ofTheConfigMap,
    effect: "responses with these codes are replaced by the default backend's",
  },
  "disable-proxy-intercept-errors": {
    values: onOff,
    example: "true",
    initial: ofTheConfigMap,
    effect: "only errors of nginx itself are replaced, not those of the backend",
    beside: { "custom-http-errors": "503" },
  },
}

const mirroring: Family = {
  "mirror-target": {
    values: "a URL, variables allowed",
    example: "https://shadow.example.com$request_uri",
    initial: nothing,
    effect: "every request is sent there too; the answer is dropped",
  },
  "mirror-host": {
    values: "a host name, variables allowed",
    example: "shadow.test",
    initial: "host of mirror-target",
    effect: "`Host` of mirrored requests",
    beside: mirrored,
  },
  "mirror-request-body": {
    values: onOffWord,
    example: "off",
    initial: "`on`",
    effect: "whether they have the body",
    beside: mirrored,
  },
}

const balancing: Family = {
  "load-balance": {
    values: "`round_robin`, `ewma`, `least_conn` or `p2c`",
    example: "ewma",
    initial: ofTheConfigMap,
    effect: "which endpoint serves a request (docs/balancing.md)",
  },
  "upstream-hash-by": {
    values: "text with variables",
    example: "$request_uri",
    initial: nothing,
    effect: "requests with the same text go to the same endpoint",
  },
  "upstream-hash-by-subset": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "they go to the same few endpoints instead",
    beside: { "upstream-hash-by": "$request_uri" },
  },
  "upstream-hash-by-subset-size": {
    values: count,
    example: "5",
    initial: "3",
    effect: "how many those are",
    beside: { "upstream-hash-by": "$request_uri", "upstream-hash-by-subset": "true" },
  },
  "slow-start": {
    values: "a time with its unit",
    example: "30s",
    initial: nothing,
    effect: "the share of an added endpoint grows for so long",
  },
  "outlier-failures": {
    values: "1 to 1000",
    example: "5",
    initial: nothing,
    effect: "an endpoint is left out after so many failed attempts in a row",
  },
  "outlier-ejection-time": {
    values: "a time with its unit",
    example: "1m",
    initial: "`30s`",
    effect: "for so long",
    beside: { "wick.dev/outlier-failures": "5" },
  },
}

const sessions: Family = {
  affinity: {
    values: "`cookie`",
    example: "cookie",
    initial: nothing,
    effect: "a client stays with its endpoint by means of a cookie",
  },
  "affinity-mode": {
    values: "`balanced` or `persistent`",
    example: "persistent",
    initial: "`balanced`",
    effect: "whether sessions move when endpoints are added",
    beside: session,
  },
  "affinity-canary-behavior": {
    values: "`sticky` or `legacy`",
    example: "legacy",
    initial: "`sticky`",
    effect: "of a canary: whether it keeps sessions as the backend that it stands in for",
    beside: canary,
  },
  "session-cookie-name": {
    values: "a name",
    example: "route",
    initial: "`INGRESSCOOKIE`",
    effect: "name of the cookie",
    beside: session,
  },
  "session-cookie-expires": {
    values: seconds,
    example: "3600",
    initial: nothing,
    effect: "`Expires` of the cookie, counted from now",
    beside: session,
  },
  "session-cookie-max-age": {
    values: seconds,
    example: "3600",
    initial: nothing,
    effect: "`Max-Age` of the cookie",
    beside: session,
  },
  "session-cookie-path": {
    values: "a path",
    example: "/",
    initial: "path of the rule",
    effect: "`Path` of the cookie",
    beside: session,
  },
  "session-cookie-domain": {
    values: "a domain",
    example: "example.com",
    initial: nothing,
    effect: "`Domain` of the cookie",
    beside: session,
  },
  "session-cookie-samesite": {
    values: "`None`, `Lax` or `Strict`",
    example: "Lax",
    initial: nothing,
    effect: "`SameSite` of the cookie",
    beside: session,
  },
  "session-cookie-secure": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "`Secure` on plain HTTP too",
    beside: session,
  },
  "session-cookie-conditional-samesite-none": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "no `SameSite=None` for browsers that get it wrong",
    beside: session,
  },
  "session-cookie-change-on-failure": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "after a failure the session moves to the endpoint that answered",
    beside: session,
  },
}

const canaries: Family = {
  canary: {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the Ingress takes requests from an older one with the same hosts and paths",
  },
  "canary-weight": {
    values: count,
    example: "20",
    initial: "0",
    effect: "its share of requests",
    beside: canary,
  },
  "canary-weight-total": {
    values: count,
    example: "1000",
    initial: "100",
    effect: "what the share is counted of",
    beside: canary,
  },
  "canary-by-header": {
    values: "name of a header",
    example: "X-Canary",
    initial: nothing,
    effect: "`always` takes the request, `never` leaves it",
    beside: canary,
  },
  "canary-by-header-value": {
    values: "text",
    example: "beta",
    initial: nothing,
    effect: "the value of that header that takes the request, instead of those words",
    beside: { ...canary, "canary-by-header": "X-Canary" },
  },
  "canary-by-header-pattern": {
    values: "a regular expression (PCRE)",
    example: "^beta",
    initial: nothing,
    effect: "the same for values that match",
    beside: { ...canary, "canary-by-header": "X-Canary" },
  },
  "canary-by-cookie": {
    values: "name of a cookie",
    example: "canary",
    initial: nothing,
    effect: "`always` takes the request, `never` leaves it",
    beside: canary,
  },
  "canary-n-way": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "takes its share beside older canaries of the same backend",
    beside: canary,
  },
}

/** By the titles under which the reference has them. */
export const families: Readonly<Record<string, Family>> = {
  Routing: routing,
  Backends: backends,
  Proxying: proxying,
  Errors: errors,
  Mirroring: mirroring,
  Balancing: balancing,
  Sessions: sessions,
  Canaries: canaries,
}
