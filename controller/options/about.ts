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
}

type Family = Readonly<Record<string, About>>

const onOff = "`true` or `false`"
const onOffWord = "`on` or `off`"
const seconds = "whole seconds, no unit"
const count = "a whole number"
const size = "a number of bytes, or one with `k`, `m` or `g`"
const nothing = "–"

const clientConnections: Family = {
  "keep-alive": {
    values: `${seconds}; \`0\` closes after each response`,
    example: "60",
    initial: "75",
    effect: "how long an idle connection of a client is kept",
  },
  "keep-alive-requests": {
    values: count,
    example: "100",
    initial: "1000",
    effect: "requests on one connection of a client",
  },
  "client-header-buffer-size": {
    values: size,
    example: "4k",
    initial: "`1k`",
    effect: "room for the head of a request",
  },
  "client-header-timeout": {
    values: seconds,
    example: "30",
    initial: "60",
    effect: "longest time for the head of a request",
  },
  "client-body-buffer-size": {
    values: size,
    example: "16k",
    initial: "`8k`",
    effect: "how much of a request body is kept in memory",
  },
  "client-body-timeout": {
    values: seconds,
    example: "30",
    initial: "60",
    effect: "longest pause while a request body is read",
  },
  "large-client-header-buffers": {
    values: "a number and a size",
    example: "8 16k",
    initial: "`4 8k`",
    effect: "room for heads that do not fit; a longer line is refused",
  },
  "enable-underscores-in-headers": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "whether headers of requests may have underscores",
  },
  "ignore-invalid-headers": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "whether headers with other odd names are dropped",
  },
  "use-http2": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "HTTP/2 for clients that come by TLS",
  },
  "http2-max-concurrent-streams": {
    values: count,
    example: "64",
    initial: "128",
    effect: "requests at once on one HTTP/2 connection",
  },
  "http2-max-field-size": {
    values: size,
    example: "8k",
    initial: nothing,
    effect: "nothing: nginx has dropped it",
  },
  "http2-max-header-size": {
    values: size,
    example: "32k",
    initial: nothing,
    effect: "nothing: nginx has dropped it",
  },
  "http2-max-requests": {
    values: count,
    example: "100",
    initial: "0",
    effect: "nothing: nginx has dropped it",
  },
}

const listeners: Family = {
  "bind-address": {
    values: "addresses between commas",
    example: "127.0.0.1",
    initial: "all",
    effect: "where clients are listened for",
  },
  "disable-ipv6": { values: onOff, example: "true", initial: "`false`", effect: "no listener on IPv6" },
  "disable-ipv6-dns": {
    values: onOff,
    example: "true",
    initial: "`true` without IPv6",
    effect: "names are looked up for IPv4 alone",
  },
  "reuse-port": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "each worker has a listening socket of its own",
  },
  "use-proxy-protocol": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "connections begin with the PROXY protocol",
  },
  "nginx-status-ipv4-whitelist": {
    values: "ranges between commas",
    example: "10.0.0.0/8",
    initial: "`127.0.0.1`",
    effect: "who may read `/nginx_status`",
  },
  "nginx-status-ipv6-whitelist": {
    values: "ranges between commas",
    example: "fd00::/8",
    initial: "`::1`",
    effect: "the same for IPv6",
  },
  "block-cidrs": {
    values: "ranges between commas",
    example: "192.0.2.0/24",
    initial: nothing,
    effect: "clients that are answered 403",
  },
  "block-user-agents": {
    values: "texts or `~` patterns between commas",
    example: "~*badbot",
    initial: nothing,
    effect: "user agents that are answered 403",
  },
  "block-referers": {
    values: "texts or `~` patterns between commas",
    example: "~*spam",
    initial: nothing,
    effect: "referers that are answered 403",
  },
}

