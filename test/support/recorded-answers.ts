// What ingress-nginx 1.15.1 answers with its default ConfigMap and flags, as far as a request and its answer tell: Ingresses, requests, and the
// answers that were recorded of them. wick need not answer the same; but where it does not, `wick lint` must not say that it does.

/** What is to be seen of an answer. Headers are those of the response; `seen`: parts of what the backend was sent. */
export interface Recorded {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | null>>
  /** path and arguments as the backend sees them */
  readonly url?: string
  /** headers as the backend sees them; null: none */
  readonly sent?: Readonly<Record<string, string | null>>
}

export interface RecordedRequest {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** "" is that of the first rule */
  readonly host?: string
  readonly answer: Recorded
  /** wick's, where it is another one */
  readonly wick?: Recorded
}

export interface RecordedCase {
  readonly name: string
  /** `path sign→`, as in harness/manifests.ts; the host is the case's own */
  readonly paths: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
  /** of a second Ingress of the host, younger */
  readonly second?: {
    readonly paths: readonly string[]
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly asks: readonly RecordedRequest[]
  /** what `wick lint` has to say of the first Ingress; absent: nothing in particular */
  readonly rules?: readonly string[]
}

const ok = { status: 200 }
const missing = { status: 404 }
const denied = { status: 503 }

/** Requests by path alone. */
function paths(answers: Readonly<Record<string, Recorded>>): readonly RecordedRequest[] {
  return Object.entries(answers).map(([path, answer]) => ({ path, answer }))
}

const origin = "http://origin.cors.com:8080"

function preflight(from: string, answer: Recorded): RecordedRequest {
  return { method: "OPTIONS", headers: { origin: from, "access-control-request-method": "GET" }, answer }
}

export const recordedCases: readonly RecordedCase[] = [
  // paths
  { name: "a path without a route", paths: ["/foo"], asks: paths({ "/bar": missing, "/foo": ok }) },
  {
    name: "Prefix",
    paths: ["/aaa"],
    asks: paths({ "/aaa": ok, "/aaa/": ok, "/aaa/cccc": ok, "/aaacccc": missing }),
  },
  {
    name: "Exact beside Prefix",
    paths: ["/exact ="],
    second: { paths: ["/exact"] },
    asks: paths({ "/exact": ok, "/exact/suffix": ok, "/other": missing }),
  },
  {
    name: "ImplementationSpecific",
    paths: ["/foo ~"],
    asks: paths({ "/foo": ok, "/foo/x": ok, "/foox": missing }),
  },
  {
    name: "Exact root beside Prefix root",
    paths: ["/ ="],
    second: { paths: ["/"], annotations: { "upstream-vhost": "prefix.test" } },
    asks: paths({
      "/": { status: 200, sent: { host: "HOST" } },
      "/bar": { status: 200, sent: { host: "prefix.test" } },
    }),
  },
  {
    name: "the longest Prefix",
    paths: ["/foo =", "/"],
    second: { paths: ["/foo"], annotations: { "upstream-vhost": "prefix.test" } },
    asks: paths({
      "/foo": { status: 200, sent: { host: "HOST" } },
      "/foo/bar": { status: 200, sent: { host: "prefix.test" } },
      "/foobar": { status: 200, sent: { host: "HOST" } },
    }),
  },
  { name: "an escaped path", paths: ["/foo"], asks: paths({ "/%66oo": ok }) },
  // regular expressions and rewriting
  {
    name: "use-regex",
    paths: ["/id/[0-9]+ ~"],
    annotations: { "use-regex": "true" },
    asks: paths({ "/id/1": ok, "/id/123a": ok, "/id/aaa": missing }),
  },
  {
    name: "use-regex with an end",
    paths: ["/id/[0-9]+/post/[a-zA-Z]+$ ~"],
    annotations: { "use-regex": "true" },
    asks: paths({ "/id/123/post/abc": ok, "/id/123/post/abc123": missing, "/id/abc/post/abc": missing }),
  },
  {
    name: "a plain path beside a rewritten one",
    paths: ["/foo"],
    second: { paths: ["/foo.+ ~"], annotations: { "use-regex": "true", "rewrite-target": "/new/backend" } },
    asks: paths({ "/foo": { status: 200, url: "/foo" }, "/foo/bar": { status: 200, url: "/new/backend" } }),
  },
  {
    name: "the longest regular expression",
    paths: ["/foo/bar/bar"],
    second: {
      paths: ["/foo/bar/[a-z]{3} ~"],
      annotations: { "use-regex": "true", "rewrite-target": "/new/backend" },
    },
    asks: paths({ "/foo/bar/bar": { status: 200, url: "/new/backend" } }),
  },
  {
    name: "rewrite-target that is the path",
    paths: ["/foo"],
    annotations: { "rewrite-target": "/foo" },
    asks: paths({
      "/foo": { status: 200, url: "/foo" },
      "/foo/x": { status: 200, url: "/foo/x" },
      "/foobar": missing,
    }),
  },
  {
    name: "rewrite-target with a group",
    paths: ["/something(/|$)(.*) ~"],
    annotations: { "rewrite-target": "/$2" },
    asks: paths({
      "/something": { status: 200, url: "/" },
      "/something/": { status: 200, url: "/" },
      "/something/new": { status: 200, url: "/new" },
    }),
  },
  {
    name: "x-forwarded-prefix",
    paths: ["/something ~"],
    annotations: { "rewrite-target": "/", "x-forwarded-prefix": "/path" },
    asks: paths({ "/something": { status: 200, sent: { "x-forwarded-prefix": "/path" } } }),
  },
  {
    name: "rewrite-target with a space",
    paths: ["/something"],
    annotations: { "rewrite-target": "/new path" },
    asks: paths({ "/something": { status: 200, url: "/something" } }),
  },
  {
    name: "app-root",
    paths: ["/"],
    annotations: { "app-root": "/foo" },
    asks: paths({ "/": { status: 302, headers: { location: "http://HOST/foo" } }, "/x": ok }),
  },
  {
    name: "Exact root beside a regular expression",
    paths: ["/ ="],
    annotations: { "use-regex": "true" },
    asks: paths({ "/": missing }),
  },
  {
    name: "Exact where the host has regular expressions",
    paths: ["/foo ="],
    annotations: { "use-regex": "true" },
    asks: paths({ "/foobar": ok }),
  },
  // redirects
  {
    name: "force-ssl-redirect",
    paths: ["/"],
    annotations: { "force-ssl-redirect": "true" },
    asks: paths({ "/path/": { status: 308, headers: { location: "https://HOST/path" } } }),
  },
  {
    name: "preserve-trailing-slash",
    paths: ["/"],
    annotations: { "force-ssl-redirect": "true", "preserve-trailing-slash": "true" },
    asks: paths({ "/path/": { status: 308, headers: { location: "https://HOST/path/" } } }),
  },
  {
    name: "permanent-redirect",
    paths: ["/"],
    annotations: { "permanent-redirect": "http://redirect.example.com" },
    asks: paths({ "/any": { status: 301, headers: { location: "http://redirect.example.com" } } }),
  },
  {
    name: "permanent-redirect-code without a Location",
    paths: ["/"],
    annotations: { "permanent-redirect": "http://redirect.example.com", "permanent-redirect-code": "305" },
    asks: paths({ "/": { status: 305, headers: { location: null } } }),
  },
  {
    name: "temporal-redirect",
    paths: ["/"],
    annotations: { "temporal-redirect": "http://redirect.example.com" },
    asks: paths({ "/": { status: 302, headers: { location: "http://redirect.example.com" } } }),
  },
  {
    name: "temporal-redirect-code",
    paths: ["/"],
    annotations: { "temporal-redirect": "http://redirect.example.com", "temporal-redirect-code": "307" },
    asks: paths({ "/": { status: 307 } }),
  },
  {
    name: "temporal-redirect-code that is too large",
    paths: ["/"],
    annotations: { "temporal-redirect": "http://redirect.example.com", "temporal-redirect-code": "308" },
    asks: paths({ "/": { status: 302 } }),
  },
  {
    name: "both redirects",
    paths: ["/"],
    annotations: {
      "temporal-redirect": "http://a.example.com",
      "permanent-redirect": "http://b.example.com",
    },
    asks: paths({ "/": { status: 302, headers: { location: "http://a.example.com" } } }),
  },
  {
    name: "a redirect of any method",
    paths: ["/"],
    annotations: { "permanent-redirect": "http://redirect.example.com" },
    asks: [
      {
        method: "PUT",
        path: "/x/y",
        answer: { status: 301, headers: { location: "http://redirect.example.com" } },
      },
    ],
  },
  {
    name: "permanent-redirect to a path",
    paths: ["/"],
    annotations: { "permanent-redirect": "/new-location" },
    asks: paths({ "/": { status: 301, headers: { location: "http://HOST/new-location" } } }),
  },
  {
    name: "a redirect where there are no endpoints",
    paths: ["/ nobody"],
    annotations: { "permanent-redirect": "http://redirect.example.com" },
    asks: paths({ "/": { status: 301, headers: { location: "http://redirect.example.com" } } }),
  },
  // who may come in
  {
    name: "Basic authentication without credentials",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "users", "auth-realm": "test auth" },
    asks: [
      { answer: { status: 401, headers: { "www-authenticate": 'Basic realm="test auth"' } } },
      { headers: { authorization: "Basic Zm9vOndyb25n" }, answer: { status: 401 } },
      { headers: { authorization: "Basic Zm9vOmJhcg==" }, answer: ok },
    ],
  },
  {
    name: "Basic authentication without a Secret",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "nobody" },
    asks: paths({ "/": denied }),
  },
  {
    name: "a Secret of another namespace",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "other/users" },
    asks: paths({ "/": denied }),
  },
  {
    name: "Basic authentication with CORS",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "users", "enable-cors": "true" },
    asks: [{ answer: { status: 401, headers: { "access-control-allow-origin": "*" } } }],
  },
  {
    name: "auth-url with a bad name",
    paths: ["/"],
    annotations: { "auth-url": "https://invalid..auth.url" },
    asks: paths({ "/": denied }),
  },
  {
    name: "auth-url with a bad duration",
    paths: ["/"],
    annotations: {
      "auth-url": "http://auth.example.com",
      "auth-cache-key": "x",
      "auth-cache-duration": "30m 200",
    },
    asks: paths({ "/": denied }),
  },
  {
    name: "auth-proxy-set-headers without its ConfigMap",
    paths: ["/"],
    annotations: { "auth-url": "http://auth.example.com", "auth-proxy-set-headers": "app/nothing" },
    asks: paths({ "/": denied }),
  },
  {
    name: "satisfy is all",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "users", "allowlist-source-range": "127.0.0.0/8" },
    asks: [{ answer: { status: 401 } }, { headers: { authorization: "Basic Zm9vOmJhcg==" }, answer: ok }],
  },
  {
    name: "a password where the address may not come in",
    paths: ["/"],
    annotations: { "auth-type": "basic", "auth-secret": "users", "allowlist-source-range": "18.0.0.0/8" },
    asks: [{ headers: { authorization: "Basic Zm9vOmJhcg==" }, answer: { status: 403 } }],
  },
  {
    name: "an allow list for others",
    paths: ["/"],
    annotations: { "allowlist-source-range": "18.0.0.0/8" },
    asks: paths({ "/": { status: 403 } }),
  },
  {
    name: "an allow list that is none",
    paths: ["/"],
    annotations: { "allowlist-source-range": "invalid.com" },
    asks: paths({ "/": denied }),
  },
  // CORS
  {
    name: "a preflight",
    paths: ["/"],
    annotations: { "enable-cors": "true" },
    asks: [preflight("http://any.test", { status: 204, headers: { "access-control-allow-origin": "*" } })],
  },
  {
    name: "cors-allow-methods",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-methods": "POST, GET" },
    asks: [
      preflight("http://any.test", { status: 204, headers: { "access-control-allow-methods": "POST, GET" } }),
    ],
  },
  {
    name: "cors-allow-credentials",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-credentials": "false" },
    asks: [
      preflight("http://any.test", { status: 204, headers: { "access-control-allow-credentials": null } }),
    ],
  },
  {
    name: "cors-allow-origin",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": `${origin}, https://other.com` },
    asks: [
      {
        headers: { origin },
        answer: { status: 200, headers: { "access-control-allow-origin": origin, vary: null } },
      },
      {
        headers: { origin: "http://no.test" },
        answer: { status: 200, headers: { "access-control-allow-origin": null } },
      },
    ],
  },
  {
    name: "a bad origin beside a good one",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": `origin.cors.com:8080, ${origin}` },
    asks: [
      { headers: { origin }, answer: { status: 200, headers: { "access-control-allow-origin": origin } } },
    ],
  },
  {
    name: "an origin with a wildcard",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": "http://*.origin.cors.com" },
    asks: [
      {
        headers: { origin: "http://foo.origin.cors.com" },
        answer: { status: 200, headers: { "access-control-allow-origin": "http://foo.origin.cors.com" } },
      },
      {
        headers: { origin: "http://a.b.origin.cors.com" },
        answer: { status: 200, headers: { "access-control-allow-origin": null } },
      },
    ],
  },
  {
    name: "a preflight of another origin",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": origin },
    asks: [preflight("http://no.test", { status: 200, headers: { "access-control-allow-origin": null } })],
  },
  {
    name: "an origin with a wildcard and a port",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": "http://*.origin.com:8080" },
    asks: [
      {
        headers: { origin: "http://abc.origin.com:8080" },
        answer: { status: 200, headers: { "access-control-allow-origin": "http://abc.origin.com:8080" } },
      },
      {
        headers: { origin: "http://abc.origin.com" },
        answer: { status: 200, headers: { "access-control-allow-origin": null } },
      },
      {
        headers: { origin: "http://origin.com:8080" },
        answer: { status: 200, headers: { "access-control-allow-origin": null } },
      },
    ],
  },
  {
    name: "origins with blanks and a comma at the end",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-allow-origin": `${origin}, ,` },
    asks: [
      { headers: { origin }, answer: { status: 200, headers: { "access-control-allow-origin": origin } } },
    ],
  },
  {
    name: "cors-expose-headers",
    paths: ["/"],
    annotations: { "enable-cors": "true", "cors-expose-headers": "X-One, X-Two" },
    asks: [{ answer: { status: 200, headers: { "access-control-expose-headers": "X-One, X-Two" } } }],
  },
  // canaries
  {
    name: "a canary alone",
    paths: ["/"],
    annotations: { canary: "true", "canary-by-header": "canary" },
    asks: [{ headers: { canary: "always" }, answer: missing }],
  },
  {
    name: "a canary by header",
    paths: ["/"],
    second: { paths: ["/"], annotations: { canary: "true", "canary-by-header": "canary" } },
    asks: [
      { headers: { canary: "always" }, answer: ok },
      { headers: { canary: "never" }, answer: ok },
    ],
  },
  {
    name: "canary-by-header without canary",
    paths: ["/"],
    annotations: { "canary-by-header": "canary" },
    asks: [{ headers: { canary: "always" }, answer: ok }],
  },
  // sessions
  {
    name: "a session cookie",
    paths: ["/"],
    annotations: { affinity: "cookie", "session-cookie-name": "SERVERID" },
    asks: paths({ "/": { status: 200, headers: { "set-cookie": "SERVERID=" } } }),
  },
  {
    name: "a session cookie by its usual name",
    paths: ["/"],
    annotations: { affinity: "cookie" },
    asks: paths({ "/": { status: 200, headers: { "set-cookie": "INGRESSCOOKIE=" } } }),
  },
  {
    name: "a session cookie of one of two paths",
    paths: ["/foo/bar"],
    annotations: { affinity: "cookie", "session-cookie-name": "SERVERID" },
    second: { paths: ["/foo"] },
    asks: paths({
      "/foo/bar": { status: 200, headers: { "set-cookie": "SERVERID=" } },
      "/foo": { status: 200, headers: { "set-cookie": null } },
    }),
  },
  {
    name: "a session cookie with a path of its own",
    paths: ["/foo.* ~"],
    annotations: { affinity: "cookie", "use-regex": "true", "session-cookie-path": "/foo/bar" },
    asks: paths({ "/foo": { status: 200, headers: { "set-cookie": "INGRESSCOOKIE=" } } }),
  },
  // backends
  { name: "a Service without endpoints", paths: ["/ nobody"], asks: paths({ "/": denied }) },
  {
    name: "load-balance that is not known: the Ingress is rejected",
    paths: ["/"],
    annotations: { "load-balance": "foo" },
    asks: paths({ "/": missing }),
  },
  { name: "ewma", paths: ["/"], annotations: { "load-balance": "ewma" }, asks: paths({ "/": ok }) },
  {
    name: "upstream-hash-by",
    paths: ["/"],
    annotations: { "upstream-hash-by": "$request_uri" },
    asks: paths({ "/a": ok, "/b": ok }),
  },
  {
    name: "proxy-body-size that is none keeps the default",
    paths: ["/"],
    annotations: { "proxy-body-size": "15r" },
    asks: paths({ "/": ok }),
  },
  {
    name: "proxy-connect-timeout that is none keeps the default",
    paths: ["/"],
    annotations: { "proxy-connect-timeout": "50k" },
    asks: paths({ "/": ok }),
  },
  {
    name: "connection-proxy-header",
    paths: ["/"],
    annotations: { "connection-proxy-header": "keep-alive" },
    asks: paths({ "/": { status: 200, sent: { connection: "keep-alive" } } }),
  },
  {
    name: "upstream-vhost",
    paths: ["/"],
    annotations: { "upstream-vhost": "backend.test" },
    asks: paths({ "/": { status: 200, sent: { host: "backend.test" } } }),
  },
  {
    name: "default-backend for a Service that is not there",
    paths: ["/ nobody"],
    annotations: { "default-backend": "echo" },
    asks: paths({ "/alma/armud": { status: 200, sent: { "x-code": "503" } } }),
  },
  {
    name: "custom-headers without their ConfigMap",
    paths: ["/"],
    annotations: { "custom-headers": "app/nothing" },
    asks: paths({ "/": denied }),
  },
  {
    name: "headers about the client",
    paths: ["/"],
    asks: [
      {
        headers: { "x-forwarded-for": "1.2.3.4", "x-forwarded-host": "myhost" },
        answer: {
          status: 200,
          sent: {
            "x-forwarded-proto": "http",
            "x-original-forwarded-for": "1.2.3.4",
            "x-forwarded-host": "HOST",
          },
        },
      },
      { headers: { "x-request-id": "mine" }, answer: { status: 200, sent: { "x-request-id": "mine" } } },
    ],
  },
  // snippets, and what is above the risk level
  {
    name: "a snippet, where snippets are not allowed",
    paths: ["/"],
    annotations: { "configuration-snippet": "more_set_headers 'X-Foo: bar';" },
    asks: paths({ "/": missing }),
  },
  {
    name: "server-snippet, where snippets are not allowed",
    paths: ["/"],
    annotations: { "server-snippet": "return 418;" },
    asks: paths({ "/": missing }),
  },
  // aliases and limits
  {
    name: "server-alias",
    paths: ["/"],
    annotations: { "server-alias": "a.alias.test, b.alias.test,a.alias.test" },
    asks: [
      { host: "a.alias.test", answer: ok },
      { host: "b.alias.test", answer: ok },
    ],
  },
  {
    name: "an unknown annotation",
    paths: ["/"],
    annotations: { "does-not-exist": "true" },
    asks: paths({ "/": ok }),
  },
  {
    name: "the same path in two Ingresses",
    paths: ["/"],
    second: { paths: ["/ nobody"] },
    asks: paths({ "/": ok }),
  },
]
