import { expect, test } from "vitest"
import type { Settings } from "../../../../../controller/core/options/settings.ts"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import type { Backend } from "../../../../../controller/model/backend.ts"
import {
  ingress,
  options,
  type Part,
  passOf,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../../harness/objects.ts"

// What is remembered between passes must not hide a change; the other way round, nothing else may move.

const parts: readonly Part[] = [
  service("shop/cart", "80"),
  service("shop/new", "80"),
  service("shop/other", "80"),
  slice("shop/cart", ["10.0.0.1"], "8080"),
  slice("shop/new", ["10.0.0.2"], "8080"),
  slice("shop/other", ["10.0.0.3"], "8080"),
]
const rest = snapshot(...parts)
const main = ingress("shop/main", "one.test/ → cart:80", {}, 1)
const other = ingress("shop/other", "two.test/ → other:80", {}, 1)

type Ingresses = readonly ReturnType<typeof ingress>[]

/** Passes of one translator. */
const translator = new Translator(options)

function backends(ingresses: Ingresses, own: Settings = settings): readonly Backend[] {
  return passOf(translator, { ...rest, ingresses }, own).model.live.backends
}

function named(list: readonly Backend[], name: string): Backend | undefined {
  return list.find((backend) => backend.name === name)
}

test("a changed annotation reaches its backend and moves no other", () => {
  const before = backends([main, other])
  const after = backends([ingress("shop/main", "one.test/ → cart:80", { "load-balance": "ewma" }, 1), other])
  expect(named(after, "shop-cart-80")?.loadBalance).toBe("ewma")
  expect(named(after, "shop-other-80")).toBe(named(before, "shop-other-80"))
})

test("an older Ingress that serves nothing of a backend changes how it is balanced", () => {
  const taken = ingress("shop/taken", "two.test/ → cart:80", { "load-balance": "ewma" }, 2)
  const late = ingress("shop/main", "one.test/ → cart:80", {}, 3)
  expect(named(backends([other, late]), "shop-cart-80")?.loadBalance).toBe("round_robin")
  expect(named(backends([other, late, taken]), "shop-cart-80")?.loadBalance).toBe("ewma")
  expect(named(backends([other, late]), "shop-cart-80")?.loadBalance).toBe("round_robin")
})

test("a canary that comes and goes moves its main backend, and a changed weight only itself", () => {
  const canary = (weight: string) =>
    ingress("shop/canary", "one.test/ → new:80", { canary: "true", "canary-weight": weight }, 2)
  const [without, ten, twenty] = [
    backends([main, other]),
    backends([main, other, canary("10")]),
    backends([main, other, canary("20")]),
  ]
  expect(named(ten, "shop-cart-80")).toEqual({
    ...named(without, "shop-cart-80"),
    alternatives: ["shop-new-80"],
  })
  expect(named(twenty, "shop-new-80")?.shaping?.weight).toBe(20)
  expect(named(twenty, "shop-cart-80")).toBe(named(ten, "shop-cart-80"))
  expect(named(twenty, "shop-other-80")).toBe(named(without, "shop-other-80"))
  expect(backends([main, other])).toEqual(without)
})

/** Where sessions begin: host, path, and the backend whose sessions they are. */
function sessions(ingresses: Ingresses): (string | undefined)[][] {
  const { hosts } = translate({ ...rest, ingresses }, settings, options).model.live
  const all = hosts.flatMap(({ host, routes }) =>
    routes.map(({ path, variables }) => [host, path, variables?.session]),
  )
  return all.filter(([, , session]) => session !== undefined)
}

test("sessions begin at every path that leads to a backend with sessions, and says so", () => {
  const sticky = (...rules: readonly string[]) => ingress("shop/main", rules, { affinity: "cookie" }, 1)
  expect(sessions([sticky("one.test/ → cart:80", "one.test/x → cart:80", "/ → cart:80")])).toEqual([
    ["_", "/", "shop-cart-80"],
    ["one.test", "/", "shop-cart-80"],
    ["one.test", "/x", "shop-cart-80"],
  ])
  const second = ingress("shop/second", "constructor/ → cart:80", { affinity: "cookie" }, 2)
  const without = ingress("shop/third", "three.test/ → cart:80", {}, 3)
  expect(sessions([sticky("one.test/ → cart:80"), second, without])).toEqual([
    ["constructor", "/", "shop-cart-80"],
    ["one.test", "/", "shop-cart-80"],
  ])
})

test("sessions of a canary are those of its main backend, whose path they begin at", () => {
  const sticky = ingress("shop/main", "one.test/ → cart:80", { affinity: "cookie" }, 1)
  const beside = ingress("shop/canary", "one.test/ → new:80", { canary: "true", "canary-weight": "10" }, 2)
  const cookies = backends([sticky, beside]).map(({ name, affinity }) => [name, affinity?.cookie.sessionsOf])
  expect(cookies).toEqual([
    ["shop-cart-80", undefined],
    ["shop-new-80", "shop-cart-80"],
  ])
  expect(sessions([sticky, beside])).toEqual([["one.test", "/", "shop-cart-80"]])
})

test("no sessions begin where a fallback answers for the backend", () => {
  const idle = ingress(
    "shop/main",
    "one.test/ → idle:80",
    { affinity: "cookie", "default-backend": "new" },
    1,
  )
  expect(sessions([idle])).toEqual([])
})

test("the ConfigMap's algorithm is that of every backend without one, and moves only those", () => {
  const own = ingress("shop/main", "one.test/ → cart:80", { "load-balance": "p2c" }, 1)
  const before = backends([own, other])
  const after = backends([own, other], { ...settings, loadBalance: "least_conn" })
  expect(after.map(({ loadBalance }) => loadBalance)).toEqual(["p2c", "least_conn"])
  expect(after[0]).toEqual(before[0])
})

test("a canary of one backend on several hosts is attached once, and needs no path of its own on each", () => {
  const wide = ingress("shop/main", ["one.test/ → cart:80", "two.test/ → cart:80"], {}, 1)
  const canary = ingress("shop/canary", ["one.test/ → new:80", "two.test/ → new:80"], { canary: "true" }, 2)
  const { model, problems } = translate({ ...rest, ingresses: [wide, canary] }, settings, options)
  expect(problems).toEqual([])
  expect(named(model.live.backends, "shop-cart-80")?.alternatives).toEqual(["shop-new-80"])
  expect(model.live.hosts.flatMap(({ routes }) => routes.map(({ backend }) => backend))).not.toContain(
    "shop-new-80",
  )
})

test("a canary of two backends takes part in the sessions of the first", () => {
  const first = ingress(
    "shop/a",
    "one.test/ → cart:80",
    { affinity: "cookie", "session-cookie-name": "a" },
    1,
  )
  const second = ingress(
    "shop/b",
    "two.test/ → other:80",
    { affinity: "cookie", "session-cookie-name": "b" },
    2,
  )
  const canary = ingress("shop/c", ["one.test/ → new:80", "two.test/ → new:80"], { canary: "true" }, 3)
  const list = backends([first, second, canary])
  const { cookie, ...mode } = named(list, "shop-cart-80")?.affinity ?? {}
  const sessions = { ...mode, cookie: { ...cookie, sessionsOf: "shop-cart-80" } }
  expect(named(list, "shop-new-80")?.affinity).toEqual(sessions)
})
