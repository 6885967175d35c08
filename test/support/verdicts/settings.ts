import { generateKeyPairSync } from "node:crypto"
import { ingress, type Json, secret, withTls } from "../../../harness/manifests.ts"
import { rootAuthority, selfSignedIdentity } from "../../../harness/pki.ts"
import type { CasesOfRules } from "./verdict.ts"

const authority = await rootAuthority()
const ca = secret("shop/ca", { "ca.crt": authority.pem })
const tls = { "auth-tls-secret": "shop/ca" }
const https = { "backend-protocol": "HTTPS", "proxy-ssl-secret": "shop/ca" }
const user = (hash: string) =>
  secret("shop/odd", { auth: `ann:${hash}\nbob:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=` })
const ofSecret = { "auth-type": "basic", "auth-secret": "odd" }
const networks = Array.from({ length: 16_385 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`).join(",")

const odd = (data: Readonly<Record<string, string>>): Json => secret("shop/odd", data)
const withOdd = withTls(ingress("shop/app", "app.test/ → app:80", {}, 5), "app.test=odd")
const good = await selfSignedIdentity({ names: ["app.test"] })

/** What the ConfigMap says, and what Secrets hold. */
export const settingsCases: CasesOfRules = {
  "headers-in-other-spellings": {
    told: [
      { keys: { "enable-underscores-in-headers": "true" } },
      { keys: { "ignore-invalid-headers": "false" } },
    ],
    untold: [{ keys: { "enable-underscores-in-headers": "false" } }],
  },
  "server-of-backends-without-one": {
    told: [
      { keys: { "allow-backend-server-header": "true", "server-tokens": "true" } },
      { keys: { "allow-backend-server-header": "true", "server-tokens": "true", "proxy-body-size": "8m" } },
    ],
    untold: [{ keys: { "allow-backend-server-header": "true" } }, { keys: { "server-tokens": "true" } }],
  },
  "client-certificate-headers": {
    told: [
      { keys: { "enable-underscores-in-headers": "true" } },
      { keys: { "enable-underscores-in-headers": "true", "proxy-body-size": "8m" } },
    ],
    untold: [{ keys: { "enable-underscores-in-headers": "false" } }],
  },
  "brotli-without-gzip": {
    told: [{ keys: { "enable-brotli": "true" } }, { keys: { "enable-brotli": "true", "use-gzip": "false" } }],
    untold: [{ keys: { "enable-brotli": "true", "use-gzip": "true" } }, { keys: { "use-gzip": "false" } }],
  },
  "ignore-invalid-headers-false": {
    told: [
      { keys: { "ignore-invalid-headers": "false" } },
      { keys: { "ignore-invalid-headers": "false", "large-client-header-buffers": "4 16k" } },
    ],
    untold: [{ keys: { "ignore-invalid-headers": "true" } }],
  },
  "proxy-set-headers-twice": {
    told: [
      { keys: { "proxy-set-headers": "nginx/headers" } },
      {
        keys: { "proxy-set-headers": "nginx/headers" },
        beside: [configMap("nginx/headers", { "X-Real-IP": "1" })],
      },
    ],
    untold: [
      {
        keys: { "proxy-set-headers": "nginx/headers" },
        beside: [configMap("nginx/headers", { "X-Own": "1" })],
      },
    ],
  },
  "configmap-named-groups": {
    told: [
      { keys: { "block-user-agents": "~(?<name>a)" }, was: "stuck" },
      { keys: { "block-referers": "~(?<name>a)" }, was: "stuck" },
    ],
    untold: [{ keys: { "block-user-agents": "~(a)" } }],
  },
  "configmap-value-refused": {
    told: [{ keys: { "proxy-read-timeout": "soon" } }, { keys: { "http-redirect-code": "999" } }],
    untold: [{ keys: { "proxy-read-timeout": "5" } }],
  },
  "configmap-item-refused": {
    told: [{ keys: { "custom-http-errors": "404,nothing" } }, { keys: { "custom-http-errors": "503,x" } }],
    untold: [{ keys: { "custom-http-errors": "404" }, besides: ["errors-of-refused-requests"] }],
  },
  "configmap-keys-contradict": {
    told: [
      { keys: { "proxy-busy-buffers-size": "1m" }, was: "stuck" },
      { keys: { "enable-syslog": "true" }, was: "stuck" },
    ],
    untold: [{ keys: { "proxy-busy-buffers-size": "8k" } }],
  },
  "configmap-credentials": {
    told: [
      { keys: { "log-format-upstream": "$http_authorization" } },
      { keys: { "log-format-upstream": "$remote_addr $http_cookie" } },
    ],
    untold: [{ keys: { "log-format-upstream": "$remote_addr" } }],
  },
  "configmap-tls-refused": {
    told: [{ keys: { "ssl-dh-param": "nginx/missing" } }, { keys: { "ssl-dh-param": "shop/users" } }],
    untold: [{ keys: { "ssl-ciphers": "HIGH" } }],
  },
  "configmap-hsts-max-age": {
    told: [{ keys: { "hsts-max-age": "long" } }, { keys: { "hsts-max-age": "1y" } }],
    untold: [{ keys: { "hsts-max-age": "86400" } }],
  },
  "forwarded-headers-trusted": {
    told: [
      { keys: { "use-forwarded-headers": "true", "proxy-real-ip-cidr": "10.0.0.0/8" } },
      { keys: { "use-forwarded-headers": "true", "proxy-real-ip-cidr": "0.0.0.0/0" } },
    ],
    untold: [{ keys: { "use-forwarded-headers": "true" } }, { keys: { "proxy-real-ip-cidr": "10.0.0.0/8" } }],
  },
  "use-proxy-protocol-use-forwarded-headers": {
    told: [
      { keys: { "use-proxy-protocol": "true", "use-forwarded-headers": "true" } },
      {
        keys: { "use-proxy-protocol": "true", "use-forwarded-headers": "true", "proxy-body-size": "8m" },
      },
    ],
    untold: [{ keys: { "use-proxy-protocol": "true" } }],
  },
  "ssl-early-data": {
    told: [
      { keys: { "ssl-early-data": "true" } },
      { keys: { "ssl-early-data": "true", "ssl-protocols": "TLSv1.3" } },
    ],
    untold: [{ keys: { "ssl-early-data": "false" } }],
  },
  "ssl-ciphers-unknown": {
    told: [
      { says: { "ssl-ciphers": "NO-SUCH-CIPHER" }, was: "stuck" },
      { says: { "ssl-ciphers": "NONE:OTHER" }, was: "stuck" },
    ],
    untold: [{ says: { "ssl-ciphers": "HIGH" } }],
  },
  "enable-ssl-chain-completion": {
    told: [
      { flags: ["--enable-ssl-chain-completion"] },
      { flags: ["--enable-ssl-chain-completion=true"], says: { "proxy-read-timeout": "5" } },
    ],
    untold: [{ flags: ["--enable-ssl-chain-completion=false"] }],
  },
  "tracing-without-collector": {
    told: [{ says: { "enable-opentelemetry": "true" } }, { keys: { "enable-opentelemetry": "true" } }],
    untold: [{ says: { "enable-opentelemetry": "false" } }],
  },
  "source-range-too-long": {
    told: [{ says: { "allowlist-source-range": networks } }, { says: { "denylist-source-range": networks } }],
    untold: [{ says: { "allowlist-source-range": "10.0.0.0/8" } }],
  },
  "password-argon2id": {
    told: [
      {
        says: ofSecret,
        beside: [
          user("$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$iWh06vD8Fy27wf9npn6FXWiCX4K6pW6Ue1Bnzz07Z8A"),
        ],
      },
      {
        says: { ...ofSecret, "auth-realm": "r" },
        beside: [
          user("$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$iWh06vD8Fy27wf9npn6FXWiCX4K6pW6Ue1Bnzz07Z8A"),
        ],
      },
    ],
    untold: [{ says: ofSecret, beside: [user("{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=")] }],
  },
  "auth-map-lines": {
    told: [
      {
        says: { ...ofSecret, "auth-secret-type": "auth-map" },
        beside: [
          odd({ ann: "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=\nx:y", bob: "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" }),
        ],
      },
      {
        says: { ...ofSecret, "auth-secret-type": "auth-map", satisfy: "all" },
        beside: [odd({ ann: "x\ny", bob: "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })],
      },
    ],
    untold: [
      {
        says: { ...ofSecret, "auth-secret-type": "auth-map" },
        beside: [odd({ ann: "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=" })],
      },
    ],
  },
  "auth-secret-too-large": {
    told: [
      { says: ofSecret, beside: [odd({ auth: usersOf(10_001, "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=") })] },
      {
        says: ofSecret,
        beside: [odd({ auth: usersOf(9_000, "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=", "x".repeat(60)) })],
      },
    ],
    untold: [{ says: ofSecret, beside: [odd({ auth: usersOf(100, "{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=") })] }],
  },
  "proxy-ssl-name-by-service": {
    told: [
      { says: { ...https, "proxy-ssl-verify": "on" }, beside: [ca] },
      { says: { ...https, "proxy-ssl-server-name": "on" }, beside: [ca] },
    ],
    untold: [
      { says: { ...https, "proxy-ssl-verify": "on", "proxy-ssl-name": "b.test" }, beside: [ca], besides: [] },
    ],
  },
  "auth-tls-verify-depth-bounds": {
    told: [
      { says: { ...tls, "auth-tls-verify-depth": "-1" }, beside: [ca] },
      { says: { ...tls, "auth-tls-verify-depth": "101" }, beside: [ca] },
    ],
    untold: [{ says: { ...tls, "auth-tls-verify-depth": "3" }, beside: [ca] }],
  },
  "auth-tls-error-page-refused": {
    told: [
      { says: { ...tls, "auth-tls-error-page": "@name" }, beside: [ca] },
      { says: { ...tls, "auth-tls-error-page": "a.test/x" }, beside: [ca] },
    ],
    untold: [{ says: { ...tls, "auth-tls-error-page": "http://a.test/x" }, beside: [ca] }],
  },
  "auth-tls-error-page-with-match-cn": {
    told: [
      { says: { ...tls, "auth-tls-error-page": "/x", "auth-tls-match-cn": "CN=a" }, beside: [ca] },
      { says: { ...tls, "auth-tls-error-page": "/x/y", "auth-tls-match-cn": "CN=b" }, beside: [ca] },
    ],
    untold: [
      {
        says: { ...tls, "auth-tls-error-page": "http://a.test/x", "auth-tls-match-cn": "CN=a" },
        beside: [ca],
      },
    ],
  },
  "auth-tls-of-default-backend": {
    told: [
      { says: tls, beside: [ca], rules: "* → app:80" },
      { says: { ...tls, "auth-tls-verify-client": "optional" }, beside: [ca], rules: "* → app:80" },
    ],
    untold: [{ says: tls, beside: [ca] }, { rules: "* → app:80" }],
  },
  "auth-tls-of-canary": {
    told: [
      { says: { ...tls, canary: "true" }, beside: [ca, ingress("shop/main", "app.test/ → other:80", {}, 1)] },
      {
        says: { ...tls, canary: "true", "canary-weight": "5" },
        beside: [ca, ingress("shop/main", "app.test/ → other:80", {}, 1)],
      },
    ],
    untold: [{ says: { canary: "true" }, beside: [ingress("shop/main", "app.test/ → other:80", {}, 1)] }],
  },
  "certificate-key-weak": {
    told: [
      {
        object: withOdd,
        beside: [odd({ "tls.crt": good.pem, "tls.key": keyText("rsa", { modulusLength: 1024 }) })],
      },
      {
        object: withOdd,
        beside: [odd({ "tls.crt": good.pem, "tls.key": keyText("ec", { namedCurve: "P-224" }) })],
      },
    ],
    untold: [{ object: withOdd, beside: [odd({ "tls.crt": good.pem, "tls.key": good.keyPem })] }],
  },
  "certificate-chain-too-long": {
    told: [
      { object: withOdd, beside: [odd({ "tls.crt": good.pem.repeat(17), "tls.key": good.keyPem })] },
      { object: withOdd, beside: [odd({ "tls.crt": good.pem.repeat(40), "tls.key": good.keyPem })] },
    ],
    untold: [{ object: withOdd, beside: [odd({ "tls.crt": good.pem, "tls.key": good.keyPem })] }],
  },
}

function configMap(name: string, data: Readonly<Record<string, string>>): Json {
  const [namespace, short] = name.split("/")
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: short }, data }
}

function keyText(...kind: ["rsa", { modulusLength: number }] | ["ec", { namedCurve: string }]): string {
  const pair = kind[0] === "rsa" ? generateKeyPairSync("rsa", kind[1]) : generateKeyPairSync("ec", kind[1])
  return pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
}

function usersOf(count: number, hash: string, name = "user"): string {
  return Array.from({ length: count }, (_, at) => `${name}${at}:${hash}`).join("\n")
}
