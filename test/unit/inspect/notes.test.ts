import { expect, test } from "vitest"
import type { RouteInForce } from "../../../controller/inspect/in-force.ts"
import {
  backendNotes,
  clientNotes,
  corsNotes,
  endpointText,
  routeNotes,
  shareOf,
} from "../../../controller/inspect/notes.ts"

const route: RouteInForce = {
  path: "/",
  match: "prefix",
  location: "location-default",
  backend: "shop-web-80",
}

test("what a route does", () => {
  expect(routeNotes(route)).toEqual([])
  expect(
    routeNotes({
      ...route,
      status: 503,
      redirect: { code: 301, to: "https://other.test$request_uri" },
      https_redirect: { code: 308, to: "https://$redirect_host$redirect_uri" },
      rewrite: "/$2",
      variables: { upstream_vhost: "cart.internal" },
      headers: [
        { name: "X-Frame-Options", value: "DENY" },
        { name: "Server", value: "" },
      ],
      overrides: { proxy_read_timeout_ms: 5000, proxy_buffering: true },
    }),
  ).toEqual([
    "answers 503",
    "redirects 301 to https://other.test$request_uri",
    "redirects HTTP to HTTPS (308)",
    "rewrites to /$2",
    "upstream_vhost=cart.internal",
    "header X-Frame-Options: DENY",
    "removes header Server",
    "proxy_read_timeout_ms=5000",
    "proxy_buffering=true",
  ])
})

test("how backends are spoken to in TLS", () => {
  const [authority, certificate] = ["0123456789abcdef", "fedcba9876543210"]
  const all = {
    authority,
    depth: 1,
    alternative_names: ["a.test", "spiffe://a"],
    certificate,
    sends_name: true,
  }
  expect(routeNotes({ ...route, backend_tls: { ...all, version: "TLSv1.3", ciphers: "HIGH" } })).toEqual([
    "verifies its backend by authority 0123456789ab for a.test or spiffe://a",
    "shows its backend certificate fedcba987654",
    "speaks TLSv1.3 to it",
    "with the ciphers HIGH",
  ])
  const split = [{ weight: 1, backend: "a", backend_tls: { authority } }]
  expect(routeNotes({ ...route, backend_tls: {}, split })).toEqual([
    "splits 1 to a (verifies its backend by authority 0123456789ab)",
  ])
})

test("what becomes of a route's requests, and of those that one of its backends gets", () => {
  const actions = {
    set_request_headers: [
      { name: "A", value: "a" },
      { name: "B", value: "" },
    ],
    add_response_headers: [{ name: "C", value: "c" }],
    path: "/new",
    path_prefix: true,
    request_timeout_ms: 10,
    backend_timeout_ms: 5,
    retry_codes: [501, 505],
    mirrors: [{ backend: "copy" }, { backend: "other", numerator: 1, denominator: 3 }],
  }
  const notes = [
    "request header A: a",
    "removes request header B",
    "adds header C: c",
    "replaces the path's beginning by /new",
    "a request may take 10 ms",
    "an attempt may take 5 ms",
    "tries again after 501, 505",
    "copies to copy",
    "copies 1 of 3 requests to other",
  ]
  expect(routeNotes({ ...route, actions })).toEqual(notes)
  expect(routeNotes({ ...route, split: [{ weight: 1, backend: "a", actions: { path: "/own" } }] })).toEqual([
    "splits 1 to a (replaces the path by /own)",
  ])
  const redirect = { code: 302, to: "https://$host" }
  expect(routeNotes({ ...route, redirect, actions: { path: "/own" } })).toEqual([
    "redirects 302 to https://$host",
    "leads to /own there",
  ])
})

test("a route's conditions and weighted backends are noted first", () => {
  expect(
    routeNotes({
      ...route,
      conditions: [
        { of: "method", value: "GET" },
        { of: "header", name: "x-a", match: "regex", value: "v[0-9]" },
        { of: "query", name: "q", value: "1" },
      ],
      split: [
        { weight: 9, backend: "a" },
        { weight: 1, backend: "b", status: 500 },
      ],
      status: 503,
    }),
  ).toEqual([
    "if method is GET",
    "if header x-a matches v[0-9]",
    "if parameter q is 1",
    "splits 9 to a, 1 to 500 for b",
    "answers 503",
  ])
})

test("what clients have to show", () => {
  const asked = { authority: "5d1e0f0e5d1e0f0e5d1e", verify: "on" } as const
  expect(clientNotes(asked)).toEqual(["must show by HTTPS a certificate of authority 5d1e0f0e5d1e"])
  const name = { match_cn: "CN=alice", error_page: "/login" }
  expect(clientNotes({ ...asked, ...name, verify: "optional" })).toEqual([
    "may show by HTTPS a certificate of authority 5d1e0f0e5d1e",
    "whose name matches CN=alice",
    "without: /login",
  ])
  expect(clientNotes({ ...asked, verify: "off" })).toEqual(["are asked for no certificate"])
})

test("what pages of other origins may do", () => {
  const cors = { allow_methods: "GET, PUT", allow_headers: "X-A", max_age: "60" }
  expect(corsNotes({ ...cors, origins: ["https://a.test", "https://*.b.test"], credentials: true })).toEqual([
    "pages of https://a.test, https://*.b.test may send GET, PUT, with credentials",
    "their preflights are answered 204",
  ])
  expect(corsNotes({ ...cors, origins: ["*"] })).toEqual([
    "pages of every origin may send GET, PUT",
    "every preflight is answered 204",
  ])
})

test("how a backend is balanced", () => {
  const plain = { name: "shop-web-80", "load-balance": "round_robin", endpoints: [] }
  expect(backendNotes(plain)).toEqual([])
  expect(
    backendNotes({
      ...plain,
      sessionAffinityConfig: { cookieSessionAffinity: { name: "sid" } },
      upstreamHashByConfig: { "upstream-hash-by": "$request_uri" },
      trafficShapingPolicy: { weight: 10 },
      alternativeBackends: ["shop-canary-80", "shop-other-80"],
    }),
  ).toEqual([
    "sessions by cookie sid",
    "by $request_uri",
    "takes 10 of 100",
    "canary shop-canary-80, shop-other-80",
  ])
})

test("which requests a canary takes", () => {
  expect(shareOf({})).toBe("nothing")
  expect(shareOf({ weight: 1, weightTotal: 1000 })).toBe("1 of 1000")
  expect(shareOf({ header: "X-Canary" })).toBe("header X-Canary: always")
  expect(shareOf({ header: "X-Canary", headerValue: "yes", headerPattern: "y.*" })).toBe(
    "header X-Canary: yes",
  )
  expect(shareOf({ header: "X-Canary", headerPattern: "y.*", cookie: "canary", weight: 5 })).toBe(
    "header X-Canary: ~ y.*, else cookie canary=always, else 5 of 100",
  )
})

test("endpoints are written as in a URL", () => {
  expect(endpointText({ address: "10.0.0.1", port: "8080" })).toBe("10.0.0.1:8080")
  expect(endpointText({ address: "2001:db8::1", port: "80", weight: 3 })).toBe("[2001:db8::1]:80 weight 3")
})
