import { describe, expect, test } from "vitest"
import { checkNotes } from "../../../controller/commands/access.ts"
import { clientOf, requestOf } from "../../../controller/commands/explain.ts"
import { explain, type Sources } from "../../../controller/commands/explanation.ts"
import type { HostInForce, RouteInForce } from "../../../controller/commands/in-force.ts"
import { type Rehearsed, rehearse } from "../../../controller/commands/rehearse.ts"
import { layoutOf } from "../../../controller/output/nginx/files.ts"

const request = (operands: readonly string[], flags = {}) => requestOf({ operands, flags })

describe("what is to be explained", () => {
  test.each([
    [["http://shop.test/cart?x=1#top"], "shop.test", "/cart?x=1", false],
    [["https://Shop.test:8443"], "Shop.test:8443", "/", true],
    [["HTTPS://shop.test?x"], "shop.test", "/?x", true],
    [["shop.test/a//b/../c"], "shop.test", "/a//b/../c", false],
    [["shop.test"], "shop.test", "/", false],
    [["shop.test", "/x"], "shop.test", "/x", false],
    [["[::1]:80/x"], "[::1]:80", "/x", false],
  ])("%j", (operands, host, target, isHttps) => {
    expect(request(operands)).toEqual({ host, target, isHttps, headers: {} })
  })

  test("flags", () => {
    const flags = { header: ["HOST: other.test", "X-A:  b: c"], https: [true] as const }
    expect(request(["shop.test"], flags)).toEqual({
      host: "other.test",
      target: "/",
      isHttps: true,
      headers: { "x-a": "b: c" },
    })
  })

  test.each([
    [[], "What is to be explained is missing"],
    [["ftp://shop.test/"], 'Cannot read "ftp://shop.test/" as a URL'],
    [["/cart"], 'Cannot read "/cart" as a URL'],
    [["http://shop.test/", "/x"], "A URL and a path are one too many"],
    [["shop.test", "x"], 'Path "x" does not start with a slash'],
  ])("%j is refused", (operands, sentence) => {
    expect(() => request(operands)).toThrow(sentence)
  })

  test("a header without a colon is refused", () => {
    expect(() => request(["shop.test"], { header: ["X-A"] })).toThrow('Cannot read header "X-A"')
  })
})

test("a client is an address", () => {
  expect(clientOf({ flags: { client: ["10.0.0.1", "::1"] } })).toBe("::1")
  expect(clientOf({ flags: {} })).toBeUndefined()
  for (const client of ["", "10.0.0.0/8", "fe80::1%eth0", "shop.test"])
    expect(() => clientOf({ flags: { client: [client] } })).toThrow("write an IP address")
})

const root: RouteInForce = { path: "/", match: "prefix", policy: "policy-default", backend: "shop-web-80" }
const cart: RouteInForce = { ...root, path: "/cart", backend: "shop-cart-80" }

function sources(rehearsed: Rehearsed, ...hosts: readonly HostInForce[]): Sources {
  return {
    rehearse: async () => rehearsed,
    host: async (name) => hosts.filter(({ host }) => host === name),
    backend: async (name) =>
      name === "shop-cart-80"
        ? { name, "load-balance": "ewma", endpoints: [], alternativeBackends: ["shop-cart-80", "gone"] }
        : undefined,
    addresses: async (id) => (id === "office" ? ["10.0.0.0/8"] : undefined),
    users: async (id) => (id === "staff" ? ["ada", "bob"] : undefined),
  }
}
const host = (name: string, ...routes: readonly RouteInForce[]): HostInForce => ({
  server: "main",
  host: name,
  routes,
})
const asked = { host: "A.Shop.test:80", target: "/cart", headers: {}, isHttps: false }

