import { describe, expect, test } from "vitest"
import { checkNotes } from "../../../controller/inspect/access.ts"
import { explain, type Sources } from "../../../controller/inspect/explanation.ts"
import { factsOf } from "../../../controller/inspect/explanation-facts.ts"
import { clientGets, headline } from "../../../controller/inspect/explanation-text.ts"
import type { HostInForce, RouteInForce } from "../../../controller/inspect/in-force.ts"
import type { Outcome } from "../../../controller/inspect/outcome.ts"
import { type Rehearsed, rehearse } from "../../../controller/inspect/rehearse.ts"
import { type ProblemCode, problemCatalogue } from "../../../controller/model/problems/catalogue.ts"
import type { Concerned, StandingProblem } from "../../../controller/model/standing-problem.ts"
import { layoutOf } from "../../../controller/output/nginx/files.ts"

const root: RouteInForce = {
  path: "/",
  match: "prefix",
  location: "location-default",
  backend: "shop-web-80",
}
const cart: RouteInForce = { ...root, path: "/cart", backend: "shop-cart-80" }

function sources(rehearsed: Rehearsed, ...hosts: readonly HostInForce[]): Sources {
  return {
    standing: async () => [],
    rehearse: async () => rehearsed,
    host: async (name) => hosts.filter(({ host }) => host === name),
    backend: async (name) =>
      name === "shop-cart-80"
        ? { name, "load-balance": "ewma", endpoints: [], alternativeBackends: ["shop-cart-80", "gone"] }
        : name === "auth"
          ? { name, "load-balance": "ewma", endpoints: [{ address: "10.0.0.9", port: 80 }] }
          : undefined,
    addresses: async (id) => (id === "office" ? ["10.0.0.0/8"] : undefined),
    users: async (id) => (id === "staff" ? ["ada", "bob"] : undefined),
    ruleSet: async () => undefined,
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

  test("says which rule decides about a client", async () => {
    const found = { host: "*.shop.test", index: 0, path: "/cart" }
    const outcome = { kind: "proxied", target: "/cart" } as const
    const rules = [
      { action: "deny", from: "10.1.0.0/16" },
      { action: "allow", from: "10.0.0.0/8" },
      { action: "deny", from: "unix:" },
      { action: "deny", from: "all" },
    ] as const
    const of = async (access: RouteInForce["access"], client?: string) => {
      const given = sources({ found, outcome }, host("*.shop.test", { ...cart, access }))
      const { outcome: after, taken } = await explain(asked, given, client)
      return [after.kind, ...(taken?.checks === undefined ? [] : checkNotes(taken.checks))]
    }
    const all = "by the first rule that fits: deny 10.1.0.0/16, allow 10.0.0.0/8, deny unix:, deny all"
    const first = (rule: string) => `the rule "${rule}" is the first about it`
    expect(await of({ rules })).toEqual(["proxied", all])
    for (const [client, kind, becomes] of [
      ["10.1.2.3", "answered", `gets 403: ${first("deny 10.1.0.0/16")}`],
      ["10.2.2.3", "proxied", `gets in: ${first("allow 10.0.0.0/8")}`],
      ["192.0.2.1", "answered", `gets 403: ${first("deny all")}`],
    ] as const)
      expect(await of({ rules }, client)).toEqual([kind, all, `${client} ${becomes}`])
    expect(await of({ rules: rules.slice(0, 1) }, "192.0.2.1")).toContain(
      "192.0.2.1 gets in: no rule is about it",
    )
    expect(await of({ deny: "office", rules: [{ action: "allow", from: "all" }] }, "10.2.2.3")).toContain(
      "10.2.2.3 gets 403: 10.0.0.0/8 is denied",
    )
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
    const external = { location: "auth-http", backend: "auth", host: "auth.test", target: "/check" }
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

describe("why", () => {
  const found = { host: "*.shop.test", index: 0, path: "/cart" }
  const proxied = { kind: "proxied", target: "/cart" } as const
  const owned = { ...cart, namespace: "shop", ingress_name: "cart", service_name: "cart", service_port: "80" }
  const problem = (
    code: ProblemCode,
    message: string,
    more: Partial<StandingProblem> = {},
  ): StandingProblem => ({
    object: { kind: "Ingress", namespace: "shop", name: "cart" },
    field: "spec",
    code,
    severity: problemCatalogue[code].severity,
    message,
    remedy: problemCatalogue[code].remedy,
    ...more,
  })
  const at = (name: string) => `metadata.annotations["nginx.ingress.kubernetes.io/${name}"]`
  async function explained(
    route: RouteInForce,
    problems: readonly StandingProblem[] | undefined,
    { outcome = proxied, more = {} }: { outcome?: Outcome; more?: Partial<Sources> } = {},
    asksService = false,
  ) {
    const given = sources({ found, outcome }, host("*.shop.test", route, root))
    const explanation = await explain(
      asked,
      { ...given, standing: async () => problems, ...more },
      undefined,
      asksService,
    )
    return { explanation, gets: clientGets(explanation), facts: factsOf(explanation) }
  }
  const external = { location: "auth-http", backend: "none", host: "auth.test", target: "/check" }

  test("a service that cannot be asked is 500, and its Problem stands at access with what to do", async () => {
    const lost = problem("auth-service-unusable", 'Service "shop/auth" does not exist')
    const { explanation, gets, facts } = await explained({ ...owned, access: { external } }, [lost])
    expect(headline(explanation)).toBe("http://A.Shop.test:80/cart is answered 500 by Ingress shop/cart")
    expect(gets).toBe(
      "The client gets 500, as its authentication service has no endpoint that could be asked",
    )
    const from = facts.findIndex(([name]) => name === "access")
    expect(facts.slice(from, from + 4)).toEqual([
      ["access", "auth.test/check is asked, backend none"],
      ["", "the service has no endpoint: requests get 500"],
      ["", 'error auth-service-unusable of shop/cart: Service "shop/auth" does not exist'],
      ["", "  to do: Create the Service, or correct the URL"],
    ])
  })

  test("a missing Secret is named, where access would stand", async () => {
    const missing = problem("reference-missing", 'Cannot use Secret "shop/none": it does not exist', {
      field: at("auth-secret"),
    })
    const { gets, facts } = await explained({ ...owned, status: 503 }, [missing], {
      outcome: { kind: "answered", status: 503 },
    })
    expect(gets).toBe('The client gets 503: Cannot use Secret "shop/none": it does not exist')
    expect(facts).toContainEqual([
      "access",
      'error reference-missing of shop/cart: Cannot use Secret "shop/none": it does not exist',
    ])
  })

  test("what is wrong with another path of the Ingress is told, and not taken for the reason", async () => {
    const other = problem("backend-unusable", 'Service "shop/else" does not exist; requests get 503')
    const { gets, facts } = await explained({ ...owned, status: 503 }, [other], {
      outcome: { kind: "answered", status: 503 },
    })
    expect(gets).toBe("The client gets 503, as the route says")
    expect(facts.flat()).toContain(
      'error backend-unusable of shop/cart: Service "shop/else" does not exist; requests get 503',
    )
  })

  test("a pattern that does not compile is said to be none that does not match", async () => {
    const broken = { ...root, path: "/cart(", match: "regex" } as const
    const message =
      'Cannot serve path "/cart(" of host "*.shop.test", a regular expression that does not compile: missing )'
    const given = sources(
      { found, outcome: proxied },
      host("*.shop.test", owned, broken, { ...broken, path: "/x.*" }),
    )
    const { notTaken } = await explain(asked, {
      ...given,
      standing: async () => [problem("bad-pattern", message)],
    })
    expect(notTaken.map(({ route, why }) => [route.path, why])).toEqual([
      ["/cart(", "does not compile as a regular expression"],
      ["/x.*", "does not match"],
    ])
  })

  test("the service is asked only if that is wanted, and what it says is what the client gets", async () => {
    const login = { kind: "redirected", status: 302, location: "https://auth.test/login" } as const
    const access = { external: { ...external, backend: "auth" } }
    const rehearse = (said: Outcome) => async (_: unknown, asks?: boolean) => ({
      found,
      outcome: asks ? said : proxied,
    })
    const by = (said: Outcome, asks = true) =>
      explained({ ...owned, access }, [], { more: { rehearse: rehearse(said) } }, asks)
    expect((await by(login, false)).gets).toBe(
      "The client gets what backend shop-cart-80 answers, if it gets in by the authentication service",
    )
    expect((await by(login)).gets).toBe(
      "The client gets 302 to https://auth.test/login, as its authentication service says so",
    )
    expect((await by({ kind: "answered", status: 403 })).gets).toBe(
      "The client gets 403, as its authentication service says so",
    )
    const { gets, facts } = await by(proxied)
    expect(gets).toBe("The client gets what backend shop-cart-80 answers")
    expect(facts).toContainEqual(["", "the service was asked, and lets the request in"])
  })

  test("no route, and no controller that knows what is wrong", async () => {
    const given = sources({ outcome: { kind: "answered", status: 404 } }, host("_", root))
    const taken = problem("path-taken", 'Path "/cart" of host "a.shop.test" belongs to Ingress "shop/old"')
    const concerned: Concerned[] = []
    const explanation = await explain(asked, {
      ...given,
      standing: async (about) => {
        concerned.push(about)
        return [taken]
      },
    })
    expect(concerned).toEqual([{ host: "a.shop.test" }])
    expect(factsOf(explanation)[0]?.[0]).toBe("route")
    expect(clientGets(explanation)).toBe("The client gets 404")
    const { facts } = await explained(owned, undefined)
    expect(facts).toContainEqual(["problems", "not known: no controller answers"])
  })

  test("a backend without an endpoint is 503", async () => {
    const { gets } = await explained({ ...owned, backend: "gone" }, [])
    expect(gets).toBe("The client gets 503, as backend gone is not in force")
  })
})

test.each([
  { host: "bücher\u{1f4d6}.test", headers: {} },
  { host: "a.test", headers: { "x-name": "日本" } },
])("what no request of HTTP can hold is refused, and no fault of ours: %j", async (odd) => {
  const asked = rehearse(layoutOf("/nowhere"), { target: "/", isHttps: false, ...odd })
  await expect(asked).rejects.toMatchObject({ code: "request-refused" })
})
