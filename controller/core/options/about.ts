/** What a person has to know of a key of the ConfigMap to use it: words for docs/reference/configmap.md, which `npm run docs` prints. */
export interface About {
  /** what may be written */
  readonly values: string
  /** one such value that is not the default */
  readonly example: string
  /** what holds without it */
  readonly initial: string
  /** what it does: a phrase without a final dot */
  readonly effect: string
  /** to be shown in the place of the example, which nobody should copy */
  readonly shown?: string
}

type Family = Readonly<Record<string, About>>

function about(values: string, example: string, initial: string, effect: string): About {
  return { values, example, initial, effect }
}

const onOff = "`true` or `false`"
const onOffWord = "`on` or `off`"
const seconds = "whole seconds, no unit"
const count = "a whole number"
const size = "a number of bytes, or one with `k`, `m` or `g`"
const nothing = "–"

const clientConnections: Family = {
  "keep-alive": about(
    `${seconds}; \`0\` closes after each response`,
    "60",
    "75",
    "how long an idle connection of a client is kept",
  ),
  "keep-alive-requests": about(count, "100", "1000", "requests on one connection of a client"),
  "client-header-buffer-size": about(size, "4k", "`1k`", "room for the head of a request"),
  "client-header-timeout": about(seconds, "30", "60", "longest time for the head of a request"),
  "client-body-buffer-size": about(size, "16k", "`8k`", "how much of a request body is kept in memory"),
  "client-body-timeout": about(seconds, "30", "60", "longest pause while a request body is read"),
  "large-client-header-buffers": about(
    "a number and a size",
    "8 16k",
    "`4 8k`",
    "room for heads that do not fit; a longer line is refused",
  ),
  "enable-underscores-in-headers": about(
    onOff,
    "true",
    "`false`",
    "whether headers of requests may have underscores",
  ),
  "ignore-invalid-headers": about(
    onOff,
    "false",
    "`true`",
    "whether headers with other odd names are dropped",
  ),
  "use-http2": about(onOff, "false", "`true`", "HTTP/2 for clients that come by TLS"),
  "http2-max-concurrent-streams": about(count, "64", "128", "requests at once on one HTTP/2 connection"),
}

const listeners: Family = {
  "bind-address": about("addresses between commas", "127.0.0.1", "all", "where clients are listened for"),
  "disable-ipv6": about(onOff, "true", "`false`", "no listener on IPv6"),
  "disable-ipv6-dns": about(onOff, "true", "`true` without IPv6", "names are looked up for IPv4 alone"),
  "reuse-port": about(onOff, "false", "`true`", "each worker has a listening socket of its own"),
  "use-proxy-protocol": about(onOff, "true", "`false`", "connections begin with the PROXY protocol"),
  "nginx-status-ipv4-whitelist": about(
    "ranges between commas",
    "10.0.0.0/8",
    "`127.0.0.1`",
    "who may read `/nginx_status`",
  ),
  "nginx-status-ipv6-whitelist": about("ranges between commas", "fd00::/8", "`::1`", "the same for IPv6"),
  "block-cidrs": about("ranges between commas", "192.0.2.0/24", nothing, "clients that are answered 403"),
  "block-user-agents": about(
    "texts or `~` patterns between commas",
    "~*badbot",
    nothing,
    "user agents that are answered 403",
  ),
  "block-referers": about(
    "texts or `~` patterns between commas",
    "~*spam",
    nothing,
    "referers that are answered 403",
  ),
}

