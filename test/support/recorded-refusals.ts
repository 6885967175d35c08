import type { Recorded, RecordedCase } from "./recorded-answers.ts"

// As recorded-answers.ts: what ingress-nginx 1.15.1 answers for values that it refuses, and for empty ones.

type Annotations = Readonly<Record<string, string>>

const basic = { "auth-type": "basic", "auth-secret": "users" }
const asks = { "auth-url": "http://auth.example.com" }
const cors = { "enable-cors": "true" }
const sticky = { affinity: "cookie" }

/** The Ingress is left out as a whole. */
const leftOut: readonly Annotations[] = [
  { ...basic, "auth-type": "Basic" },
  { "auth-type": "none" },
  { ...basic, "auth-realm": 'a"b' },
  { ...basic, "auth-secret-type": "file" },
  { "auth-url": "http://auth.example.com/x;y" },
  { "custom-http-errors": "abc" },
  { "from-to-www-redirect": "yes" },
  { "limit-rps": "5", "limit-allowlist": "nobody" },
  { "limit-connections": "x" },
  { "limit-rps": "many" },
  { "limit-rpm": "1.5" },
  { "limit-rps": "many", "whitelist-source-range": "" },
  { "load-balance": "EWMA" },
  { "permanent-redirect": "http://a.test", "permanent-redirect-code": "x" },
  { "relative-redirects": "yes" },
  { "ssl-ciphers": "a;b" },
  { "upstream-hash-by": "a;b" },
  { "rewrite-target": "/a", "x-forwarded-prefix": "/a;b" },
  { "proxy-ssl-secret": "app/a;b" },
]

/** The paths answer 503. */
const denied: readonly Annotations[] = [
  { "denylist-source-range": "invalid.com" },
  { "allowlist-source-range": "10.0.0.0/8,nobody" },
  { "allowlist-source-range": "" },
  { "denylist-source-range": "" },
  { ...asks, "auth-method": "WRONG" },
  { ...asks, "auth-response-headers": "X-A;X-B" },
  { "auth-url": "nothing" },
  { "auth-type": "basic" },
  { ...basic, "auth-secret": "a;b" },
  { "proxy-ssl-secret": "app/nothing", "backend-protocol": "HTTPS" },
]

/** The default applies. */
const ignored: readonly Annotations[] = [
  { "ssl-redirect": "yes" },
  { "force-ssl-redirect": "yes" },
  { "preserve-trailing-slash": "yes" },
  { "use-regex": "yes" },
  { "enable-access-log": "yes" },
  { "enable-rewrite-log": "yes" },
  { "enable-cors": "yes" },
  { ...cors, "cors-max-age": "long" },
  { "proxy-buffering": "yes" },
  { "proxy-request-buffering": "yes" },
  { "proxy-buffer-size": "4kb" },
  { "proxy-buffers-number": "four" },
  { "proxy-http-version": "3" },
  { "proxy-read-timeout": "5s" },
  { "proxy-send-timeout": "5s" },
  { "proxy-next-upstream-tries": "many" },
  { "proxy-next-upstream-timeout": "1s" },
  { "limit-rate": "1k" },
  { "limit-rate-after": "1k" },
  { affinity: "ip" },
  { ...sticky, "affinity-mode": "odd" },
  { ...sticky, "session-cookie-expires": "soon" },
  { satisfy: "some" },
  { "backend-protocol": "SPDY" },
]

/** Empty values, and such as have no effect without another annotation. */
const idle: readonly Annotations[] = [
  { "auth-type": "" },
  { "auth-url": "" },
  { "limit-rps": "" },
  { "limit-connections": "" },
  { "rewrite-target": "" },
  { "permanent-redirect": "" },
  { "server-alias": "" },
  { "enable-modsecurity": "" },
  { "auth-secret": "users" },
  { "auth-realm": "somewhere" },
  { "cors-allow-origin": "https://a.test" },
  { "session-cookie-name": "A" },
  { "proxy-ssl-name": "a.test" },
  { "proxy-ssl-verify": "on" },
  { "permanent-redirect-code": "308" },
  { "mirror-request-body": "off" },
  { "canary-weight": "50" },
  { "auth-signin": "http://auth.example.com/in" },
  { "x-forwarded-prefix": "/a" },
  { "cors-allow-credentials": "false" },
  { "canary-by-header": "X-A" },
  { "auth-cache-key": "a" },
]

function cases(what: string, all: readonly Annotations[], answer: Recorded): readonly RecordedCase[] {
  return all.map((annotations) => ({
    name: `${what}: ${JSON.stringify(annotations)}`,
    paths: ["/"],
    annotations,
    asks: [{ answer }],
  }))
}

export const recordedRefusals: readonly RecordedCase[] = [
  ...cases("left out", leftOut, { status: 404 }),
  ...cases("denied", denied, { status: 503 }),
  ...cases("ignored", ignored, { status: 200 }),
  ...cases("without effect", idle, { status: 200 }),
]
