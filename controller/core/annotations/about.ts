import type { About as Told } from "../options/about.ts"

/** What a person has to know of an annotation to use it: words for docs/reference/annotations.md, which `npm run docs` prints. */
export interface About extends Told {
  /** the other annotations without which the example shows nothing; of ingress-nginx unless they name a prefix */
  readonly beside?: Readonly<Record<string, string>>
}

type Family = Readonly<Record<string, About>>

function about(
  values: string,
  example: string,
  initial: string,
  effect: string,
  beside?: About["beside"],
): About {
  return { values, example, initial, effect, ...(beside !== undefined && { beside }) }
}

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
  "use-regex": about(
    onOff,
    "true",
    "`false`",
    "paths of the host are regular expressions, in any case, anchored at their beginning",
  ),
  "rewrite-target": about(
    "a path with `$1` … `$9` for groups of the Ingress path",
    "/new/$1",
    nothing,
    "the path that the backend sees; makes the paths of the host regular expressions",
  ),
  "x-forwarded-prefix": about(
    "a path with `$1` … `$9`",
    "/shop",
    nothing,
    "`X-Forwarded-Prefix` of requests to the backend, beside a rewrite-target",
    { "rewrite-target": "/new" },
  ),
  "app-root": about("a path", "/start", nothing, "where a request for `/` is redirected to (302)"),
  "server-alias": about(
    "host names between commas",
    "shop.example.org",
    nothing,
    "more names under which the hosts of the Ingress are served",
  ),
  "from-to-www-redirect": about(
    onOff,
    "true",
    "`false`",
    "the host without `www.` leads to the one with it, or the other way round",
  ),
  "permanent-redirect": about(
    "a URL or path",
    "https://www.example.com/",
    nothing,
    "every request is redirected there; no endpoint is needed",
  ),
  "permanent-redirect-code": about("300 to 308", "308", "301", "status of permanent-redirect", {
    "permanent-redirect": "https://www.example.com/",
  }),
  "temporal-redirect": about(
    "a URL",
    "https://status.example.com/",
    nothing,
    "as permanent-redirect with a temporary status; comes before it",
  ),
  "temporal-redirect-code": about("300 to 307", "307", "302", "status of temporal-redirect", {
    "temporal-redirect": "https://status.example.com/",
  }),
  "ssl-redirect": about(
    onOff,
    "false",
    ofTheConfigMap,
    "plain HTTP is redirected to HTTPS where the host has a certificate",
  ),
  "force-ssl-redirect": about(
    onOff,
    "true",
    ofTheConfigMap,
    "plain HTTP is redirected to HTTPS, certificate or not",
  ),
  "preserve-trailing-slash": about(
    onOff,
    "true",
    ofTheConfigMap,
    "the redirect to HTTPS repeats the path as it was requested",
    { "force-ssl-redirect": "true" },
  ),
  "ssl-passthrough": about(
    onOff,
    "true",
    "`false`",
    "TLS connections for the hosts go to the Service of path `/` undecrypted; needs `--enable-ssl-passthrough`. Plain HTTP is served as ever, by HTTPS to the endpoints",
  ),
  "relative-redirects": about(onOff, "true", "`false`", "redirects of nginx itself name no host"),
  "use-port-in-redirects": about(onOff, "true", ofTheConfigMap, "redirects name the port"),
  "enable-rewrite-log": about(onOff, "true", "`false`", "the error log tells of every rewritten path", {
    "rewrite-target": "/new",
  }),
}

const backends: Family = {
  "backend-protocol": about(
    "`HTTP`, `HTTPS`, `AUTO_HTTP`, `GRPC`, `GRPCS` or `FCGI`",
    "HTTPS",
    "`HTTP`",
    "how endpoints are spoken to; `AUTO_HTTP` goes by the client's own scheme",
  ),
  "service-upstream": about(onOff, "true", ofTheConfigMap, "the Service's own address is the only endpoint"),
  "upstream-vhost": about(
    "a host name, variables allowed",
    "internal.example.com",
    "the host of the request",
    "`Host` of requests to the backend",
  ),
  "connection-proxy-header": about(
    "`close` or `keep-alive`",
    "keep-alive",
    "`upgrade` for upgrades, else nothing",
    "`Connection` of requests to the backend",
  ),
  "custom-headers": about(
    "`namespace/name` of a ConfigMap",
    "shop/headers",
    nothing,
    "its entries are headers of every response; the key global-allowed-response-headers must list them",
  ),
  "http2-push-preload": about(onOff, "true", "`false`", "nothing: browsers have dropped server push"),
  "enable-access-log": about(onOff, "false", "`true`", "whether requests are logged"),
}