const tls: Family = {
  "ssl-protocols": about(
    "`TLSv1`, `TLSv1.1`, `TLSv1.2`, `TLSv1.3` between blanks",
    "TLSv1.3",
    "`TLSv1.2 TLSv1.3`",
    "versions that clients may use",
  ),
  "ssl-ciphers": about(
    "a cipher list of OpenSSL",
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256",
    "as Mozilla's intermediate profile",
    "ciphers for TLS 1.2 and below, in the order of preference",
  ),
  "ssl-ecdh-curve": about(
    "`auto`, or names between colons",
    "X25519:prime256v1",
    "`auto`",
    "curves for the exchange of keys",
  ),
  "ssl-dh-param": about(
    "`namespace/name` of a Secret",
    "shop/dh",
    nothing,
    "its `dhparam.pem` is what ciphers with DHE need; without it there are none",
  ),
  "ssl-session-cache": about(
    onOff,
    "false",
    "`true`",
    "the server remembers sessions for clients that come again",
  ),
  "ssl-session-cache-size": about(size, "20m", "`10m`", "room for them; 1 MB are some 4000"),
  "ssl-session-timeout": about("a time of nginx", "1h", "`10m`", "how long a session may be taken up again"),
  "ssl-session-tickets": about(
    onOff,
    "true",
    "`false`",
    "clients remember their sessions themselves, encrypted",
  ),
  "ssl-session-ticket-key": {
    ...about(
      "48 or 80 random bytes in base64",
      Buffer.from(Array.from({ length: 48 }, (_, at) => at)).toString("base64"),
      "random with every reload",
      "what tickets are encrypted with",
    ),
    shown: "openssl rand -base64 48",
  },
  "ssl-early-data": about(
    onOff,
    "true",
    "`false`",
    "TLS 1.3: a request may come with a client's first bytes; somebody else may send it again, so backends get `Early-Data: 1` with it and have to refuse what must not happen twice (425)",
  ),
  "ssl-buffer-size": about(size, "16k", "`4k`", "size of a record of TLS"),
  "ssl-reject-handshake": about(
    onOff,
    "true",
    "`false`",
    "clients that name no host, or one that no Ingress has, get no certificate: their handshake is refused",
  ),
  "enable-ocsp": about(
    onOff,
    "true",
    "`false`",
    "OCSP responses are fetched for the certificates that name a responder, and stapled",
  ),
  hsts: about(
    onOff,
    "false",
    "`true`",
    "answers by HTTPS have `Strict-Transport-Security`, in the place of the backend's: browsers come by HTTPS only from then on",
  ),
  "hsts-max-age": about(seconds, "86400", "31536000", "how long"),
  "hsts-include-subdomains": about(onOff, "false", "`true`", "to hosts below this one, too"),
  "hsts-preload": about(onOff, "true", "`false`", "browsers may be delivered with this host in their lists"),
}

const forwardedRequests: Family = {
  "use-forwarded-headers": about(onOff, "true", "`false`", "`X-Forwarded-*` of the request are believed"),
  "enable-real-ip": about(onOff, "true", "`false`", "only the client's address is taken from a header"),
  "forwarded-for-header": about("name of a header", "X-Real-IP", "`X-Forwarded-For`", "which header that is"),
  "forwarded-for-proxy-protocol-header": about(
    "name of a header",
    "X-PP",
    "`X-Forwarded-For-Proxy-Protocol`",
    "the header that is used with PROXY protocol and use-forwarded-headers together",
  ),
  "forwarded-host-header": about(
    "name of a header",
    "X-Host",
    "`X-Forwarded-Host`",
    "where `X-Original-Forwarded-Host` comes from",
  ),
  "compute-full-forwarded-for": about(
    onOff,
    "true",
    "`false`",
    "addresses are appended to `X-Forwarded-For` instead of replacing it",
  ),
  "proxy-real-ip-cidr": about(
    "ranges between commas",
    "10.0.0.0/8",
    "`0.0.0.0/0`",
    "which proxies are believed",
  ),
  "proxy-add-original-uri-header": about(onOff, "true", "`false`", "backends get `X-Original-URI`"),
  "generate-request-id": about(onOff, "false", "`true`", "requests without `X-Request-ID` get a random one"),
}

const headers: Family = {
  "add-headers": about(
    "`namespace/name` of a ConfigMap",
    "shop/headers",
    nothing,
    "its entries are headers of every response",
  ),
  "proxy-set-headers": about(
    "`namespace/name` of a ConfigMap",
    "shop/headers",
    nothing,
    "its entries are headers of every request to a backend; variables allowed",
  ),
  "hide-headers": about(
    "names between commas",
    "X-Powered-By",
    nothing,
    "headers of backends that clients do not see",
  ),
  "allow-backend-server-header": about(onOff, "true", "`false`", "the backend's `Server` is passed on"),
  "server-tokens": about(onOff, "true", "`false`", "`Server` names nginx and its version"),
  "global-allowed-response-headers": about(
    "names between commas",
    "X-Frame-Options",
    nothing,
    "what the annotation custom-headers may set",
  ),
}