const forwardedRequests: Family = {
  "use-forwarded-headers": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "`X-Forwarded-*` of the request are believed",
  },
  "enable-real-ip": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "only the client's address is taken from a header",
  },
  "forwarded-for-header": {
    values: "name of a header",
    example: "X-Real-IP",
    initial: "`X-Forwarded-For`",
    effect: "which header that is",
  },
  "forwarded-for-proxy-protocol-header": {
    values: "name of a header",
    example: "X-PP",
    initial: "`X-Forwarded-For-Proxy-Protocol`",
    effect: "the header that is used with PROXY protocol and use-forwarded-headers together",
  },
  "forwarded-host-header": {
    values: "name of a header",
    example: "X-Host",
    initial: "`X-Forwarded-Host`",
    effect: "where `X-Original-Forwarded-Host` comes from",
  },
  "compute-full-forwarded-for": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "addresses are appended to `X-Forwarded-For` instead of replacing it",
  },
  "proxy-real-ip-cidr": {
    values: "ranges between commas",
    example: "10.0.0.0/8",
    initial: "`0.0.0.0/0`",
    effect: "which proxies are believed",
  },
  "proxy-add-original-uri-header": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "backends get `X-Original-URI`",
  },
  "generate-request-id": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "requests without `X-Request-ID` get a random one",
  },
}

const headers: Family = {
  "add-headers": {
    values: "`namespace/name` of a ConfigMap",
    example: "shop/headers",
    initial: nothing,
    effect: "its entries are headers of every response",
  },
  "proxy-set-headers": {
    values: "`namespace/name` of a ConfigMap",
    example: "shop/headers",
    initial: nothing,
    effect: "its entries are headers of every request to a backend; variables allowed",
  },
  "hide-headers": {
    values: "names between commas",
    example: "X-Powered-By",
    initial: nothing,
    effect: "headers of backends that clients do not see",
  },
  "allow-backend-server-header": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the backend's `Server` is passed on",
  },
  "server-tokens": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "`Server` names nginx and its version",
  },
  "global-allowed-response-headers": {
    values: "names between commas",
    example: "X-Frame-Options",
    initial: nothing,
    effect: "what the annotation custom-headers may set",
  },
}

const proxying: Family = {
  "proxy-connect-timeout": {
    values: seconds,
    example: "10",
    initial: "5",
    effect: "default of the annotation",
  },
  "proxy-send-timeout": {
    values: seconds,
    example: "120",
    initial: "60",
    effect: "default of the annotation",
  },
  "proxy-read-timeout": {
    values: seconds,
    example: "120",
    initial: "60",
    effect: "default of the annotation",
  },
  "proxy-body-size": {
    values: `${size}; \`0\` is no limit`,
    example: "8m",
    initial: "`1m`",
    effect: "default of the annotation",
  },
  "proxy-buffer-size": { values: size, example: "8k", initial: "`4k`", effect: "default of the annotation" },
  "proxy-buffers-number": { values: count, example: "8", initial: "4", effect: "default of the annotation" },
  "proxy-busy-buffers-size": {
    values: size,
    example: "16k",
    initial: "nginx's own",
    effect: "default of the annotation",
  },
  "proxy-buffering": {
    values: onOffWord,
    example: "on",
    initial: "`off`",
    effect: "default of the annotation",
  },
  "proxy-request-buffering": {
    values: onOffWord,
    example: "off",
    initial: "`on`",
    effect: "default of the annotation",
  },
  "proxy-max-temp-file-size": {
    values: `${size}; \`0\` is none`,
    example: "256m",
    initial: "`1024m`",
    effect: "default of the annotation",
  },
  "proxy-http-version": {
    values: "`1.0` or `1.1`",
    example: "1.0",
    initial: "`1.1`",
    effect: "default of the annotation",
  },
  "proxy-next-upstream": {
    values: "words between blanks",
    example: "error timeout http_502",
    initial: "`error timeout`",
    effect: "default of the annotation",
  },
  "proxy-next-upstream-timeout": {
    values: `${seconds}; \`0\` is no limit`,
    example: "10",
    initial: "0",
    effect: "default of the annotation",
  },
  "proxy-next-upstream-tries": {
    values: `${count}; \`0\` is no limit`,
    example: "2",
    initial: "3",
    effect: "default of the annotation",
  },
  "retry-non-idempotent": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "POST, LOCK and PATCH are tried again too",
  },
  "proxy-cookie-domain": {
    values: "`off`, or two names between a blank",
    example: "a.test b.test",
    initial: "`off`",
    effect: "default of the annotation",
  },
  "proxy-cookie-path": {
    values: "`off`, or two paths between a blank",
    example: "/a /b",
    initial: "`off`",
    effect: "default of the annotation",
  },
  "proxy-redirect-from": {
    values: "`off`, `default`, or the beginning of a URL",
    example: "http://a.test/",
    initial: "`off`",
    effect: "default of the annotation",
  },
  "proxy-redirect-to": {
    values: "the beginning of a URL",
    example: "https://b.test/",
    initial: "`off`",
    effect: "default of the annotation",
  },
  "proxy-ssl-location-only": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "nothing: settings of TLS to backends are always the location's",
  },
  "grpc-buffer-size-kb": {
    values: count,
    example: "16",
    initial: "0, nginx's own",
    effect: "kilobytes that a gRPC response is buffered in",
  },
  "custom-http-errors": {
    values: "codes between commas",
    example: "404,503",
    initial: nothing,
    effect: "default of the annotation",
  },
  "disable-proxy-intercept-errors": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "allow-cross-namespace-resources": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "annotations may name Secrets and ConfigMaps of another namespace",
  },
}