const proxying: Family = {
  "proxy-connect-timeout": about(
    seconds,
    "10",
    ofTheConfigMap,
    "longest wait for a connection to an endpoint",
  ),
  "proxy-send-timeout": about(
    seconds,
    "120",
    ofTheConfigMap,
    "longest pause while a request is sent to an endpoint",
  ),
  "proxy-read-timeout": about(
    seconds,
    "120",
    ofTheConfigMap,
    "longest pause while a response is read; then 504",
  ),
  "proxy-body-size": about(
    `${size}; \`0\` is no limit`,
    "8m",
    ofTheConfigMap,
    "largest request body; a larger one is answered 413",
  ),
  "client-body-buffer-size": about(
    size,
    "16k",
    ofTheConfigMap,
    "how much of a request body is kept in memory",
  ),
  "proxy-buffer-size": about(
    size,
    "8k",
    ofTheConfigMap,
    "room for the head of a response, and size of each buffer",
  ),
  "proxy-buffers-number": about(count, "8", ofTheConfigMap, "how many buffers a response may fill"),
  "proxy-busy-buffers-size": about(
    size,
    "16k",
    ofTheConfigMap,
    "how much of them may be on its way to the client",
  ),
  "proxy-buffering": about(onOffWord, "on", ofTheConfigMap, "whether responses are buffered"),
  "proxy-request-buffering": about(
    onOffWord,
    "off",
    ofTheConfigMap,
    "`off` passes request bodies on while they come in",
  ),
  "proxy-max-temp-file-size": about(
    `${size}; \`0\` is none`,
    "256m",
    ofTheConfigMap,
    "how much of a buffered response may go to disk",
  ),
  "proxy-http-version": about("`1.0` or `1.1`", "1.0", ofTheConfigMap, "version of HTTP towards endpoints"),
  "proxy-next-upstream": about(
    "words of nginx's `proxy_next_upstream` between blanks",
    "error timeout http_502",
    ofTheConfigMap,
    "after which failures another endpoint is tried",
  ),
  "proxy-next-upstream-timeout": about(
    `${seconds}; \`0\` is no limit`,
    "10",
    ofTheConfigMap,
    "how long after the first attempt another may begin",
  ),
  "proxy-next-upstream-tries": about(`${count}; \`0\` is no limit`, "2", ofTheConfigMap, "attempts in all"),
  "proxy-cookie-domain": about(
    "`off`, or two names between a blank",
    "internal.test example.com",
    ofTheConfigMap,
    "in cookies of the backend the first domain becomes the second",
  ),
  "proxy-cookie-path": about(
    "`off`, or two paths between a blank",
    "/app /shop",
    ofTheConfigMap,
    "in cookies of the backend the first path becomes the second",
  ),
  "proxy-redirect-from": about(
    "`off`, `default`, or the beginning of a URL",
    "http://internal.test/",
    ofTheConfigMap,
    "what is replaced in `Location` and `Refresh` of the backend",
    { "proxy-redirect-to": "https://example.com/" },
  ),
  "proxy-redirect-to": about(
    "the beginning of a URL",
    "https://example.com/",
    ofTheConfigMap,
    "what stands there instead",
    { "proxy-redirect-from": "http://internal.test/" },
  ),
  "proxy-ssl-secret": about(
    "`namespace/name` of a Secret",
    "shop/backend-tls",
    nothing,
    "its `tls.crt` and `tls.key` are shown to endpoints, its `ca.crt` says whom to trust",
    tls,
  ),
  "proxy-ssl-verify": about(
    onOffWord,
    "on",
    "`off`",
    "endpoints must have a certificate that the `ca.crt` of proxy-ssl-secret vouches for; else 502",
    { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  ),
  "proxy-ssl-verify-depth": about(count, "2", "1", "longest chain of certificates", {
    ...tls,
    "proxy-ssl-secret": "shop/backend-tls",
    "proxy-ssl-verify": "on",
  }),
  "proxy-ssl-name": about(
    "a host name, variables allowed",
    "internal.example.com",
    nothing,
    "name in the endpoint's certificate, and of SNI",
    { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  ),
  "proxy-ssl-server-name": about(onOffWord, "on", "`off`", "whether endpoints are told a name (SNI)", {
    ...tls,
    "proxy-ssl-secret": "shop/backend-tls",
  }),
  "proxy-ssl-protocols": about(
    "`TLSv1.2`, `TLSv1.3` or both between a blank",
    "TLSv1.3",
    "`TLSv1.2`",
    "versions of TLS towards endpoints",
    { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  ),
  "proxy-ssl-ciphers": about(
    "a cipher list of OpenSSL",
    "HIGH:!aNULL",
    "`DEFAULT`",
    "ciphers towards endpoints",
    { ...tls, "proxy-ssl-secret": "shop/backend-tls" },
  ),
  "fastcgi-index": about(
    "a file name",
    "index.php",
    nothing,
    "what stands for a path that ends in a slash",
    fastcgi,
  ),
  "fastcgi-params-configmap": about(
    "`namespace/name` of a ConfigMap",
    "shop/fastcgi",
    nothing,
    "its entries are parameters of every request; variables allowed",
    fastcgi,
  ),
}

const errors: Family = {
  "default-backend": about(
    "name of a Service in the same namespace",
    "errors",
    "the default backend of wick",
    "serves while the rule's Service has no endpoint, and answers custom-http-errors",
  ),
  "custom-http-errors": about(
    "codes from 400 to 599 between commas",
    "404,503",
    ofTheConfigMap,
    "responses with these codes are replaced by the default backend's",
  ),
  "disable-proxy-intercept-errors": about(
    onOff,
    "true",
    ofTheConfigMap,
    "only errors of nginx itself are replaced, not those of the backend",
    { "custom-http-errors": "503" },
  ),
}

const mirroring: Family = {
  "mirror-target": about(
    "a URL, variables allowed",
    "https://shadow.example.com$request_uri",
    nothing,
    "every request is sent there too; the answer is dropped",
  ),
  "mirror-host": about(
    "a host name, variables allowed",
    "shadow.test",
    "host of mirror-target",
    "`Host` of mirrored requests",
    mirrored,
  ),
  "mirror-request-body": about(onOffWord, "off", "`on`", "whether they have the body", mirrored),
}

const balancing: Family = {
  "load-balance": about(
    "`round_robin`, `ewma`, `least_conn` or `p2c`",
    "ewma",
    ofTheConfigMap,
    "which endpoint serves a request (docs/balancing.md)",
  ),
  "upstream-hash-by": about(
    "text with variables",
    "$request_uri",
    nothing,
    "requests with the same text go to the same endpoint",
  ),
  "upstream-hash-by-subset": about(onOff, "true", "`false`", "they go to the same few endpoints instead", {
    "upstream-hash-by": "$request_uri",
  }),
  "upstream-hash-by-subset-size": about(count, "5", "3", "how many those are", {
    "upstream-hash-by": "$request_uri",
    "upstream-hash-by-subset": "true",
  }),
  "slow-start": about(
    "a time with its unit",
    "30s",
    nothing,
    "the share of an added endpoint grows for so long",
  ),
  "outlier-failures": about(
    "1 to 1000",
    "5",
    nothing,
    "an endpoint is left out after so many failed attempts in a row",
  ),
  "outlier-ejection-time": about("a time with its unit", "1m", "`30s`", "for so long", {
    "wick.dev/outlier-failures": "5",
  }),
}

const sessions: Family = {
  affinity: about("`cookie`", "cookie", nothing, "a client stays with its endpoint by means of a cookie"),
  "affinity-mode": about(
    "`balanced` or `persistent`",
    "persistent",
    "`balanced`",
    "whether sessions move when endpoints are added",
    session,
  ),
  "affinity-canary-behavior": about(
    "`sticky` or `legacy`",
    "legacy",
    "`sticky`",
    "of a canary: whether it keeps sessions as the backend that it stands in for",
    canary,
  ),
  "session-cookie-name": about("a name", "route", "`INGRESSCOOKIE`", "name of the cookie", session),
  "session-cookie-expires": about(
    seconds,
    "3600",
    nothing,
    "`Expires` of the cookie, counted from now",
    session,
  ),
  "session-cookie-max-age": about(seconds, "3600", nothing, "`Max-Age` of the cookie", session),
  "session-cookie-path": about("a path", "/", "path of the rule", "`Path` of the cookie", session),
  "session-cookie-domain": about("a domain", "example.com", nothing, "`Domain` of the cookie", session),
  "session-cookie-samesite": about(
    "`None`, `Lax` or `Strict`",
    "Lax",
    nothing,
    "`SameSite` of the cookie",
    session,
  ),
  "session-cookie-secure": about(onOff, "true", "`false`", "`Secure` on plain HTTP too", session),
  "session-cookie-conditional-samesite-none": about(
    onOff,
    "true",
    "`false`",
    "no `SameSite=None` for browsers that get it wrong",
    session,
  ),
  "session-cookie-change-on-failure": about(
    onOff,
    "true",
    "`false`",
    "after a failure the session moves to the endpoint that answered",
    session,
  ),
}

const canaries: Family = {
  canary: about(
    onOff,
    "true",
    "`false`",
    "the Ingress takes requests from an older one with the same hosts and paths",
  ),
  "canary-weight": about(count, "20", "0", "its share of requests", canary),
  "canary-weight-total": about(count, "1000", "100", "what the share is counted of", canary),
  "canary-by-header": about(
    "name of a header",
    "X-Canary",
    nothing,
    "`always` takes the request, `never` leaves it",
    canary,
  ),
  "canary-by-header-value": about(
    "text",
    "beta",
    nothing,
    "the value of that header that takes the request, instead of those words",
    { ...canary, "canary-by-header": "X-Canary" },
  ),
  "canary-by-header-pattern": about(
    "a regular expression (PCRE)",
    "^beta",
    nothing,
    "the same for values that match",
    { ...canary, "canary-by-header": "X-Canary" },
  ),
  "canary-by-cookie": about(
    "name of a cookie",
    "canary",
    nothing,
    "`always` takes the request, `never` leaves it",
    canary,
  ),
  "canary-n-way": about(
    onOff,
    "true",
    "`false`",
    "takes its share beside older canaries of the same backend",
    canary,
  ),
}

const handshakes: Family = {
  "ssl-ciphers": about(
    "a cipher list of OpenSSL",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "as the ConfigMap says",
    "ciphers for TLS 1.2 and below; of several Ingresses of a host the oldest that says something decides",
  ),
  "ssl-prefer-server-ciphers": about(
    onOff,
    "false",
    "`true`",
    "whether the server's order of ciphers counts, not the client's",
  ),
}

const authority = { "auth-tls-secret": "shop/clients-ca" }

const clientCertificates: Family = {
  "auth-tls-secret": about(
    "`namespace/name` of a Secret with `ca.crt`, and `ca.crl` if there are CRLs",
    "shop/clients-ca",
    nothing,
    "requests by HTTPS for the hosts of the Ingress, on all paths, need a certificate that one of these authorities has signed (400 without)",
  ),
  "auth-tls-verify-client": about(
    "`on`, `off`, `optional`, `optional_no_ca`",
    "optional",
    "`on`",
    "whether clients may come without certificate (`optional`), with that of another authority (`optional_no_ca`), or are not asked (`off`)",
    authority,
  ),
  "auth-tls-verify-depth": about(
    "1 to 100",
    "2",
    "1",
    "how many certificates there may be between the client's and the authority's",
    authority,
  ),
  "auth-tls-match-cn": about(
    "`CN=` and a regular expression (PCRE)",
    "CN=(alice|bob)",
    nothing,
    "what has to be in the subject's distinguished name (403)",
    authority,
  ),
  "auth-tls-error-page": about(
    "a URL or a path",
    "https://example.com/no-certificate",
    nothing,
    "where clients without a good certificate are redirected to, or whose answer they get",
    authority,
  ),
  "auth-tls-pass-certificate-to-upstream": about(
    onOff,
    "true",
    "`false`",
    "the backend gets the certificate as `ssl-client-cert`: PEM, escaped as in a URL",
    authority,
  ),
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
  "TLS towards clients": handshakes,
  "Client certificates": clientCertificates,
}