const proxying: Family = {
  "proxy-connect-timeout": about(seconds, "10", "5", "default of the annotation"),
  "proxy-send-timeout": about(seconds, "120", "60", "default of the annotation"),
  "proxy-read-timeout": about(seconds, "120", "60", "default of the annotation"),
  "proxy-body-size": about(`${size}; \`0\` is no limit`, "8m", "`1m`", "default of the annotation"),
  "proxy-buffer-size": about(size, "8k", "`4k`", "default of the annotation"),
  "proxy-buffers-number": about(count, "8", "4", "default of the annotation"),
  "proxy-busy-buffers-size": about(size, "8k", "nginx's own", "default of the annotation"),
  "proxy-buffering": about(onOffWord, "on", "`off`", "default of the annotation"),
  "proxy-request-buffering": about(onOffWord, "off", "`on`", "default of the annotation"),
  "proxy-max-temp-file-size": about(`${size}; \`0\` is none`, "256m", "`1024m`", "default of the annotation"),
  "proxy-http-version": about("`1.0` or `1.1`", "1.0", "`1.1`", "default of the annotation"),
  "proxy-next-upstream": about(
    "words between blanks",
    "error timeout http_502",
    "`error timeout`",
    "default of the annotation",
  ),
  "proxy-next-upstream-timeout": about(
    `${seconds}; \`0\` is no limit`,
    "10",
    "0",
    "default of the annotation",
  ),
  "proxy-next-upstream-tries": about(`${count}; \`0\` is no limit`, "2", "3", "default of the annotation"),
  "retry-non-idempotent": about(onOff, "true", "`false`", "POST, LOCK and PATCH are tried again too"),
  "proxy-cookie-domain": about(
    "`off`, or two names between a blank",
    "a.test b.test",
    "`off`",
    "default of the annotation",
  ),
  "proxy-cookie-path": about(
    "`off`, or two paths between a blank",
    "/a /b",
    "`off`",
    "default of the annotation",
  ),
  "proxy-redirect-from": about(
    "`off`, `default`, or the beginning of a URL",
    "http://a.test/",
    "`off`",
    "default of the annotation",
  ),
  "proxy-redirect-to": about(
    "the beginning of a URL",
    "https://b.test/",
    "`off`",
    "default of the annotation",
  ),
  "grpc-buffer-size-kb": about(
    count,
    "16",
    "0, nginx's own",
    "kilobytes that a gRPC response is buffered in",
  ),
  "custom-http-errors": about("codes between commas", "404,503", nothing, "default of the annotation"),
  "disable-proxy-intercept-errors": about(onOff, "true", "`false`", "default of the annotation"),
  "allow-cross-namespace-resources": about(
    onOff,
    "true",
    "`false`",
    "annotations may name Secrets and ConfigMaps of another namespace",
  ),
}

const backends: Family = {
  "load-balance": about(
    "`round_robin`, `ewma`, `least_conn` or `p2c`",
    "ewma",
    "`round_robin`",
    "default of the annotation",
  ),
  "service-upstream": about(onOff, "true", "`false`", "default of the annotation"),
  "upstream-keepalive-connections": about(
    `${count}; \`0\` keeps none`,
    "64",
    "320",
    "idle connections to endpoints that each worker keeps",
  ),
  "upstream-keepalive-time": about("a time of nginx", "30m", "`1h`", "how old such a connection gets"),
  "upstream-keepalive-timeout": about(seconds, "30", "60", "how long it may be idle"),
  "upstream-keepalive-requests": about(count, "1000", "10000", "requests on one of them"),
}

const redirects: Family = {
  "ssl-redirect": about(onOff, "false", "`true`", "default of the annotation"),
  "force-ssl-redirect": about(onOff, "true", "`false`", "default of the annotation"),
  "http-redirect-code": about(
    "`301`, `302`, `307` or `308`",
    "301",
    "308",
    "status of redirects to HTTPS and to and from `www.`",
  ),
  "preserve-trailing-slash": about(onOff, "true", "`false`", "default of the annotation"),
  "use-port-in-redirects": about(onOff, "true", "`false`", "default of the annotation"),
  "relative-redirects": about(onOff, "true", "`false`", "default of the annotation"),
  "no-tls-redirect-locations": about(
    "beginnings of paths between commas",
    "/health",
    "`/.well-known/acme-challenge`",
    "paths that are never redirected to HTTPS",
  ),
}

