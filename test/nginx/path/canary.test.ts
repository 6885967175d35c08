// Canaries on a real nginx with four workers, from YAML to answers. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Question } from "../../../harness/http.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { cookieOf, cookieWith } from "./cookies.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["main", "canary", "third"])
})
afterAll(() => site[Symbol.asyncDispose]())

type Annotations = Readonly<Record<string, string>>

const services = () => ["main", "canary", "third"].flatMap((name) => site.service(name, name))
const main = (annotations: Annotations = {}) => ingress("demo/main", "foo.test/ → main:80", annotations, 1)
const canary = (annotations: Annotations) =>
  ingress("demo/canary", "foo.test/ → canary:80", { canary: "true", ...annotations }, 2)

const put = (...ingresses: readonly Json[]) => site.put(...services(), ...ingresses)
const header = (value: string, name = "X-Canary"): Question => ({ headers: { [name]: value } })
const cookie = (value: string): Question => ({ headers: { cookie: `canary=${value}` } })

/** Who answers such requests: each of them is asked often enough to meet every worker. */
async function who(question: Question = {}, path = "/"): Promise<string> {
  return (await site.answering(12, question, path)).join()
}

/** The share of the canary, of 1. */
async function share(count = 1000): Promise<number> {
  return ((await site.shares(count)).get("canary") ?? 0) / count
}

describe("by header", () => {
  test("214: always is the canary, never and anything else the main backend", async () => {
    await put(main(), canary({ "canary-by-header": "X-Canary" }))
    expect(await who(header("always"))).toBe("canary")
    expect(await who(header("always", "x-CANARY"))).toBe("canary")
    expect(await who(header("never"))).toBe("main")
    expect(await who(header("other"))).toBe("main")
    expect(await who()).toBe("main")
  })

  test("217: another name of the header is in force at once", async () => {
    await put(main(), canary({ "canary-by-header": "X-Other" }))
    expect(await who(header("always", "X-Other"))).toBe("canary")
    expect(await who(header("always"))).toBe("main")
  })

  test("219: with a value neither always nor never mean anything", async () => {
    await put(main(), canary({ "canary-by-header": "X-Canary", "canary-by-header-value": "DoCanary" }))
    expect(await who(header("DoCanary"))).toBe("canary")
    expect(await who(header("always"))).toBe("main")
    expect(await who(header("never"))).toBe("main")
  })

  test("221: beside a value a pattern has no effect", async () => {
    const both = { "canary-by-header-value": "DoCanary", "canary-by-header-pattern": "^Do[A-Z][a-z]+y$" }
    await put(main(), canary({ "canary-by-header": "X-Canary", ...both }))
    expect(await who(header("DoCananry"))).toBe("main")
    expect(await who(header("DoCanary"))).toBe("canary")
  })

  test("a pattern matches anywhere in the value, and what it does not match falls through", async () => {
    await put(
      main(),
      canary({
        "canary-by-header": "X-Canary",
        "canary-by-header-pattern": "[0-9]+",
        "canary-by-cookie": "canary",
      }),
    )
    expect(await who(header("user-17"))).toBe("canary")
    expect(await who(header("user"))).toBe("main")
    expect(await who({ headers: { "X-Canary": "user", cookie: "canary=always" } })).toBe("canary")
  })

  test("222: a pattern that does not compile is the main backend, whatever the cookie says", async () => {
    await put(
      main(),
      canary({
        "canary-by-header": "X-Canary",
        "canary-by-header-pattern": "[[][**da?$&*",
        "canary-by-cookie": "canary",
      }),
    )
    expect(await who({ headers: { "X-Canary": "DoCanary", cookie: "canary=always" } })).toBe("main")
  })
})

test("224: by cookie: always is the canary, never and anything else the main backend", async () => {
  await put(main(), canary({ "canary-by-cookie": "canary" }))
  expect(await who(cookie("always"))).toBe("canary")
  expect(await who(cookie("never"))).toBe("main")
  expect(await who(cookie("other"))).toBe("main")
})

describe("by weight", () => {
  test("226: 1000 of 1000 is always, 100 of 200 about half, 0 never", async () => {
    await put(main(), canary({ "canary-weight": "1000", "canary-weight-total": "1000" }))
    expect(await share(100)).toBe(1)
    await put(main(), canary({ "canary-weight": "100", "canary-weight-total": "200" }))
    // 6 standard deviations of 1000 throws
    expect(Math.abs((await share()) - 0.5)).toBeLessThan(0.095)
    await put(main(), canary({ "canary-weight": "0" }))
    expect(await share(100)).toBe(0)
  })

  test("227: a total below 100 counts as 100", async () => {
    await put(main(), canary({ "canary-weight": "10", "canary-weight-total": "10" }))
    expect(Math.abs((await share()) - 0.1)).toBeLessThan(0.057)
  })

  test("several canaries that want to be used beside each other have their own shares", async () => {
    const third = ingress(
      "demo/third",
      "foo.test/ → third:80",
      { canary: "true", "canary-weight": "30", "wick.dev/canary-n-way": "true" },
      3,
    )
    await put(main(), canary({ "canary-weight": "20" }), third)
    const shares = await site.shares(1000)
    expect(Math.abs((shares.get("canary") ?? 0) / 1000 - 0.2)).toBeLessThan(0.076)
    expect(Math.abs((shares.get("third") ?? 0) / 1000 - 0.3)).toBeLessThan(0.087)
    expect(Math.abs((shares.get("main") ?? 0) / 1000 - 0.5)).toBeLessThan(0.095)
  })
})

