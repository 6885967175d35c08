import { describe, expect, test } from "vitest"
import type { Target } from "../../../../../controller/core/assemble/backends/resolved-backends.ts"
import { faultsOf } from "../../../../../controller/core/assemble/routes/faults.ts"
import type { FindTarget } from "../../../../../controller/core/assemble/routes/find-target.ts"
import { hostOf } from "../../../../../controller/core/assemble/routes/host-routes.ts"
import { plainTls } from "../../../../../controller/core/assemble/tls/host-tls.ts"
import { openAccess } from "../../../../../controller/core/declared/access.ts"
import type { RedirectParts, RuleActions } from "../../../../../controller/core/declared/actions.ts"
import { backendRef } from "../../../../../controller/core/declared/backend-ref.ts"
import { noFilters } from "../../../../../controller/core/declared/filters.ts"
import { locationOf } from "../../../../../controller/core/declared/locations.ts"
import { plainProxying } from "../../../../../controller/core/declared/proxying.ts"
import { backendKeys, type Rule } from "../../../../../controller/core/declared/rule.ts"
import type { Route } from "../../../../../controller/model/route.ts"
import { rememberedLast } from "../../../../../controller/support/incremental/last-result.ts"

const cart = backendRef("shop", "cart", "80")
const copy = backendRef("shop", "copy", "80")

function ruleWith(actions: RuleActions, more: Partial<Rule> = {}): Rule {
  return {
    source: { kind: "Site", namespace: "shop", name: "site" },
    field: "rules[0]",
    backendAt: "service",
    path: "/cart",
    match: "prefix",
    backend: cart,
    filters: noFilters,
    access: openAccess,
    proxying: plainProxying,
    actions,
    ...more,
  }
}

/** Every Service has endpoints but those that are told otherwise, by their names. */
function targets(told: Readonly<Record<string, Partial<Target>>> = {}): FindTarget {
  return (ref) => ({ name: ref?.shortName ?? "default", ...told[ref?.service ?? ""] }) as Target
}

function routeOf(rule: Rule, targetOf = targets()): Route {
  const host = { server: "main", host: "a.test", owner: "shop", rules: [rule] }
  const [route] = hostOf(host, plainTls, targetOf, rememberedLast()).routes
  if (route === undefined) throw new Error("It has no route")
  return route
}

test("a rule that says nothing has no actions, and no numbers of its own", () => {
  expect(routeOf(ruleWith({}))).not.toHaveProperty("actions")
  expect(routeOf(ruleWith({})).overrides).toEqual({})
})

test("headers that are removed are set to nothing, before others are added", () => {
  const edits = { set: [{ name: "A", value: "$1" }], add: [{ name: "B", value: "b" }], remove: ["C"] }
  expect(routeOf(ruleWith({ requestHeaders: edits, responseHeaders: { remove: ["D"] } })).actions).toEqual({
    setRequestHeaders: [
      { name: "A", value: "$1" },
      { name: "C", value: "" },
    ],
    addRequestHeaders: [{ name: "B", value: "b" }],
    setResponseHeaders: [{ name: "D", value: "" }],
  })
})

test("a rewrite is a path and the host that the backend sees", () => {
  const path = { of: "prefix", by: "" } as const
  expect(routeOf(ruleWith({ rewrite: { hostname: "own.test", path } }))).toMatchObject({
    actions: { path: "/", replacesPrefix: true },
    variables: { upstreamVhost: "own.test" },
  })
})

describe("a redirect", () => {
  const http = { scheme: "http", port: 80 } as const
  const other = { scheme: "http", port: 8080 } as const
  const https = { scheme: "https", port: 443 } as const
  test.each<[Omit<RedirectParts, "code">, string]>([
    [{ listener: http }, "http://$host$request_uri"],
    [{ listener: http, hostname: "a$b" }, "http://a$$b$request_uri"],
    [{ listener: http, port: 8080 }, "http://$host:8080$request_uri"],
    [{ listener: http, scheme: "https" }, "https://$host$request_uri"],
    [{ listener: http, scheme: "https", port: 443 }, "https://$host$request_uri"],
    [{ listener: http, scheme: "https", port: 8443 }, "https://$host:8443$request_uri"],
    [{ listener: other }, "http://$host:8080$request_uri"],
    [{ listener: other, port: 80 }, "http://$host$request_uri"],
    [{ listener: other, scheme: "https" }, "https://$host$request_uri"],
    [{ listener: https }, "https://$host$request_uri"],
    [{ listener: https, port: 8443 }, "https://$host:8443$request_uri"],
    [{ listener: https, scheme: "http" }, "http://$host$request_uri"],
    [{ listener: https, scheme: "http", port: 8080 }, "http://$host:8080$request_uri"],
    [{ listener: https, path: { of: "all", by: "/new" } }, "https://$host"],
  ])("of %j leads to %s", (parts, to) => {
    const route = routeOf(ruleWith({ redirect: { code: 302, ...parts } }))
    expect(route.redirect).toEqual({ code: 302, to })
    expect(route.actions).toEqual(parts.path && { path: "/new" })
  })
})

describe("retries", () => {
  test.each([
    [[500, 503], 2, "error timeout http_500 http_503 non_idempotent", undefined],
    [[501, 429], 0, "error timeout invalid_header http_429 non_idempotent", [501]],
    [[], 100, "error timeout", undefined],
  ])("by %j, %i times, are words of nginx and codes", (codes, attempts, words, retryCodes) => {
    const { overrides, actions } = routeOf(ruleWith({ retry: { codes, attempts } }))
    expect(overrides).toEqual({ proxyNextUpstream: words, proxyNextUpstreamTries: attempts + 1 })
    expect(actions).toEqual(retryCodes && { retryCodes })
  })
})