const backends: Family = {
  "load-balance": {
    values: "`round_robin`, `ewma`, `least_conn` or `p2c`",
    example: "ewma",
    initial: "`round_robin`",
    effect: "default of the annotation",
  },
  "service-upstream": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "upstream-keepalive-connections": {
    values: `${count}; \`0\` keeps none`,
    example: "64",
    initial: "320",
    effect: "idle connections to endpoints that each worker keeps",
  },
  "upstream-keepalive-time": {
    values: "a time of nginx",
    example: "30m",
    initial: "`1h`",
    effect: "how old such a connection gets",
  },
  "upstream-keepalive-timeout": {
    values: seconds,
    example: "30",
    initial: "60",
    effect: "how long it may be idle",
  },
  "upstream-keepalive-requests": {
    values: count,
    example: "1000",
    initial: "10000",
    effect: "requests on one of them",
  },
}

const redirects: Family = {
  "ssl-redirect": { values: onOff, example: "false", initial: "`true`", effect: "default of the annotation" },
  "force-ssl-redirect": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "http-redirect-code": {
    values: "`301`, `302`, `307` or `308`",
    example: "301",
    initial: "308",
    effect: "status of redirects to HTTPS and to and from `www.`",
  },
  "preserve-trailing-slash": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "use-port-in-redirects": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "relative-redirects": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "default of the annotation",
  },
  "no-tls-redirect-locations": {
    values: "beginnings of paths between commas",
    example: "/health",
    initial: "`/.well-known/acme-challenge`",
    effect: "paths that are never redirected to HTTPS",
  },
}

const logs: Family = {
  "log-format-upstream": {
    values: "text with variables",
    example: "$remote_addr $status",
    initial: "see ingress-nginx",
    effect: "a line of the access log",
  },
  "log-format-escape-json": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "its variables are escaped for JSON",
  },
  "log-format-escape-none": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "they are not escaped at all",
  },
  "access-log-path": {
    values: "a file",
    example: "/var/log/wick.log",
    initial: "standard output",
    effect: "where it goes",
  },
  "http-access-log-path": {
    values: "a file",
    example: "/var/log/wick-http.log",
    initial: "access-log-path",
    effect: "the same for HTTP alone",
  },
  "access-log-params": {
    values: "parameters of `access_log`",
    example: "buffer=16k",
    initial: nothing,
    effect: "how it is written",
  },
  "disable-access-log": { values: onOff, example: "true", initial: "`false`", effect: "no access log" },
  "disable-http-access-log": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the same for HTTP alone",
  },
  "enable-access-log-for-default-backend": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "requests that no Ingress has asked for are logged too",
  },
  "skip-access-log-urls": {
    values: "texts or `~` patterns between commas",
    example: "/health",
    initial: nothing,
    effect: "requests that are not logged",
  },
  "error-log-path": {
    values: "a file",
    example: "/var/log/wick-error.log",
    initial: "standard error",
    effect: "where the error log goes",
  },
  "error-log-level": {
    values: "`debug`, `info`, `notice`, `warn`, `error`, `crit`, `alert` or `emerg`",
    example: "warn",
    initial: "`notice`",
    effect: "what it tells",
  },
  "debug-connections": {
    values: "ranges between commas",
    example: "192.0.2.1",
    initial: nothing,
    effect: "clients of whom it tells everything",
  },
  "enable-syslog": { values: onOff, example: "true", initial: "`false`", effect: "both logs go to syslog" },
  "syslog-host": { values: "a host", example: "syslog.test", initial: nothing, effect: "its host" },
  "syslog-port": { values: "a port", example: "1514", initial: "514", effect: "its port" },
}