describe("which backend's place it takes", () => {
  test("216: a canary alone is not served, even when a header asks for it", async () => {
    await put(canary({ "canary-by-header": "X-Canary" }))
    expect(await who(header("always"))).toBe("404")
  })

  test("229: nor on a host that no other Ingress has", async () => {
    await put(
      main(),
      ingress("demo/canary", "bar.test/ → canary:80", { canary: "true", "canary-weight": "100" }, 2),
    )
    expect(await who({ host: "bar.test" })).toBe("404")
    expect(await who()).toBe("main")
  })

  test("231: a catch-all canary is for the catch-all of the main Ingress", async () => {
    await put(
      ingress("demo/main", "* → main:80", {}, 1),
      ingress("demo/canary", "* → canary:80", { canary: "true", "canary-by-header": "X-Canary" }, 2),
    )
    expect(await who({ host: "anything.test" })).toBe("main")
    expect(await who({ host: "anything.test", ...header("always") })).toBe("canary")
  })

  test("other hosts and paths of that backend are not concerned", async () => {
    await put(
      ingress("demo/main", ["foo.test/ → main:80", "bar.test/x → main:80"], {}, 1),
      canary({ "canary-by-header": "X-Canary" }),
    )
    expect(await who({ host: "bar.test", ...header("always") }, "/x")).toBe("main")
    expect(await who(header("always"))).toBe("canary")
  })

  test("236: of two canaries the older one is used", async () => {
    const third = ingress(
      "demo/third",
      "foo.test/ → third:80",
      { canary: "true", "canary-by-header": "X-Third" },
      3,
    )
    await put(main(), canary({ "canary-by-header": "X-Canary" }), third)
    expect(await who(header("always"))).toBe("canary")
    expect(await who(header("always", "X-Third"))).toBe("main")
    await site.untilProblem("canary-left-out")
  })

  test("237: a Service of an older canary serves no path by itself", async () => {
    await put(
      ingress("demo/old", "foo.test/ → canary:80", { canary: "true", "canary-by-header": "X-Canary" }, 1),
      ingress("demo/main", "foo.test/ → main:80", {}, 2),
      ingress("demo/late", "late.test/ → canary:80", {}, 3),
    )
    expect(await who(header("always"))).toBe("canary")
    expect(await who({ host: "late.test" })).toBe("404")
    await site.untilProblem("backend-is-canary")
  })

  test("239: canary-by-header without canary is an ordinary Ingress, and loses to the older one", async () => {
    await put(
      main(),
      ingress("demo/second", "foo.test/ → canary:80", { "canary-by-header": "X-Canary" }, 2),
      ingress("demo/other", "bar.test/ → third:80", { "canary-by-header": "X-Canary" }, 2),
    )
    expect(await who(header("always"))).toBe("main")
    expect(await who({ host: "bar.test" })).toBe("third")
  })

  test("a canary without endpoints leaves the requests to the main backend", async () => {
    await site.put(
      ...site.service("main", "main"),
      ...site.service("canary"),
      main(),
      canary({ "canary-weight": "100" }),
    )
    expect(await who()).toBe("main")
  })
})

describe("with sessions", () => {
  const sticky = { affinity: "cookie", "session-cookie-name": "sid" }
  const byHeader = { "canary-by-header": "X-Canary", "canary-weight": "1" }

  test("232: a client that a header brought to the canary stays with it", async () => {
    await put(main(sticky), canary(byHeader))
    const first = await site.get("/", header("always"))
    expect(first.body).toBe("canary")
    expect(await who(cookieWith(first, "sid"))).toBe("canary")
  })

  test("234: a client of the main backend stays with that, whatever the header says", async () => {
    await put(main(sticky), canary({ "canary-by-header": "X-Canary" }))
    const first = await site.get("/")
    expect(first.body).toBe("main")
    const { headers } = cookieWith(first, "sid")
    expect(await who({ headers: { ...headers, "X-Canary": "always" } })).toBe("main")
  })

  test("with the legacy behaviour the canary has no sessions", async () => {
    await put(main(sticky), canary({ "canary-by-header": "X-Canary", "affinity-canary-behavior": "legacy" }))
    const first = await site.get("/", header("always"))
    expect(first.body).toBe("canary")
    expect(cookieOf(first, "sid")).toBeUndefined()
  })
})

test("nothing of this needed a reload", () => site.expectOnlyPosts())