describe("timeouts", () => {
  const longest = { proxyReadTimeoutMs: 2_147_483_647, proxySendTimeoutMs: 2_147_483_647 }

  test("are the only ones for silent backends", () => {
    const { actions, overrides } = routeOf(ruleWith({ timeouts: { requestMs: 10, backendMs: 5 } }))
    expect(actions).toEqual({ requestTimeoutMs: 10, backendTimeoutMs: 5 })
    expect(overrides).toEqual({ ...longest, proxyNextUpstream: "error" })
  })

  test("of attempts lead to further ones only where that is said", () => {
    const timeouts = { backendMs: 5 }
    const proxying = { ...plainProxying, overrides: { proxyNextUpstream: "timeout" } }
    expect(routeOf(ruleWith({ timeouts }, { proxying })).overrides.proxyNextUpstream).toBe("timeout")
    const retry = { codes: [], attempts: 1 }
    expect(routeOf(ruleWith({ timeouts, retry })).overrides.proxyNextUpstream).toBe("error timeout")
  })

  test("of 0 are none at all", () => {
    const { actions, overrides } = routeOf(ruleWith({ timeouts: { requestMs: 0 } }))
    expect(actions).toBeUndefined()
    expect(overrides).toEqual(longest)
  })

  test("leave a number that was said otherwise", () => {
    const proxying = { ...plainProxying, overrides: { proxyReadTimeoutMs: 7 } }
    expect(routeOf(ruleWith({ timeouts: { requestMs: 1 } }, { proxying })).overrides).toEqual({
      ...longest,
      proxyReadTimeoutMs: 7,
    })
  })
})

describe("copies", () => {
  const mirror = { ref: copy, backendAt: "filters[0]" }

  test("go to who has endpoints, by their own way and part", () => {
    const location = locationOf({ protocol: "grpc" })
    const part = { numerator: 1, denominator: 3 }
    const own = { ...mirror, location, variables: { proxySslName: "copy.test" }, part }
    const rule = ruleWith({ mirrors: [mirror, own] })
    const backend = copy.shortName
    expect(routeOf(rule).actions?.mirrors).toEqual([
      { backend },
      { backend, location: location.name, variables: { proxySslName: "copy.test" }, ...part },
    ])
    expect(backendKeys(rule)).toEqual([cart.key, copy.key, copy.key])
    expect(routeOf(rule, targets({ copy: { status: 503 } }))).not.toHaveProperty("actions")
  })

  test("for a Service that there is not are a Problem", () => {
    const fault = "Service copy is missing"
    const problems = faultsOf(ruleWith({ mirrors: [mirror] }), targets({ copy: { status: 503, fault } }))
    expect(problems).toMatchObject([{ code: "mirror-refused", field: "rules[0].filters[0]" }])
  })

  test("are made anew when who gets them comes or goes", () => {
    const rule = ruleWith({ mirrors: [mirror] })
    const remembered = rememberedLast<Rule, Route>()
    const host = { server: "main", host: "a.test", owner: "shop", rules: [rule] }
    const routes = [targets(), targets({ copy: { status: 503 } }), targets()].map(
      (targetOf) => hostOf(host, plainTls, targetOf, remembered).routes[0]?.actions,
    )
    expect(routes.map((actions) => actions?.mirrors?.length)).toEqual([1, undefined, 1])
  })
})

describe("one of several backends", () => {
  test("has its own actions, way and host", () => {
    const location = locationOf({ protocol: "https" })
    const actions = { rewrite: { hostname: "own.test", path: { of: "all", by: "/own" } as const } }
    const share = { weight: 1, ref: cart, backendAt: "backends[0]", location, actions }
    const { backend: _, ...rule } = ruleWith({}, { split: [share] })
    expect(routeOf(rule).split).toEqual([
      {
        ...{ weight: 1, backend: cart.shortName, serviceName: "cart", servicePort: "80" },
        location: location.name,
        variables: { upstreamVhost: "own.test" },
        actions: { path: "/own" },
      },
    ])
  })

  test("that may not be used is 500, is not looked for, and is no Problem of ours", () => {
    const split = [
      { weight: 1, ref: cart, backendAt: "a" },
      { weight: 1, ref: copy, backendAt: "b", status: 500 as const },
    ]
    const { backend: _, ...rule } = ruleWith({}, { split })
    const targetOf = targets({ copy: { fault: "nobody asks" } })
    expect(routeOf(rule, targetOf).split?.map(({ status }) => status)).toEqual([undefined, 500])
    expect(backendKeys(rule)).toEqual([cart.key])
    expect(faultsOf(rule, targetOf)).toEqual([])
  })

  test("that is no Service is 500 where the rule says so, and without endpoints 503", () => {
    const split = [cart, copy].map((ref) => ({ weight: 1, ref, backendAt: "a" }))
    const { backend: _, ...rule } = ruleWith({}, { split, statusOfFault: 500 })
    const targetOf = targets({ cart: { status: 503, fault: "It is missing" }, copy: { status: 503 } })
    expect(routeOf(rule, targetOf).split?.map(({ status }) => status)).toEqual([500, 503])
    expect(faultsOf(rule, targetOf).map(({ message }) => message)).toEqual([
      "It is missing; its share of the requests gets 500",
    ])
  })
})
