import { type Differences, everyRequest, operation } from "./difference.ts"
import { both, key, keySays, settingProblem, settingSays, uses } from "./matching.ts"

const withBrotli = keySays("usesBrotli", true)

/** Differences under the heading "ConfigMap and logs". */
export const settingsDifferences = {
  "lua-shared-dicts": {
    what: "`lua-shared-dicts`",
    before: "Sizes of Lua's shared memory; what does not fit is lost, with a line in the log",
    now: "No effect. Zones of shared memory grow by themselves; `zone-sizes` and `max-zone-size` say from where and how far, `zone-share` how much one namespace may have",
    why: "What does not fit even then is a Problem",
    concerns: operation,
  },
  "configmap-value-refused": {
    what: "A key of the ConfigMap has a value that cannot be used",
    before: "The default applies",
    now: "The last good value stays in force, with a Problem. If there was none, the default applies",
    why: "A typo must not change production traffic",
    concerns: settingProblem("value-refused"),
    breadth: "any",
  },
  "forwarded-headers-trusted": {
    what: "`use-forwarded-headers` is on together with `proxy-real-ip-cidr`, and a sender may be outside of its networks",
    before: "The sender is believed about everything but the client's address",
    now: "The sender is believed about nothing; what it says of address and host reaches backends as `X-Original-Forwarded-For` and `-Host`. Without `proxy-real-ip-cidr` everybody is believed as before, with a Problem",
    why: "A client that reaches the controller past the proxy must not choose route and scheme",
    concerns: both(keySays("usesForwardedHeaders", true), key("proxy-real-ip-cidr")),
  },
  "error-log-escaped": {
    what: "Control characters of clients, and bytes beyond ASCII, in the error log",
    before: "As they came",
    now: "`\\x1B`",
    why: "A terminal would obey them",
    concerns: operation,
  },
  "error-log-json": {
    what: "Lines of nginx's error log on stderr, which is where `error-log-path` leads by default",
    before: "nginx's own form: `2026/11/26 14:00:00 [error] 7#7: *5 message`",
    now: 'JSON, as all other lines there: `{"level":"error","time":"2026-11-26T14:00:00.000Z","nginx":"error","pid":7,"connection":5,"msg":"message"}`. In a file or syslog as before',
    why: "Whatever collects the log of a Pod reads all of its lines in one way",
    concerns: operation,
  },
  "configmap-item-refused": {
    what: "A list of the ConfigMap has an item that cannot be used",
    before: "The item is printed as it is, or left out",
    now: "The item is left out, with a Problem. Lists of whom to trust or block (`proxy-real-ip-cidr`, `block-*`, `nginx-status-*`) keep their last good value",
    why: "Half of such a list means something else",
    concerns: settingProblem("value-cut"),
    breadth: "several",
  },
  "configmap-keys-contradict": {
    what: "Keys of the ConfigMap contradict each other or cannot work (`proxy-busy-buffers-size`, `proxy-max-temp-file-size`, syslog without a host, brotli that is not installed)",
    before: "nginx refuses the configuration",
    now: "What works is used instead, with a Problem",
    why: "One key must not hold back the others",
    concerns: settingProblem("value-corrected"),
  },
  "brotli-without-gzip": {
    what: "`enable-brotli` is on and `use-gzip` is off",
    before: "Responses have no `Vary`",
    now: "`Vary: Accept-Encoding`, as with gzip",
    why: "A shared cache gave compressed responses to those who cannot read them",
    concerns: (subject) => (subject.around.settings.usesGzip ? [] : withBrotli(subject)),
  },
  "ignore-invalid-headers-false": {
    what: "`ignore-invalid-headers` is off",
    before: "Header buffers may have any size",
    now: "Header buffers have 8k at most, with a Problem if `large-client-header-buffers` says more",
    why: "CVE-2026-42055",
    concerns: keySays("ignoresInvalidHeaders", false),
  },
  "forwarded-proto-without-port": {
    what: "`use-forwarded-headers`: a proxy that ends TLS sends `X-Forwarded-Proto: https` without `X-Forwarded-Port`",
    before:
      "`X-Forwarded-Port` is the port of nginx, and `from-to-www-redirect` leads to `https://host:80`; with PROXY protocol the port is the one that its header has",
    now: "The port is that of the scheme, 443. With PROXY protocol it is the one that its header has, unless that is the port of the other scheme. No redirect has the port of the other scheme",
    why: "Nothing listens there",
    concerns: everyRequest,
  },
  "app-root-behind-proxy": {
    what: "`app-root` redirects, and `use-forwarded-headers` is on",
    before: "The redirect leads to the scheme by which nginx was asked, at the host of the Host header",
    now: "The redirect leads to `X-Forwarded-Proto` and `X-Forwarded-Host`, where the sender is trusted",
    why: "Behind a proxy that ends TLS it led to plain HTTP",
    concerns: both(uses("app-root"), keySays("usesForwardedHeaders", true)),
  },
  "use-proxy-protocol-use-forwarded-headers": {
    what: "`use-proxy-protocol` and `use-forwarded-headers` are on, and a trusted sender may send no `X-Forwarded-For`",
    before: "The client's address is the load balancer's",
    now: "The client's address is the one in the PROXY protocol header",
    concerns: both(keySays("expectsProxyProtocol", true), keySays("usesForwardedHeaders", true)),
  },
  "configmap-credentials": {
    what: "`log-format-upstream`, a header of `add-headers` or `opentelemetry-operation-name` uses a variable that holds credentials (`$http_authorization`, `$http_proxy_authorization`, `$http_cookie`, `$cookie_NAME`, cookies of responses)",
    before: "The credentials are inserted",
    now: "The log has a dash, the header is left out, the name of spans is refused, each with a Problem",
    why: "Logs, traces and responses are seen by others",
    concerns: settingSays(/passwords or sessions/),
  },
  "log-format-escape-json-utf8": {
    what: "`log-format-escape-json`: bytes of clients that are no UTF-8",
    before: "As they came: the line is no JSON",
    now: "U+FFFD",
    why: "One client must not stop readers of the log",
    concerns: operation,
  },
  "access-log-params-default": {
    what: "Access log without `access-log-params`",
    before: "Each line is written at once",
    now: 'In pieces of 4 KiB, a second later at most; `access-log-params: ""` writes each line at once. A worker that is killed loses its last lines',
    why: "Each line would be a system call; so much is never cut by a line of another worker",
    concerns: operation,
  },
  "access-log-path-error-log-path": {
    what: "`access-log-path`, `error-log-path`",
    before: "Files, by default links to stdout and stderr",
    now: "For the defaults, `/dev/stdout` and `/dev/stderr`: the controller's own stdout and stderr. Paths with variables are refused",
    why: "nginx would open a file for every request",
    concerns: operation,
  },
  "http2-max-field-size-http2-max": {
    what: "`http2-max-field-size`, `http2-max-header-size`, `http2-max-requests`",
    before: "Printed; nginx warns that they are obsolete",
    now: "No effect, with a Problem",
    concerns: operation,
  },
  "http-2-without-tls": {
    what: "HTTP/2 without TLS",
    before: "Available on the HTTP port too",
    now: "Available with nginx 1.25.1 or newer. An older nginx speaks either HTTP/1 or HTTP/2 on such a port",
    concerns: everyRequest,
  },
  "bind-address-changed-together-reuse-port": {
    what: '`bind-address` changed together with `reuse-port: "false"`',
    before: "The reload fails",
    now: "The same: nginx has to be restarted, and uses the old addresses until then",
    concerns: operation,
  },
} satisfies Differences