const compression: Family = {
  "use-gzip": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "responses are compressed with gzip",
  },
  "gzip-level": { values: "1 to 9", example: "6", initial: "1", effect: "how much" },
  "gzip-min-length": { values: "bytes", example: "1024", initial: "256", effect: "from this length on" },
  "gzip-types": {
    values: "types between blanks",
    example: "application/json",
    initial: "see ingress-nginx",
    effect: "besides `text/html`",
  },
  "gzip-disable": {
    values: "a regular expression",
    example: "MSIE",
    initial: nothing,
    effect: "user agents that get none",
  },
  "enable-brotli": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "the same with brotli, where its module is installed",
  },
  "brotli-level": { values: "0 to 11", example: "6", initial: "4", effect: "how much" },
  "brotli-min-length": { values: "bytes", example: "1024", initial: "20", effect: "from this length on" },
  "brotli-types": {
    values: "types between blanks",
    example: "application/json",
    initial: "see ingress-nginx",
    effect: "which types",
  },
}

const process: Family = {
  "worker-processes": {
    values: "`auto` or 1 to 1024",
    example: "4",
    initial: "`auto`",
    effect: "worker processes",
  },
  "worker-cpu-affinity": {
    values: "`auto` or masks",
    example: "auto",
    initial: nothing,
    effect: "which cores they run on",
  },
  "worker-shutdown-timeout": {
    values: "a time of nginx",
    example: "60s",
    initial: "`240s`",
    effect: "how long requests may finish after a reload",
  },
  "max-worker-connections": {
    values: count,
    example: "4096",
    initial: "16384",
    effect: "connections of each",
  },
  "max-worker-open-files": {
    values: count,
    example: "65536",
    initial: "0, the system's limit",
    effect: "files of each",
  },
  "enable-multi-accept": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "a worker takes all connections that wait",
  },
  "enable-aio-write": {
    values: onOff,
    example: "false",
    initial: "`true`",
    effect: "temporary files are written aside",
  },
  "default-type": {
    values: "a type",
    example: "text/plain",
    initial: "`text/html`",
    effect: "type of answers of nginx itself that have none",
  },
  "map-hash-bucket-size": {
    values: "bytes",
    example: "128",
    initial: "64",
    effect: "size of a bucket of nginx's maps",
  },
  "proxy-headers-hash-max-size": {
    values: count,
    example: "1024",
    initial: "512",
    effect: "size of nginx's table of headers",
  },
  "proxy-headers-hash-bucket-size": {
    values: "bytes",
    example: "128",
    initial: "64",
    effect: "size of its buckets",
  },
  "variables-hash-max-size": {
    values: count,
    example: "4096",
    initial: "2048",
    effect: "size of nginx's table of variables",
  },
  "variables-hash-bucket-size": {
    values: "bytes",
    example: "512",
    initial: "256",
    effect: "size of its buckets",
  },
  "server-name-hash-max-size": {
    values: count,
    example: "2048",
    initial: "1024",
    effect: "nothing: hosts are data",
  },
  "server-name-hash-bucket-size": {
    values: "bytes",
    example: "128",
    initial: "computed",
    effect: "nothing: hosts are data",
  },
  "lua-shared-dicts": {
    values: "names and sizes",
    example: "configuration_data: 40M",
    initial: nothing,
    effect: "nothing: there is no Lua",
  },
  "enable-serial-reloads": {
    values: onOff,
    example: "true",
    initial: "`false`",
    effect: "a reload waits until workers of the one before are gone",
  },
}

const limits: Family = {
  "limit-req-status-code": {
    values: "400 to 599",
    example: "429",
    initial: "503",
    effect: "status of requests above a rate",
  },
  "limit-conn-status-code": {
    values: "400 to 599",
    example: "429",
    initial: "503",
    effect: "status of requests above a number of connections",
  },
}

/** By the titles under which the reference has them. */
export const families: Readonly<Record<string, Family>> = {
  "Client connections": clientConnections,
  Listeners: listeners,
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