describe("an explanation", () => {
  test("holds the route that nginx took, its backend and canaries, and why others were not taken", async () => {
    const found = { host: "*.shop.test", index: 1, path: "/cart" }
    const outcome = { kind: "proxied", target: "/cart" } as const
    const given = sources({ found, outcome }, host("*.shop.test", root, cart), host("_", root))
    expect(await explain(asked, given)).toMatchObject({
      request: asked,
      outcome,
      taken: {
        host: "*.shop.test",
        hostBecause: "a wildcard for its first label",
        route: cart,
        backend: { name: "shop-cart-80" },
        canaries: [{ name: "shop-cart-80" }],
      },
      notTaken: [{ route: root, why: "is shorter" }],
      otherHosts: [{ host: "_", routes: 1, why: "*.shop.test has routes of its own" }],
    })
  })

  test("says who may request the route, and what becomes of a client", async () => {
    const found = { host: "*.shop.test", index: 0, path: "/cart" }
    const outcome = { kind: "proxied", target: "/cart" } as const
    const given = (access: RouteInForce["access"]) =>
      sources({ found, outcome }, host("*.shop.test", { ...cart, access }))
    const of = async (access: RouteInForce["access"], client?: string) => {
      const { outcome, taken } = await explain(asked, given(access), client)
      return { outcome, notes: taken?.checks && checkNotes(taken.checks) }
    }
    expect(await of(undefined, "10.0.0.1")).toEqual({ outcome, notes: undefined })
    expect(await of({ allow: "office" })).toEqual({ outcome, notes: ["only for 10.0.0.0/8"] })
    expect(await of({ allow: "office", satisfy: "any" }, "10.0.0.1")).toEqual({
      outcome,
      notes: [
        "only for 10.0.0.0/8",
        "one kind of check is enough",
        "10.0.0.1 gets in: 10.0.0.0/8 is allowed",
      ],
    })
    expect(await of({ deny: "office" }, "10.0.0.1")).toEqual({
      outcome: { kind: "answered", status: 403 },
      notes: ["not for 10.0.0.0/8", "10.0.0.1 gets 403: 10.0.0.0/8 is denied"],
    })
    expect(await of({ deny: "office", allow: "gone" }, "192.0.2.1")).toEqual({
      outcome: { kind: "answered", status: 503 },
      notes: [
        "address list gone is not in force: requests get 503",
        "not for 10.0.0.0/8",
        "192.0.2.1 gets 503: address list gone is not in force",
      ],
    })
  })

  test("asks who may come in before it says that nothing is there", async () => {
    const found = { host: "*.shop.test", index: 0, path: "/" }
    const given = (status: number) =>
      sources(
        { found, outcome: { kind: "answered", status } },
        host("*.shop.test", { ...root, status, access: { deny: "office" } }),
      )
    const of = async (status: number) => (await explain(asked, given(status), "10.0.0.1")).outcome
    expect(await of(404)).toEqual({ kind: "answered", status: 403 })
    expect(await of(503)).toEqual({ kind: "answered", status: 403 })
    expect(await of(418)).toEqual({ kind: "answered", status: 418 })
  })

  test("says what else lets a client in", async () => {
    const found = { host: "*.shop.test", index: 0, path: "/cart" }
    const given = (access: RouteInForce["access"]) =>
      sources(
        { found, outcome: { kind: "proxied", target: "/cart" } },
        host("*.shop.test", { ...cart, access }),
      )
    const of = async (access: RouteInForce["access"], client = "192.0.2.1") => {
      const { outcome, taken } = await explain(asked, given(access), client)
      return { outcome: outcome.kind, said: checkNotes(taken?.checks ?? { satisfy: "all", missing: [] }) }
    }
    const basic = { users: "staff", realm: "Shop" }
    const external = { policy: "auth-http", backend: "auth", host: "auth.test", target: "/check" }
    const password = 'password of one of 2 users, realm "Shop"'
    const service = "auth.test/check is asked, backend auth"
    expect(await of({ basic, external })).toEqual({
      outcome: "proxied",
      said: [
        password,
        service,
        "192.0.2.1 gets in by a password and the authentication service: addresses do not matter",
      ],
    })
    const anyOf = { allow: "office", basic, satisfy: "any" } as const
    expect(await of(anyOf)).toEqual({
      outcome: "proxied",
      said: [
        "only for 10.0.0.0/8",
        password,
        "one kind of check is enough",
        "192.0.2.1 gets in by a password: it is in no allowed network",
      ],
    })
    expect((await of(anyOf, "10.0.0.1")).said.at(-1)).toBe("10.0.0.1 gets in: 10.0.0.0/8 is allowed")
    expect(await of({ allow: "office", basic })).toMatchObject({ outcome: "answered" })
    expect((await of({ basic: { ...basic, users: "gone" } })).said).toEqual([
      "user list gone is not in force: requests get 503",
      "192.0.2.1 gets 503: user list gone is not in force",
    ])
  })

  test("serves nobody while the list of those without limits is missing", async () => {
    const found = { host: "*.shop.test", index: 0, path: "/cart" }
    const limits = { key: "0".repeat(32), rps: 1, exempt: "gone" }
    const given = sources(
      { found, outcome: { kind: "proxied", target: "/cart" } },
      host("*.shop.test", { ...cart, limits }),
    )
    const { outcome, taken } = await explain(asked, given)
    expect(outcome).toEqual({ kind: "answered", status: 503 })
    expect(taken?.limits?.missing).toBe("gone")
  })

  test("says that there is none", async () => {
    const given = sources({ outcome: { kind: "answered", status: 404 } }, host("_", cart))
    const { taken, otherHosts } = await explain(asked, given)
    expect(taken).toBeUndefined()
    expect(otherHosts).toEqual([{ host: "_", routes: 1, why: "no route of it fits" }])
  })

  test("does without a route that is replaced at that very moment", async () => {
    const found = { host: "_", index: 7, path: "/cart" }
    const given = sources({ found, outcome: { kind: "proxied", target: "/cart" } }, host("_", cart))
    expect((await explain(asked, given)).taken).toBeUndefined()
  })
})

test.each([
  { host: "bücher\u{1f4d6}.test", headers: {} },
  { host: "a.test", headers: { "x-name": "日本" } },
])("what no request of HTTP can hold is refused, and no fault of ours: %j", async (odd) => {
  const asked = rehearse(layoutOf("/nowhere"), { target: "/", isHttps: false, ...odd })
  await expect(asked).rejects.toMatchObject({ code: "request-refused" })
})
