import { ingress, secret } from "../../../harness/manifests.ts"
import type { CasesOfRules } from "./verdict.ts"

const basic = { "auth-type": "basic", "auth-secret": "users" }
const ask = { "auth-url": "http://auth.shop.svc/verify" }
const cors = { "enable-cors": "true" }
const critical = { "annotations-risk-level": "Critical", "allow-snippet-annotations": "true" }
const modsecurity = { "enable-modsecurity": "true" }

/** Who may come in, and what pages of other origins may do. */
export const accessCases: CasesOfRules = {
  "auth-type-digest": {
    told: [
      { says: { "auth-type": "digest", "auth-secret": "odd" }, beside: [digestUsers("")] },
      {
        says: { "auth-type": "digest", "auth-secret": "odd", "auth-realm": "r" },
        beside: [digestUsers("", "r")],
      },
    ],
    untold: [{ says: basic }],
  },
  "auth-digest-users": {
    told: [
      {
        says: { "auth-type": "digest", "auth-secret": "odd" },
        beside: [digestUsers("bob:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=")],
      },
      { says: { "auth-type": "digest", "auth-secret": "odd" }, beside: [digestUsers("bob:$apr1$x$y")] },
    ],
    untold: [
      {
        says: { "auth-type": "digest", "auth-secret": "odd" },
        beside: [digestUsers("")],
        besides: ["auth-type-digest"],
      },
      { says: basic },
    ],
  },
  "auth-type-unusable": {
    told: [
      { says: { "auth-type": "bearer", "auth-secret": "users" }, was: "404" },
      { says: { "auth-type": "none" }, was: "404" },
      { says: { "auth-type": "basicc", "auth-secret": "users" } },
    ],
    untold: [
      { says: basic },
      { says: { "auth-type": "basic" }, was: "503" },
      { says: { "auth-secret": "users" } },
      { says: { "auth-type": "" } },
    ],
  },
  "auth-type-in-capitals": {
    told: [
      { says: { ...basic, "auth-type": "Basic" }, was: "404" },
      { says: { ...basic, "auth-type": "BASIC" }, was: "404" },
    ],
    untold: [{ says: basic }],
  },
  "auth-realm-off": {
    told: [{ says: { ...basic, "auth-realm": "off" } }, { says: { ...basic, "auth-realm": "OFF" } }],
    untold: [{ says: { ...basic, "auth-realm": "office" } }],
  },
  "auth-realm-quotes": {
    told: [
      { says: { ...basic, "auth-realm": 'the "shop"' }, was: "404" },
      { says: { ...basic, "auth-realm": "a;b" }, was: "404" },
    ],
    untold: [{ says: { ...basic, "auth-realm": "the shop" } }],
  },
  "password-hash-unknown": {
    told: [
      {
        says: { ...basic, "auth-secret": "odd" },
        beside: [secret("shop/odd", { auth: "a:$9$x\nb:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })],
      },
      {
        says: { ...basic, "auth-secret": "odd" },
        beside: [
          secret("shop/odd", {
            auth: "a:$2y$14$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234\nb:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=",
          }),
        ],
      },
    ],
    untold: [
      { says: basic },
      {
        says: { ...basic, "auth-secret": "none" },
        beside: [secret("shop/none", { other: "x" })],
        was: "503",
      },
    ],
  },
  "auth-secret-without-hash": {
    told: [
      { says: { ...basic, "auth-secret": "odd" }, beside: [secret("shop/odd", { auth: "ada" })], was: "401" },
      {
        says: { ...basic, "auth-secret": "odd" },
        beside: [secret("shop/odd", { auth: "ada:" })],
        was: "401",
      },
    ],
    untold: [{ says: basic }],
  },
  "auth-url-refused": {
    told: [
      { says: { "auth-url": "http://a.test/x;y" }, was: "404" },
      { says: { ...ask, "auth-cache-key": "a;b" } },
      { says: { ...ask, "auth-always-set-cookie": "maybe" } },
    ],
    untold: [
      { says: ask },
      { says: { ...ask, "auth-method": "WRONG" }, was: "503" },
      { says: { "auth-url": "https://invalid..auth.url" }, was: "503" },
      { says: { "auth-url": "nothing" }, was: "503" },
      { says: { ...ask, "auth-cache-key": "$remote_user", "auth-cache-duration": "30m 200" }, was: "503" },
      { says: { ...ask, "auth-cache-key": "$remote_user", "auth-cache-duration": "200 401 5m, 1h" } },
      { says: { "auth-url": "https://auth.example.com/verify" } },
    ],
  },
  "auth-url-loopback": {
    told: [{ says: { "auth-url": "http://127.0.0.1/x" } }, { says: { "auth-url": "http://[::1]/x" } }],
    untold: [{ says: ask }],
  },
  "auth-url-variable-as-host": {
    told: [{ says: { "auth-url": "http://$host/x" } }, { says: { "auth-url": "https://a.$host/x" } }],
    untold: [{ says: { "auth-url": "http://auth.shop.svc/x?u=$request_uri" } }],
  },
  "auth-url-variable": {
    told: [
      { says: { "auth-url": "http://auth.shop.svc/$uri" } },
      { says: { "auth-url": "http://auth.shop.svc/$1" } },
    ],
    untold: [{ says: { "auth-url": "http://auth.shop.svc/x?u=$request_uri" } }],
  },
  "auth-signin-refused": {
    told: [
      { says: { ...ask, "auth-signin": "ftp://a.test" } },
      { says: { ...ask, "auth-signin": "https://$http_cookie/in" } },
    ],
    untold: [{ says: { ...ask, "auth-signin": "https://a.test/in" } }],
  },
  "auth-signin-return-host": {
    told: [
      { says: { ...ask, "auth-signin": "https://a.test/in" }, keys: { "use-forwarded-headers": "true" } },
      { says: { ...ask, "auth-signin": "/in" }, keys: { "use-forwarded-headers": "true" } },
    ],
    untold: [{ says: { ...ask, "auth-signin": "https://a.test/in" } }],
  },
  "auth-signin-fragment": {
    told: [
      { says: { ...ask, "auth-signin": "https://a.test/in#top" } },
      { says: { ...ask, "auth-signin": "https://a.test/in?" } },
    ],
    untold: [{ says: { ...ask, "auth-signin": "https://a.test/in?a=b" } }],
  },
  "custom-http-errors-beside-sign-in": {
    told: [
      { says: { ...ask, "auth-signin": "https://a.test/in" }, keys: { "custom-http-errors": "404" } },
      {
        keys: {
          "global-auth-url": "http://auth.shop.svc/x",
          "global-auth-signin": "https://a.test/in",
          "custom-http-errors": "404",
        },
      },
    ],
    untold: [
      { says: ask, keys: { "custom-http-errors": "404" }, besides: ["errors-of-refused-requests"] },
      { says: { ...ask, "auth-signin": "https://a.test/in" } },
      {
        says: { ...ask, "auth-signin": "https://a.test/in", "custom-http-errors": "404" },
        keys: { "custom-http-errors": "404" },
        besides: ["errors-of-refused-requests"],
      },
    ],
  },
  "auth-headers-framing": {
    told: [
      { says: { ...ask, "auth-response-headers": "Host" } },
      { says: { ...ask, "auth-response-headers": "X-User,Content-Length" } },
    ],
    untold: [{ says: { ...ask, "auth-response-headers": "X-User" } }],
  },
  "auth-proxy-set-headers-namespace": {
    told: [
      { says: { ...ask, "auth-proxy-set-headers": "headers" }, was: "503" },
      { says: { ...ask, "auth-proxy-set-headers": "others" }, was: "503" },
    ],
    untold: [{ says: { ...ask, "auth-proxy-set-headers": "shop/headers" }, was: "503" }],
  },
  "auth-request-redirect-variables": {
    told: [
      { says: { ...ask, "auth-request-redirect": "$request_uri" } },
      { says: { ...ask, "auth-request-redirect": "/a/$host" } },
    ],
    untold: [{ says: { ...ask, "auth-request-redirect": "/a" } }],
  },
  "auth-cache-duration-milliseconds": {
    told: [
      { says: { ...ask, "auth-cache-key": "$remote_user", "auth-cache-duration": "200 1500ms" } },
      { says: { ...ask, "auth-cache-key": "$remote_user", "auth-cache-duration": "500ms" } },
    ],
    untold: [{ says: { ...ask, "auth-cache-key": "$remote_user", "auth-cache-duration": "200 2s" } }],
  },
  "auth-errors-intercepted": {
    told: [
      { says: { ...ask, "custom-http-errors": "502" } },
      { says: ask, keys: { "custom-http-errors": "404,504" } },
    ],
    untold: [
      { says: ask },
      { says: { ...ask, "custom-http-errors": "404" }, besides: ["errors-of-refused-requests"] },
    ],
  },
  "auth-response-headers-satisfy-any": {
    told: [
      { says: { ...ask, "auth-response-headers": "X-User", satisfy: "any" } },
      { says: { ...ask, "auth-response-headers": "X-A,X-B", satisfy: "any" } },
    ],
    untold: [{ says: { ...ask, "auth-response-headers": "X-User", satisfy: "all" } }],
  },
  "auth-cache-key-post": {
    told: [
      { says: { ...ask, "auth-cache-key": "$remote_user", "auth-method": "POST" } },
      { says: { ...ask, "auth-cache-key": "$remote_addr", "auth-method": "POST" } },
    ],
    untold: [{ says: { ...ask, "auth-cache-key": "$remote_user", "auth-method": "GET" } }],
  },
  "auth-cache-key-ambiguous": {
    told: [
      { says: { ...ask, "auth-cache-key": "$cookie_session" } },
      { says: { ...ask, "auth-cache-key": "$http_authorization" } },
      {
        keys: { "global-auth-url": "http://auth.shop.svc/x", "global-auth-cache-key": "$http_authorization" },
      },
    ],
    untold: [{ says: { ...ask, "auth-cache-key": "$remote_user" } }],
  },
  "auth-keepalive": {
    told: [
      { says: { ...ask, "auth-keepalive": "10" }, keys: { "use-http2": "false" } },
      { says: { ...ask, "auth-keepalive": "1" } },
    ],
    untold: [{ says: { ...ask, "auth-keepalive": "0" } }],
  },
  "limit-refused": {
    told: [
      { says: { "limit-rps": "many" }, was: "404" },
      { says: { "limit-connections": "1.5" }, was: "404" },
      { says: { "limit-rps": "many", "whitelist-source-range": "" }, was: "404" },
      { says: { "limit-rps": "5", "limit-allowlist": "nobody" }, was: "404" },
    ],
    untold: [{ says: { "limit-rps": "5" }, besides: ["limit-ipv6"] }],
  },
  "limit-burst-multiplier-negative": {
    told: [
      { says: { "limit-rps": "5", "limit-burst-multiplier": "-1" }, was: "stuck" },
      { says: { "limit-rps": "5", "limit-burst-multiplier": "-5" }, was: "stuck" },
    ],
    untold: [{ says: { "limit-rps": "5", "limit-burst-multiplier": "5" }, besides: ["limit-ipv6"] }],
  },
  "limit-ipv6": {
    told: [{ says: { "limit-rps": "5" } }, { says: { "limit-connections": "5" } }],
    untold: [{ says: { "limit-rate": "5" } }],
  },
  "limit-conn-zone-variable": {
    told: [
      { says: { "limit-rps": "5" }, keys: { "limit-conn-zone-variable": "$http_x_key" } },
      { says: { "limit-rps": "5" }, keys: { "limit-conn-zone-variable": "$cookie_key" } },
    ],
    untold: [
      {
        says: { "limit-rps": "5" },
        keys: { "limit-conn-zone-variable": "$binary_remote_addr" },
        besides: ["limit-ipv6"],
      },
    ],
  },
  "source-range-empty": {
    told: [
      { says: { "whitelist-source-range": "" } },
      { says: { "whitelist-source-range": "" }, keys: { "whitelist-source-range": "10.0.0.0/8" } },
    ],
    untold: [
      { says: { "allowlist-source-range": "" }, was: "503" },
      { says: { "denylist-source-range": "" }, was: "503" },
      { says: { "allowlist-source-range": "10.0.0.0/8", "whitelist-source-range": "" } },
    ],
  },
  "configmap-source-range-refused": {
    told: [
      { keys: { "whitelist-source-range": "invalid.com" }, was: "stuck" },
      { keys: { "denylist-source-range": "10.0.0.0/8,nobody" }, was: "stuck" },
    ],
    untold: [{ keys: { "whitelist-source-range": "10.0.0.0/8" } }],
  },
  "block-cidrs-with-source-range": {
    told: [
      { says: { "allowlist-source-range": "10.0.0.0/8" }, keys: { "block-cidrs": "192.0.2.0/24" } },
      { says: { "denylist-source-range": "10.0.0.0/8" }, keys: { "block-cidrs": "192.0.2.0/24" } },
    ],
    untold: [
      { keys: { "block-cidrs": "192.0.2.0/24" } },
      { says: { "allowlist-source-range": "10.0.0.0/8" } },
    ],
  },
  "configmap-global-auth-refused": {
    told: [
      { keys: { "global-auth-url": "nothing" } },
      { keys: { "global-auth-url": "http://auth.shop.svc/x", "global-auth-method": "WRONG" } },
    ],
    untold: [{ keys: { "global-auth-url": "http://auth.shop.svc/x" } }],
  },
  "block-keys-refused": {
    told: [
      { keys: { "block-cidrs": "nobody" }, was: "stuck" },
      { keys: { "block-cidrs": "10.0.0.0/40" }, was: "stuck" },
    ],
    untold: [{ keys: { "block-user-agents": "AlphaBot" } }],
  },
  "snippets-of-ingresses": {
    told: [
      { says: { "configuration-snippet": "userid_service 5; frobnicate on;" }, keys: critical, was: "stuck" },
      { says: { "configuration-snippet": "access_by_lua_block { ngx.exit(403) }" }, keys: critical },
      { says: { "server-snippet": "root /var/www;" }, keys: critical },
      { says: { "configuration-snippet": "client_body_temp_path /tmp;" }, keys: critical },
    ],
    untold: [
      { keys: critical },
      { says: { "configuration-snippet": "more_set_headers 'A: b';" }, keys: critical },
      { says: { "server-snippet": "deny 192.0.2.1;" }, keys: critical },
    ],
  },
  "snippets-without-permission": {
    told: [
      {
        says: { "configuration-snippet": "more_set_headers 'A: b';" },
        was: "404",
      },
      {
        says: { "configuration-snippet": "more_set_headers 'A: b';" },
        keys: { "annotations-risk-level": "Parsed" },
        was: "404",
      },
      {
        says: { "server-snippet": "more_set_headers 'A: b';" },
        keys: { "annotations-risk-level": "Critical" },
      },
    ],
    untold: [
      {
        says: { "configuration-snippet": "more_set_headers 'A: b';" },
        keys: critical,
      },
      {
        says: { "configuration-snippet": "more_set_headers 'A: b';" },
        keys: { "annotations-risk-level": "High" },
        was: "404",
        besides: ["annotation-above-risk-level"],
      },
      { says: { "configuration-snippet": "" } },
    ],
  },
  "modsecurity-rules-refused": {
    told: [
      { says: { ...modsecurity, "modsecurity-snippet": "SecTmpDir /tmp" }, keys: critical },
      {
        says: { ...modsecurity, "modsecurity-snippet": 'SecRule ARGS "@pmFromFile /x" "id:1"' },
        keys: critical,
      },
    ],
    untold: [
      {
        says: { ...modsecurity, "modsecurity-snippet": "SecRuleEngine On" },
        keys: critical,
        besides: ["modsecurity-audit-log"],
      },
      {
        says: { "enable-modsecurity": "false", "modsecurity-snippet": "SecTmpDir /tmp" },
        keys: critical,
      },
    ],
  },
  "modsecurity-audit-log": {
    told: [{ says: modsecurity }, { says: { "enable-modsecurity": "1" } }, { keys: modsecurity }],
    untold: [
      { says: { "enable-modsecurity": "" } },
      { says: { "enable-modsecurity": "false" }, keys: modsecurity },
      {
        says: modsecurity,
        keys: { "modsecurity-audit-log": "/var/log/audit" },
        besides: ["modsecurity-image"],
      },
    ],
  },
  "modsecurity-image": {
    told: [
      { says: modsecurity },
      { keys: modsecurity },
      { says: modsecurity, keys: { "modsecurity-audit-log": "/var/log/audit" } },
    ],
    untold: [
      { says: { "enable-modsecurity": "false" }, keys: modsecurity },
      { keys: { "modsecurity-snippet": "SecRuleEngine On" } },
    ],
  },
  "configmap-modsecurity-rules": {
    told: [
      { keys: { "enable-modsecurity": "yes" } },
      { keys: { ...modsecurity, "modsecurity-snippet": "SecTmpDir /tmp" } },
    ],
    untold: [
      {
        keys: { ...modsecurity, "modsecurity-snippet": "SecRuleEngine On" },
        besides: ["modsecurity-audit-log"],
      },
      { keys: { "enable-modsecurity": "false" } },
    ],
  },
  "configmap-snippets": {
    told: [
      { keys: { "location-snippet": "access_by_lua_block { ngx.exit(403) }" } },
      { keys: { "server-snippet": "root /var/www;" } },
    ],
    untold: [
      { keys: { "location-snippet": "" } },
      { keys: { "location-snippet": "add_header A b;" } },
      { keys: { "server-snippet": "deny 192.0.2.1;" } },
    ],
  },
  "cors-allow-origin-anchored": {
    told: [
      { says: { ...cors, "cors-allow-origin": "https://a.test" } },
      { says: { ...cors, "cors-allow-origin": "null" } },
    ],
    untold: [
      { says: { ...cors, "cors-allow-origin": "*" } },
      { says: { "cors-allow-origin": "https://a.test" } },
    ],
  },
  "cors-allow-origin-vary": {
    told: [
      { says: { ...cors, "cors-allow-origin": "https://a.test" } },
      { says: { ...cors, "cors-allow-origin": "https://*.a.test" } },
    ],
    untold: [{ says: cors }],
  },
  "cors-allow-origin-refused": {
    told: [
      { says: { ...cors, "cors-allow-origin": "https://a.test/" } },
      { says: { ...cors, "cors-allow-origin": "https://a.test/,https://b.test" } },
    ],
    untold: [{ says: { ...cors, "cors-allow-origin": "*" } }],
  },
  "cors-allow-credentials-refused": {
    told: [
      { says: { ...cors, "cors-allow-credentials": "no" } },
      { says: { ...cors, "cors-allow-credentials": "off" } },
    ],
    untold: [{ says: { ...cors, "cors-allow-credentials": "true" } }],
  },
  "cors-allow-credentials-false": {
    told: [
      { says: { ...cors, "cors-allow-credentials": "false" } },
      { says: { ...cors, "cors-allow-credentials": "false", "cors-max-age": "5" } },
    ],
    untold: [{ says: cors }, { says: { "cors-allow-credentials": "false" } }],
  },
  "cors-of-errors-and-redirects": {
    told: [
      { says: { ...cors, "custom-http-errors": "404" } },
      { says: { ...cors, "app-root": "/start" } },
      { says: cors, rules: "app.test/a/ → app:80" },
    ],
    untold: [{ says: cors }, { says: { "app-root": "/start" }, was: "redirect" }],
  },
  "custom-headers-namespace": {
    told: [{ says: { "custom-headers": "other/headers" } }, { says: { "custom-headers": "nginx/headers" } }],
    untold: [{ says: { "custom-headers": "shop/missing" }, was: "503" }],
  },
  "auth-tls-refused": {
    told: [
      { says: { "auth-tls-secret": "shop/users", "auth-tls-match-cn": "someone" }, was: "404" },
      { says: { "auth-tls-secret": "shop/a b;" }, was: "404" },
    ],
    untold: [
      { says: { "auth-tls-secret": "users" }, was: "403" },
      { says: { "auth-tls-secret": "other/ca" }, was: "403" },
      { says: { "auth-tls-match-cn": "" } },
    ],
  },
  "auth-tls-off-beside-others": {
    told: [
      { says: { "auth-tls-secret": "shop/ca", "auth-tls-verify-client": "off" } },
      {
        says: { "auth-tls-secret": "shop/ca", "auth-tls-verify-client": "off", "auth-tls-verify-depth": "2" },
      },
    ],
    untold: [{ says: { "auth-tls-verify-client": "off" } }],
  },
  "auth-tls-of-wildcard": {
    told: [
      { says: { "auth-tls-secret": "shop/missing" }, rules: "*.app.test/ → app:80", was: "403" },
      {
        says: { "auth-tls-secret": "shop/missing" },
        rules: ["app.test/ → app:80", "*.a.test/ → app:80"],
        was: "403",
      },
    ],
    untold: [{ says: { "auth-tls-secret": "shop/missing" }, was: "403" }],
  },
  "auth-tls-with-www-redirect": {
    told: [
      { says: { "auth-tls-secret": "shop/missing", "from-to-www-redirect": "true" }, was: "403" },
      {
        says: { "auth-tls-secret": "shop/missing", "from-to-www-redirect": "true" },
        rules: "www.app.test/ → app:80",
        was: "403",
      },
    ],
    untold: [
      { says: { "from-to-www-redirect": "true" } },
      {
        says: { "from-to-www-redirect": "true" },
        beside: [ingress("shop/www", "www.app.test/ → other:80", {}, 1)],
      },
    ],
  },
}

/** A list with one user who can log in, and another line. */
function digestUsers(line: string, realm = "") {
  return secret("shop/odd", { auth: `ann:${realm}:939e7578ed9e3c518a452acee763bce9\n${line}` })
}
