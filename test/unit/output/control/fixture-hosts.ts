import type { Host, Route } from "../../../../controller/model/route.ts"

const bare = { namespace: "", ingressName: "", serviceName: "", servicePort: "", locationPath: "" }

const everything: Route = {
  path: "/cart(/|$)(.*)",
  match: "regex",
  policy: "policy-3f9a0c12",
  backend: "shop-cart-80",
  namespace: "shop",
  ingressName: "cart",
  serviceName: "cart",
  servicePort: "80",
  locationPath: "/cart(/|$)(.*)",
  status: 503,
  redirect: { code: 300, to: "https://$redirect_host/café$$" },
  httpsRedirect: { code: 308, to: "https://$redirect_host$redirect_uri" },
  rewrite: "/$2",
  logsRewrite: true,
  variables: { upstreamVhost: "cart.internal", forwardedPrefix: "/$1", cookiePathTo: "" },
  headers: [
    { name: "X-Frame-Options", value: "DENY" },
    { name: "Server", value: "" },
    { name: "X-Cafe-Not", value: '$host is literal, "é" too' },
  ],
  access: { allow: "2b4e_A-z0", deny: "5d1e", satisfy: "any" },
  cors: {
    origins: ["https://*.shop.test:8443", "null"],
    methods: "GET, POST",
    headers: "X-Requested-With,Range",
    exposedHeaders: "*, X-Total",
    maxAgeSeconds: -1,
    allowsCredentials: true,
  },
  overrides: {
    proxyConnectTimeoutMs: 1,
    proxySendTimeoutMs: 60_000,
    proxyReadTimeoutMs: 2_147_483_647,
    clientMaxBodyBytes: 0,
    proxyNextUpstream:
      "error timeout invalid_header http_500 http_502 http_503 http_504 http_403 http_404 http_429 non_idempotent off",
    proxyNextUpstreamTries: 3,
    proxyNextUpstreamTimeoutMs: 2_147_483_647,
    proxyBufferBytes: 8192,
    proxyBuffersNumber: 4,
    proxyBusyBuffersBytes: 16_384,
    proxyBuffering: true,
    proxyRequestBuffering: false,
    proxyMaxTempFileBytes: 9_007_199_254_740_992,
    clientBodyBufferBytes: 1_048_576,
    absoluteRedirect: false,
    portInRedirect: true,
  },
}

/** The models of hosts of the fixture (test/fixtures/wire). */
export const fixtureHosts: readonly Host[] = [
  {
    server: "main",
    host: "shop.test",
    routes: [
      {
        path: "/cart",
        match: "prefix",
        policy: "policy-3f9a0c12",
        backend: "shop-cart-80",
        namespace: "shop",
        ingressName: "cart",
        serviceName: "cart",
        servicePort: "80",
        locationPath: "/cart",
        overrides: {
          proxyConnectTimeoutMs: 5000,
          proxySendTimeoutMs: 60_000,
          proxyReadTimeoutMs: 2_147_483_647,
          clientMaxBodyBytes: 9_007_199_254_740_992,
        },
      },
      {
        path: '/café "🍵"',
        match: "exact",
        policy: "policy-default",
        backend: "shop-empty-http",
        ...bare,
        status: 503,
        overrides: {},
      },
    ],
  },
  {
    server: "main",
    host: "everything.test",
    clientCertificate: {
      namespace: "shop",
      ingressName: "cart",
      authority: "9f86d081884c7d65_-A",
      verify: "optional",
      matchCn: "CN=(café|b)",
      errorPage: "https://shop.test/login",
      passesCertificate: true,
    },
    routes: [
      everything,
      {
        path: "/",
        match: "prefix",
        policy: "p",
        backend: "b",
        ...bare,
        httpsRedirect: { code: 301, to: "$scheme" },
        rewrite: "/$$$arg_a",
        overrides: {
          proxyNextUpstream: "off",
          proxyNextUpstreamTries: 0,
          proxyNextUpstreamTimeoutMs: 0,
          proxyBuffering: false,
          proxyMaxTempFileBytes: 0,
        },
      },
    ],
  },
]
