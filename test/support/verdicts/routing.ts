import { ingress, withTls } from "../../../harness/manifests.ts"
import type { CasesOfRules } from "./verdict.ts"

const regex = { "use-regex": "true" }
const older = (
  name: string,
  rules: string | readonly string[],
  says: Readonly<Record<string, string>> = {},
) => ingress(name, rules, says, 1)

/** Hosts, paths, rewrites and redirects. */
export const routingCases: CasesOfRules = {
  "annotation-variable-unknown": {
    told: [
      { says: { "upstream-vhost": "$hots" }, was: "stuck" },
      { says: { "upstream-vhost": "a.$nothing" }, was: "stuck" },
    ],
    untold: [{ says: { "upstream-vhost": "$host" } }],
  },
  "annotation-value-taken": {
    told: [
      { says: { "load-balance": "least_conn" }, was: "404" },
      { says: { "backend-protocol": "HTTPS", "proxy-ssl-secret": "ca" }, was: "503" },
      { says: { "load-balance": "p2c" }, was: "404" },
    ],
    untold: [
      { says: { "load-balance": "round_robin" } },
      { says: { "load-balance": "wasm/own" }, was: "404", besides: ["load-balance-wasm-name-wick-dev"] },
      { says: { "backend-protocol": "SPDY" } },
    ],
  },
  "annotation-value-refused": {
    told: [
      { says: { "connection-proxy-header": "upgrade" }, was: "404" },
      { says: { "client-body-buffer-size": "15r" }, was: "404" },
      { says: { "permanent-redirect": "http://a.test/ö" }, was: "404" },
    ],
    untold: [
      { says: { "proxy-body-size": "15r" } },
      { says: { "proxy-connect-timeout": "50k" } },
      { says: { "proxy-buffering": "yes" } },
      { says: { "ssl-redirect": "yes" } },
      { says: { affinity: "ip" } },
      { says: { "backend-protocol": "SPDY" } },
      { says: { satisfy: "some" } },
      { says: { "rewrite-target": "/new path" } },
      { says: { "allowlist-source-range": "invalid.com" }, was: "503" },
      { says: { "denylist-source-range": "invalid.com" }, was: "503" },
    ],
  },
  "annotation-above-risk-level": {
    told: [
      {
        says: { "configuration-snippet": "more_set_headers 'A: b';" },
        keys: { "annotations-risk-level": "High" },
        was: "404",
      },
      { says: { "proxy-body-size": "8m" }, keys: { "annotations-risk-level": "Low" }, was: "404" },
      {
        says: { "auth-realm": "forbidden" },
        keys: { "annotation-value-word-blocklist": "forbidden" },
        was: "404",
      },
    ],
    untold: [
      { says: { "proxy-body-size": "8m" } },
      { says: { "upstream-vhost": "b.test" }, keys: { "annotation-value-word-blocklist": "forbidden" } },
    ],
  },
  "exact-root-beside-regex": {
    told: [
      { rules: "app.test/ =→ app:80", says: regex, was: "404" },
      {
        rules: "app.test/ =→ app:80",
        beside: [older("shop/b", "app.test/b ~→ other:80", regex)],
        was: "404",
      },
    ],
    untold: [{ rules: "app.test/ =→ app:80" }, { rules: "app.test/ → app:80", says: regex }],
  },
  "path-expensive-regex": {
    told: [
      { rules: "app.test/(a+)* ~→ app:80", says: regex },
      { rules: "app.test/(a|b+)+c ~→ app:80", says: regex },
    ],
    untold: [
      { rules: "app.test/(a+)b* ~→ app:80", says: regex },
      { rules: "app.test/a+ ~→ app:80", says: regex },
    ],
  },
  "path-not-normalised": {
    told: [
      { rules: "app.test//a → app:80", was: "404" },
      { rules: "app.test/a/../b =→ app:80", was: "404" },
    ],
    untold: [{ rules: "app.test/a/b → app:80" }],
  },
  "health-paths-of-traffic-port": {
    told: [{ rules: "/healthz → app:80" }, { rules: "/nginx_status → app:80" }],
    untold: [{ rules: "app.test/healthz → app:80" }, { rules: "/health → app:80" }],
  },
  "host-of-another-namespace": {
    told: [
      {
        rules: "web.test/x → app:80",
        says: { "ssl-ciphers": "AES128-SHA" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
      {
        rules: "web.test/x → app:80",
        says: { "app-root": "/x" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
    ],
    untold: [
      { rules: "web.test/x → app:80", beside: [older("blog/web", "web.test/ → web:80")] },
      {
        rules: "web.test/x → app:80",
        says: { "ssl-ciphers": "AES128-SHA" },
        beside: [older("shop/web", "web.test/ → other:80")],
      },
    ],
  },
  "auth-tls-of-another-namespace": {
    told: [
      {
        rules: "web.test/x → app:80",
        says: { "auth-tls-secret": "shop/ca" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
      {
        rules: "web.test/x → app:80",
        says: { "auth-tls-secret": "shop/ca", "auth-tls-verify-client": "optional" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
    ],
    untold: [{ rules: "web.test/x → app:80", beside: [older("blog/web", "web.test/ → web:80")] }],
  },
  "patterns-of-another-namespace": {
    told: [
      { rules: "web.test/x(.*) ~→ app:80", says: regex, beside: [older("blog/web", "web.test/y → web:80")] },
      {
        rules: "web.test/x(.*) ~→ app:80",
        says: { "rewrite-target": "/$1" },
        beside: [older("blog/web", "web.test/y → web:80")],
      },
    ],
    untold: [
      {
        rules: "web.test/x(.*) ~→ app:80",
        says: regex,
        beside: [older("shop/web", "web.test/y → other:80")],
      },
      { rules: "web.test/x ~→ app:80", says: regex, beside: [older("blog/web", "web.test/y → web:80")] },
    ],
  },
  "rules-of-another-namespace": {
    told: [
      {
        rules: "web.test/x → app:80",
        keys: { "cross-namespace": "none" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
      {
        rules: "web.test/x =→ app:80",
        keys: { "cross-namespace": "none" },
        beside: [older("blog/web", "web.test/ → web:80")],
      },
    ],
    untold: [
      {
        rules: "web.test/x → app:80",
        keys: { "cross-namespace": "none" },
        beside: [older("shop/web", "web.test/ → other:80")],
      },
    ],
  },
  "default-backend-of-another-namespace": {
    told: [
      { rules: "* → app:80", beside: [older("blog/web", "/ → web:80")] },
      { rules: "* → app:80", beside: [older("blog/web", ["/ → web:80", "web.test/ → web:80"])] },
    ],
    untold: [
      { rules: "* → app:80" },
      { rules: "* → app:80", beside: [older("blog/web", "web.test/ → web:80")] },
    ],
  },
  "server-alias-pattern": {
    told: [
      { says: { "server-alias": "~^www\\d+\\.test$" } },
      { says: { "server-alias": ".shop.test" } },
      { says: { "server-alias": "a.test, *.b.test" } },
    ],
    untold: [{ says: { "server-alias": "a.test" }, besides: ["server-alias-metrics"] }],
  },
  "server-alias-metrics": {
    told: [{ says: { "server-alias": "a.test" } }, { says: { "server-alias": "a.test, b.test" } }],
    untold: [
      { says: { "server-alias": "other.test" }, beside: [older("shop/web", "other.test/ → other:80")] },
      { says: { "server-alias": "" } },
    ],
  },
  "server-alias-taken": {
    told: [
      {
        says: { "server-alias": "a.test" },
        beside: [older("shop/web", "web.test/ → other:80", { "server-alias": "a.test" })],
      },
      {
        says: { "server-alias": "b.test, a.test" },
        beside: [older("shop/web", "web.test/ → other:80", { "server-alias": "a.test" })],
      },
    ],
    untold: [
      { says: { "server-alias": "other.test" }, beside: [older("shop/web", "other.test/ → other:80")] },
      {
        besides: ["server-alias-metrics"],
        says: { "server-alias": "b.test" },
        rules: "app.test/x → app:80",
        beside: [older("shop/web", "app.test/ → other:80", { "server-alias": "a.test" })],
      },
    ],
  },
  "rewrite-target-own-path": {
    told: [
      { rules: "app.test/foo → app:80", says: { "rewrite-target": "/foo" } },
      { rules: "app.test/ → app:80", says: { "rewrite-target": "/" } },
    ],
    untold: [{ rules: "app.test/foo → app:80", says: { "rewrite-target": "/bar" } }],
  },
  "template-variable-unknown": {
    told: [
      { says: { "app-root": "/$nothing" }, was: "stuck" },
      { rules: "app.test/a ~→ app:80", says: { "rewrite-target": "/$nothing" }, was: "stuck" },
    ],
    untold: [
      { rules: "app.test/a(.*) ~→ app:80", says: { "rewrite-target": "/$1" } },
      { says: { "app-root": "/start" }, was: "redirect" },
    ],
  },
  "template-with-credentials": {
    told: [
      { says: { "upstream-vhost": "$http_authorization" } },
      { says: { "upstream-vhost": "$cookie_session" } },
    ],
    untold: [{ says: { "upstream-vhost": "$http_x_tenant" } }],
  },
  "temporal-redirect-not-url": {
    told: [{ says: { "temporal-redirect": "ftp://a.test" } }, { says: { "temporal-redirect": "/new" } }],
    untold: [{ says: { "temporal-redirect": "http://a.test" }, was: "redirect" }],
  },
  "permanent-redirect-code-without-location": {
    told: [
      { says: { "permanent-redirect": "http://a.test", "permanent-redirect-code": "305" }, was: "redirect" },
      { says: { "permanent-redirect": "http://a.test", "permanent-redirect-code": "300" }, was: "redirect" },
    ],
    untold: [
      { says: { "permanent-redirect": "http://a.test", "permanent-redirect-code": "308" }, was: "redirect" },
      { says: { "permanent-redirect-code": "305" } },
    ],
  },
  "app-root-behind-proxy": {
    told: [
      {
        says: { "app-root": "/start" },
        keys: { "use-forwarded-headers": "true", "proxy-real-ip-cidr": "10.0.0.0/8" },
        besides: ["forwarded-headers-trusted"],
      },
      { says: { "app-root": "/start" }, keys: { "use-forwarded-headers": "true" } },
    ],
    untold: [
      { says: { "app-root": "/start" }, was: "redirect" },
      { keys: { "use-forwarded-headers": "true" } },
    ],
  },
  "ssl-passthrough-without-cluster-ip": {
    told: [
      { says: { "ssl-passthrough": "true" }, flags: ["--enable-ssl-passthrough"] },
      {
        says: { "ssl-passthrough": "true" },
        flags: ["--enable-ssl-passthrough"],
        rules: "app.test/ =→ app:80",
      },
    ],
    untold: [{ says: { "ssl-passthrough": "true" } }, { flags: ["--enable-ssl-passthrough"] }],
  },
  "ssl-passthrough-plain-http": {
    told: [
      { says: { "ssl-passthrough": "true" }, flags: ["--enable-ssl-passthrough"] },
      {
        says: { "ssl-passthrough": "true" },
        flags: ["--enable-ssl-passthrough"],
        rules: ["app.test/ → app:80", "app.test/b → app:80"],
      },
    ],
    untold: [{ says: { "ssl-passthrough": "false" }, flags: ["--enable-ssl-passthrough"] }],
  },
  "tls-entries-same-host": {
    told: [
      { object: withTls(ingress("shop/app", "app.test/ → app:80", {}, 5), "app.test=a", "app.test=b") },
      {
        object: withTls(ingress("shop/app", "app.test/ → app:80", {}, 5), "app.test=a", "b.test,APP.test=b"),
      },
    ],
    untold: [{ object: withTls(ingress("shop/app", "app.test/ → app:80", {}, 5), "app.test=a", "b.test=b") }],
  },
  "tls-entry-of-alias": {
    told: [
      {
        object: withTls(
          ingress("shop/app", "app.test/ → app:80", { "server-alias": "a.test" }, 5),
          "app.test=a",
          "a.test=b",
        ),
      },
      {
        object: withTls(
          ingress("shop/app", "app.test/ → app:80", { "from-to-www-redirect": "true" }, 5),
          "app.test=a",
          "www.app.test=b",
        ),
      },
    ],
    untold: [
      {
        besides: ["server-alias-metrics"],
        object: withTls(
          ingress("shop/app", "app.test/ → app:80", { "server-alias": "a.test" }, 5),
          "app.test=a",
        ),
      },
    ],
  },
}
