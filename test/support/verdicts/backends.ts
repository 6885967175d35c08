import { ingress, type Json, service, slice } from "../../../harness/manifests.ts"
import type { CasesOfRules } from "./verdict.ts"

const older = (
  name: string,
  rules: string | readonly string[],
  says: Readonly<Record<string, string>> = {},
) => ingress(name, rules, says, 1)
const https = { "backend-protocol": "HTTPS" }
const cookie = { affinity: "cookie" }

function named(externalName: string): Json {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "shop", name: "outside" },
    spec: { type: "ExternalName", externalName },
  }
}

const ewma: CasesOfRules[string] = {
  told: [{ says: { "load-balance": "ewma" } }, { keys: { "load-balance": "ewma" } }],
  untold: [
    { says: { "load-balance": "round_robin" } },
    { says: { "load-balance": "round_robin" }, keys: { "load-balance": "ewma" } },
  ],
}
const allEwma = ["ewma-peak", "ewma-score", "ewma-endpoint-without-sample"]

const critical = { "annotations-risk-level": "Critical", "allow-snippet-annotations": "true" }

/** Services, balancing, sessions, canaries, timeouts, headers, mirrors, and TLS to backends. */
export const backendCases: CasesOfRules = {
  "snippet-length": {
    told: [
      { says: { "configuration-snippet": "more_set_headers 'Content-Length: 0';" }, keys: critical },
      { says: { "server-snippet": "more_set_headers 'A: b' 'content-length: 7';" }, keys: critical },
    ],
    untold: [
      { says: { "configuration-snippet": "more_set_headers 'Location: https://a.test/';" }, keys: critical },
    ],
  },
  "snippet-limit-except-variables": {
    told: [
      {
        says: { "configuration-snippet": "limit_except GET { deny all; } add_header A $service_name;" },
        keys: critical,
      },
      {
        says: {
          "configuration-snippet": 'more_set_headers "A: $namespace"; limit_except GET { deny all; }',
        },
        keys: critical,
      },
    ],
    untold: [
      { says: { "configuration-snippet": "limit_except GET { deny all; }" }, keys: critical },
      { says: { "configuration-snippet": "add_header A $service_name;" }, keys: critical },
    ],
  },
  "snippet-limit-except-headers": {
    told: [
      {
        says: {
          "configuration-snippet":
            'limit_except GET { deny all; } more_set_input_headers "A: b"; error_page 403 /refused;',
        },
        keys: critical,
      },
      {
        says: {
          "configuration-snippet":
            "error_page 403 /refused; more_clear_input_headers A; limit_except GET { deny all; }",
        },
        keys: critical,
      },
    ],
    untold: [
      {
        says: {
          "configuration-snippet": 'limit_except GET { deny all; } more_set_input_headers "A: b";',
        },
        keys: critical,
      },
    ],
  },
  "snippet-type-condition": {
    told: [
      {
        says: { "configuration-snippet": "more_set_headers -t text/plain 'Content-Type: text/x' 'A: b';" },
        keys: critical,
      },
      {
        says: {
          "server-snippet": "more_set_headers -t 'text/plain text/css' 'A: b' 'Content-Type: text/x';",
        },
        keys: critical,
      },
    ],
    untold: [
      {
        says: { "configuration-snippet": "more_set_headers 'Content-Type: text/x' 'A: b';" },
        keys: critical,
      },
    ],
  },
  "snippet-input-headers-read-before": {
    told: [
      {
        says: { "configuration-snippet": "more_set_input_headers 'A: b'; if ($http_a = c) { return 403; }" },
        keys: critical,
      },
      {
        says: { "configuration-snippet": "more_clear_input_headers A; proxy_set_header B $http_a;" },
        keys: critical,
      },
    ],
    untold: [{ says: { "configuration-snippet": "more_set_input_headers 'A: b';" }, keys: critical }],
  },
  "snippet-sent-headers": {
    told: [
      { says: { "configuration-snippet": "add_header B $sent_http_a;" }, keys: critical },
      {
        says: { "configuration-snippet": "more_clear_headers A; add_header B $sent_http_a;" },
        keys: critical,
      },
    ],
    untold: [{ says: { "configuration-snippet": "add_header B $http_a;" }, keys: critical }],
  },
  ...Object.fromEntries(allEwma.map((rule) => [rule, ewma])),
  "service-upstream-target-port": {
    told: [
      { says: { "service-upstream": "true" }, rules: "app.test/ → app:8080", was: "503" },
      { keys: { "service-upstream": "true" }, rules: "app.test/ → app:8080", was: "503" },
    ],
    untold: [{ says: { "service-upstream": "true" } }, { rules: "app.test/ → app:80" }],
  },
  "backend-name-shared": {
    told: [
      { rules: "app.test/ → b-c:80", beside: [older("shop-b/web", "web.test/ → c:80")], was: "503" },
      { rules: "app.test/ → x-y:81", beside: [older("shop-x/web", "web.test/ → y:81")], was: "503" },
    ],
    untold: [
      { rules: "app.test/ → b-c:80", beside: [older("shop-b/web", "web.test/ → c:81")], was: "503" },
      { rules: "app.test/ → app:80", beside: [older("shop/web", "web.test/ → app:80")] },
    ],
  },
  "endpoint-address-refused": {
    told: [
      { rules: "app.test/ → odd:80", beside: [service("shop/odd"), slice("shop/odd", ["127.0.0.1"], 80)] },
      { rules: "app.test/ → odd:80", beside: [service("shop/odd"), slice("shop/odd", ["169.254.1.1"], 80)] },
    ],
    untold: [
      { rules: "app.test/ → odd:80", beside: [service("shop/odd"), slice("shop/odd", ["10.1.1.1"], 80)] },
    ],
  },
  "external-name-lookup": {
    told: [
      { rules: "app.test/ → outside:80", beside: [named("192.0.2.1")], was: "503" },
      { rules: "app.test/ → outside:80", beside: [named("2001:db8::1")], was: "503" },
    ],
    untold: [{ rules: "app.test/ → outside:80", beside: [named("outside.test")] }],
  },
  "external-name-address-refused": {
    told: [
      { rules: "app.test/ → outside:80", beside: [named("127.0.0.1")], besides: ["external-name-lookup"] },
      {
        rules: "app.test/ → outside:80",
        beside: [named("169.254.169.254")],
        besides: ["external-name-lookup"],
      },
    ],
    untold: [{ rules: "app.test/ → outside:80", beside: [named("outside.test")] }],
  },
  "enable-topology-aware-routing": {
    told: [
      { flags: ["--enable-topology-aware-routing"] },
      { flags: ["--enable-topology-aware-routing=true"], says: { "load-balance": "round_robin" } },
    ],
    untold: [{ flags: ["--enable-topology-aware-routing=false"] }, {}],
  },
  "load-balance-unknown-name": {
    told: [
      { says: { "load-balance": "foo" }, was: "404" },
      { says: { "load-balance": "EWMA" }, was: "404" },
    ],
    untold: [{ says: { "load-balance": "round_robin" } }],
  },
  "load-balance-wasm-name-wick-dev": {
    told: [
      { says: { "load-balance": "wasm/fair" }, was: "404" },
      { says: { "load-balance": "wasm/other" }, was: "404" },
    ],
    untold: [{ says: { "load-balance": "round_robin" } }],
  },
  "upstream-hash-by-dollar": {
    told: [{ says: { "upstream-hash-by": "a$" } }, { says: { "upstream-hash-by": "$" } }],
    untold: [{ says: { "upstream-hash-by": "$request_uri" } }],
  },
  "upstream-hash-by-unknown": {
    told: [
      { says: { "upstream-hash-by": "$reqest_uri" } },
      { says: { "upstream-hash-by": "$host$nothing" } },
    ],
    untold: [{ says: { "upstream-hash-by": "$http_x_tenant" } }],
  },
  "affinity-of-shared-service": {
    told: [
      {
        says: { ...cookie, "session-cookie-name": "B" },
        rules: "app.test/b → app:80",
        beside: [older("shop/a", "app.test/a → app:80", { ...cookie, "session-cookie-name": "A" })],
      },
      {
        says: { ...cookie, "affinity-mode": "persistent" },
        rules: "app.test/b → app:80",
        beside: [older("shop/a", "app.test/a → app:80", cookie)],
      },
    ],
    untold: [
      {
        says: { ...cookie, "session-cookie-name": "B" },
        rules: "app.test/b → app:80",
        beside: [older("shop/a", "app.test/a → other:80", { ...cookie, "session-cookie-name": "A" })],
      },
    ],
  },
  "session-cookie-age": {
    told: [
      { says: { ...cookie, "session-cookie-max-age": "1h60" } },
      { says: { ...cookie, "session-cookie-expires": "-1" } },
    ],
    untold: [{ says: { ...cookie, "session-cookie-max-age": "3600" } }],
  },
  "session-cookie-path-semicolon": {
    told: [
      { says: cookie, rules: "app.test/a;b ~→ app:80" },
      { says: cookie, rules: ["app.test/a → app:80", "app.test/c; ~→ app:80"] },
    ],
    untold: [{ rules: "app.test/a;b ~→ app:80" }, { says: cookie, rules: "app.test/a → app:80" }],
  },
  "session-cookie-path-of-regex": {
    told: [
      { says: { ...cookie, "use-regex": "true" }, rules: "app.test/foo/.* ~→ app:80" },
      { says: { ...cookie, "rewrite-target": "/$1" }, rules: "app.test/foo/(.*) ~→ app:80" },
    ],
    untold: [
      {
        says: { ...cookie, "use-regex": "true", "session-cookie-path": "/foo" },
        rules: "app.test/foo/.* ~→ app:80",
      },
      { says: cookie, rules: "app.test/foo → app:80" },
    ],
  },
  "name-with-space": {
    told: [
      { says: { ...cookie, "session-cookie-name": "my cookie" } },
      {
        says: { canary: "true", "canary-by-header": "X Canary" },
        beside: [older("shop/main", "app.test/ → other:80")],
      },
    ],
    untold: [{ says: { ...cookie, "session-cookie-name": "my-cookie" } }],
  },
  "canary-of-another-namespace": {
    told: [
      { says: { canary: "true", "canary-weight": "10" }, beside: [older("blog/main", "app.test/ → web:80")] },
      {
        says: { canary: "true", "canary-by-header": "X-A" },
        beside: [older("blog/main", "app.test/ → web:80")],
      },
    ],
    untold: [
      {
        says: { canary: "true", "canary-weight": "10" },
        beside: [older("shop/main", "app.test/ → other:80")],
      },
    ],
  },
  "canary-of-host-and-path": {
    told: [
      {
        says: { canary: "true", "canary-weight": "10" },
        beside: [older("shop/main", ["app.test/ → other:80", "app.test/x → other:80"])],
      },
      {
        says: { canary: "true", "canary-weight": "10" },
        beside: [older("shop/main", ["app.test/ → other:80", "web.test/ → other:80"])],
      },
    ],
    untold: [
      {
        says: { canary: "true", "canary-weight": "10" },
        beside: [older("shop/main", "app.test/ → other:80")],
      },
    ],
  },
  "timeout-below-second": {
    told: [{ says: { "proxy-read-timeout": "0" } }, { says: { "proxy-connect-timeout": "-1" } }],
    untold: [{ says: { "proxy-read-timeout": "5" } }],
  },
  "timeout-above-timer": {
    told: [{ says: { "proxy-read-timeout": "2147484" } }, { says: { "proxy-send-timeout": "9999999" } }],
    untold: [{ says: { "proxy-read-timeout": "86400" } }],
  },
  "proxy-next-upstream-tries-unbounded": {
    told: [
      { says: { "proxy-next-upstream-tries": "0" } },
      { says: { "proxy-next-upstream-tries": "17" } },
      { keys: { "proxy-next-upstream-tries": "0" } },
    ],
    untold: [
      { says: { "proxy-next-upstream-tries": "3" } },
      { says: { "proxy-next-upstream-tries": "16" }, keys: { "proxy-next-upstream-tries": "0" } },
    ],
  },
  "errors-of-refused-requests": {
    told: [{ says: { "custom-http-errors": "404" } }, { keys: { "custom-http-errors": "503" } }],
    untold: [{ says: { "default-backend": "other" } }],
  },
  "template-with-decoded-path": {
    told: [{ says: { "upstream-vhost": "$uri" } }, { says: { "upstream-vhost": "$1.test" } }],
    untold: [{ says: { "upstream-vhost": "$request_uri" } }],
  },
  "proxy-cookie-regex": {
    told: [
      { says: { "proxy-cookie-path": "~^/a /b" } },
      { says: { "proxy-redirect-from": "~^http", "proxy-redirect-to": "/" } },
    ],
    untold: [{ says: { "proxy-cookie-path": "/a /b" } }],
  },
  "mirror-target-without-path": {
    told: [
      { says: { "mirror-target": "http://mirror.test" } },
      { says: { "mirror-target": "https://mirror.test" } },
    ],
    untold: [
      { says: { "mirror-target": "http://mirror.test$request_uri" } },
      { says: { "mirror-target": "http://mirror.test/x" } },
    ],
  },
  "mirror-target-refused": {
    told: [
      { says: { "mirror-target": "http://127.0.0.1/x" } },
      { says: { "mirror-target": "http://$http_x/x" } },
    ],
    untold: [
      { says: { "mirror-target": "http://mirror.test/x" } },
      { says: { "mirror-target": "http://192.0.2.1/x" } },
    ],
  },
  "mirror-request-body-off": {
    told: [
      { says: { "mirror-target": "http://mirror.test/x", "mirror-request-body": "off" } },
      { says: { "mirror-target": "http://192.0.2.1/x", "mirror-request-body": "off" } },
    ],
    untold: [
      { says: { "mirror-target": "http://mirror.test/x", "mirror-request-body": "on" } },
      { says: { "mirror-request-body": "off" } },
    ],
  },
  "custom-http-errors-499": {
    told: [
      { says: { "custom-http-errors": "499" }, was: "stuck" },
      { says: { "custom-http-errors": "404,499" }, was: "stuck" },
    ],
    untold: [{ says: { "custom-http-errors": "404" }, besides: ["errors-of-refused-requests"] }],
  },
  "custom-http-errors-413": {
    told: [{ says: { "custom-http-errors": "413" } }, { keys: { "custom-http-errors": "404,413" } }],
    untold: [{ says: { "custom-http-errors": "404" }, besides: ["errors-of-refused-requests"] }],
  },
  "fastcgi-params-namespace": {
    told: [
      { says: { "backend-protocol": "FCGI", "fastcgi-params-configmap": "other/params" } },
      {
        says: { "backend-protocol": "FCGI", "fastcgi-params-configmap": "other/params" },
        keys: { "allow-cross-namespace-resources": "true" },
        was: "503",
      },
    ],
    untold: [{ says: { "backend-protocol": "FCGI" }, besides: ["fastcgi-forwarded"] }],
  },
  "fastcgi-forwarded": {
    told: [{ says: { "backend-protocol": "FCGI" } }, { says: { "backend-protocol": "fcgi" } }],
    untold: [{ says: { "backend-protocol": "GRPC" } }],
  },
  "grpc-fastcgi-retries": {
    told: [
      { says: { "backend-protocol": "GRPC", "proxy-next-upstream": "error" } },
      { says: { "backend-protocol": "FCGI", "proxy-buffering": "on" } },
    ],
    untold: [{ says: { "backend-protocol": "GRPC" } }, { says: { "proxy-next-upstream": "error" } }],
  },
  "fastcgi-timeouts": {
    told: [
      { says: { "backend-protocol": "FCGI" }, keys: { "proxy-read-timeout": "5" } },
      { says: { "backend-protocol": "FCGI" }, keys: { "proxy-next-upstream": "error" } },
    ],
    untold: [{ keys: { "proxy-read-timeout": "5" } }],
  },
  "proxy-ssl-server-name-without-secret": {
    told: [
      { says: { ...https, "proxy-ssl-server-name": "on", "proxy-ssl-name": "b.test" } },
      { says: { "backend-protocol": "GRPCS", "proxy-ssl-server-name": "on", "proxy-ssl-name": "b.test" } },
    ],
    untold: [{ says: { ...https, "proxy-ssl-name": "b.test" } }, { says: { "proxy-ssl-name": "b.test" } }],
  },
  "proxy-ssl-verify-without-secret": {
    told: [
      { says: { ...https, "proxy-ssl-verify": "on" } },
      { says: { "backend-protocol": "GRPCS", "proxy-ssl-verify": "on" } },
    ],
    untold: [{ says: { "proxy-ssl-verify": "on" } }, { says: { ...https, "proxy-ssl-verify": "off" } }],
  },
  "proxy-ssl-verify-refused": {
    told: [
      { says: { ...https, "proxy-ssl-verify": "yes" } },
      { says: { ...https, "proxy-ssl-verify": "true" } },
    ],
    untold: [{ says: { ...https, "proxy-ssl-verify": "off" } }],
  },
  "proxy-ssl-secret-unusable": {
    told: [
      { says: { ...https, "proxy-ssl-secret": "shop/users" }, was: "stuck" },
      { says: { ...https, "proxy-ssl-secret": "shop/users", "proxy-ssl-verify": "on" }, was: "stuck" },
    ],
    untold: [{ says: { ...https, "proxy-ssl-secret": "shop/missing" }, was: "503" }],
  },
  "proxy-ssl-of-shared-host": {
    told: [
      {
        rules: "app.test/b → app:80",
        beside: [older("shop/a", "app.test/a → other:80", { "proxy-ssl-secret": "shop/users" })],
      },
      {
        rules: "app.test/b → app:80",
        says: https,
        beside: [older("shop/a", "app.test/a → other:80", { "proxy-ssl-secret": "shop/users" })],
      },
    ],
    untold: [
      {
        rules: "app.test/b → app:80",
        beside: [older("shop/a", "a.test/a → other:80", { "proxy-ssl-secret": "shop/users" })],
      },
    ],
  },
  "proxy-ssl-ciphers-unknown": {
    told: [
      { says: { ...https, "proxy-ssl-secret": "shop/ca", "proxy-ssl-ciphers": "NO-SUCH-CIPHER" } },
      { says: { ...https, "proxy-ssl-secret": "shop/ca", "proxy-ssl-ciphers": "NONE" } },
    ],
    untold: [{ says: { ...https, "proxy-ssl-secret": "shop/ca", "proxy-ssl-ciphers": "HIGH" } }],
  },
}