const logs: Family = {
  "log-format-stream": about(
    "text with variables of nginx's stream module",
    "$remote_addr $upstream_addr",
    "ingress-nginx's own",
    "a line of the access log about a TLS connection that was passed through",
  ),
  "stream-access-log-path": about(
    "an absolute path, or `syslog:server=ADDRESS`",
    "/var/log/nginx/stream.log",
    "that of `access-log-path`",
    "where those lines go",
  ),
  "disable-stream-access-log": about(onOff, "true", "`false`", "no such lines"),
  "proxy-stream-timeout": about(
    "a time such as `240s` or `1h30m`",
    "60s",
    "`600s`",
    "how long neither side of such a connection may be silent",
  ),
  "proxy-protocol-header-timeout": about(
    "a duration such as `300ms` or `30s`",
    "2s",
    "`5s`",
    "longest wait for the PROXY protocol's header in front of TLS, where TLS may be passed through",
  ),
  "log-format-upstream": about(
    "text with variables",
    "$remote_addr $status",
    "ingress-nginx's own",
    "a line of the access log",
  ),
  "log-format-escape-json": about(onOff, "true", "`false`", "its variables are escaped for JSON"),
  "log-format-escape-none": about(onOff, "true", "`false`", "they are not escaped at all"),
  "access-log-path": about("a file", "/var/log/wick.log", "standard output", "where it goes"),
  "http-access-log-path": about(
    "a file",
    "/var/log/wick-http.log",
    "access-log-path",
    "the same for HTTP alone",
  ),
  "access-log-params": about("parameters of `access_log`", "buffer=16k", nothing, "how it is written"),
  "disable-access-log": about(onOff, "true", "`false`", "no access log"),
  "disable-http-access-log": about(onOff, "true", "`false`", "the same for HTTP alone"),
  "enable-access-log-for-default-backend": about(
    onOff,
    "true",
    "`false`",
    "requests that no Ingress has asked for are logged too",
  ),
  "skip-access-log-urls": about(
    "texts or `~` patterns between commas",
    "/health",
    nothing,
    "requests that are not logged",
  ),
  "error-log-path": about("a file", "/var/log/wick-error.log", "standard error", "where the error log goes"),
  "error-log-level": about(
    "`debug`, `info`, `notice`, `warn`, `error`, `crit`, `alert` or `emerg`",
    "warn",
    "`notice`",
    "what it tells",
  ),
  "debug-connections": about(
    "ranges between commas",
    "192.0.2.1",
    nothing,
    "clients of whom it tells everything",
  ),
  "enable-syslog": about(onOff, "true", "`false`", "both logs go to syslog"),
  "syslog-host": about("a host", "syslog.test", nothing, "its host"),
  "syslog-port": about("a port", "1514", "514", "its port"),
}

const compression: Family = {
  "use-gzip": about(onOff, "true", "`false`", "responses are compressed with gzip"),
  "gzip-level": about("1 to 9", "6", "1", "how much"),
  "gzip-min-length": about("bytes", "1024", "256", "from this length on"),
  "gzip-types": about(
    "types between blanks",
    "application/json",
    "ingress-nginx's own",
    "besides `text/html`",
  ),
  "gzip-disable": about("a regular expression", "MSIE", nothing, "user agents that get none"),
  "enable-brotli": about(onOff, "true", "`false`", "the same with brotli, where its module is installed"),
  "brotli-level": about("0 to 11", "6", "4", "how much"),
  "brotli-min-length": about("bytes", "1024", "20", "from this length on"),
  "brotli-types": about("types between blanks", "application/json", "ingress-nginx's own", "which types"),
}

const process: Family = {
  "worker-processes": about("`auto` or 1 to 1024", "4", "`auto`", "worker processes"),
  "worker-cpu-affinity": about("`auto` or masks", "auto", nothing, "which cores they run on"),
  "worker-shutdown-timeout": about(
    "a time of nginx",
    "60s",
    "`240s`",
    "how long requests may finish after a reload",
  ),
  "max-worker-connections": about(count, "4096", "16384", "connections of each"),
  "max-worker-open-files": about(count, "65536", "0, the system's limit", "files of each"),
  "enable-multi-accept": about(onOff, "false", "`true`", "a worker takes all connections that wait"),
  "enable-aio-write": about(onOff, "false", "`true`", "temporary files are written aside"),
  "default-type": about(
    "a type",
    "text/plain",
    "`text/html`",
    "type of answers of nginx itself that have none",
  ),
  "map-hash-bucket-size": about("bytes", "128", "64", "size of a bucket of nginx's maps"),
  "proxy-headers-hash-max-size": about(count, "1024", "512", "size of nginx's table of headers"),
  "proxy-headers-hash-bucket-size": about("bytes", "128", "64", "size of its buckets"),
  "variables-hash-max-size": about(count, "4096", "2048", "size of nginx's table of variables"),
  "variables-hash-bucket-size": about("bytes", "512", "256", "size of its buckets"),
  "server-name-hash-max-size": about(count, "2048", "1024", "nothing: hosts are data"),
  "server-name-hash-bucket-size": about("bytes", "128", "computed", "nothing: hosts are data"),
  "lua-shared-dicts": about(
    "names and sizes",
    "configuration_data: 40M",
    nothing,
    "nothing: there is no Lua",
  ),
  "proxy-ssl-location-only": about(onOff, "true", "`false`", "nothing: TLS to backends is the location's"),
}

const limits: Family = {
  "limit-req-status-code": about("400 to 599", "429", "503", "status of requests above a rate"),
  "limit-conn-status-code": about(
    "400 to 599",
    "429",
    "503",
    "status of requests above a number of connections",
  ),
}

/** By the titles under which the reference has them. */
export const families: Readonly<Record<string, Family>> = {
  "Client connections": clientConnections,
  Listeners: listeners,
  TLS: tls,
  "Forwarded requests": forwardedRequests,
  Headers: headers,
  Proxying: proxying,
  Backends: backends,
  Redirects: redirects,
  Logs: logs,
  Compression: compression,
  Process: process,
  Limits: limits,
}
