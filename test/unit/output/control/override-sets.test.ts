import { expect, test } from "vitest"
import type { Host } from "../../../../controller/model/route.ts"
import { OverrideSets } from "../../../../controller/output/control/override-sets.ts"
import { host } from "./live.ts"

/** A host whose routes have these timeouts; 0: none of their own. */
function hostWith(...timeouts: readonly number[]): Host {
  const [route] = host("a.test", "a").routes
  if (route === undefined) throw new Error("A host has a route")
  const routes = timeouts.map((ms) => ({ ...route, overrides: ms === 0 ? {} : { proxyReadTimeoutMs: ms } }))
  return { ...host("a.test", "a"), routes }
}

test("equal numbers are one set, and routes without numbers none", () => {
  const sets = new OverrideSets(2)
  sets.note([hostWith(0, 1, 2, 1, 2, 0)])
  sets.note([hostWith(2, 1)])
  expect(sets.areTooMany).toBe(false)
  sets.note([hostWith(3)])
  expect(sets.areTooMany).toBe(true)
})

test("after a reload only those in force count, and twice as many may come", () => {
  const sets = new OverrideSets(2)
  sets.note([hostWith(1, 2, 3, 4)])
  sets.reloaded([hostWith(3, 4)])
  expect(sets.areTooMany).toBe(false)
  sets.note([hostWith(5, 6)])
  expect(sets.areTooMany).toBe(false)
  sets.note([hostWith(7)])
  expect(sets.areTooMany).toBe(true)
  sets.reloaded([hostWith(1, 2, 3, 4, 5)])
  expect(sets.areTooMany).toBe(false)
})

test("sets with many error pages count as several", () => {
  const all = 2 ** 50 - 1
  const [route] = host("a.test", "a").routes
  if (route === undefined) throw new Error("A host has a route")
  const withPages = (...sets: readonly number[]): Host => ({
    ...host("a.test", "a"),
    routes: sets.map((errorPages400) => ({ ...route, overrides: { errorPages400, errorPages500: all } })),
  })
  const sets = new OverrideSets(4)
  sets.note([withPages(1, 2)])
  expect(sets.areTooMany).toBe(false)
  sets.note([withPages(all)])
  expect(sets.areTooMany).toBe(true)
})

test("ways to speak TLS to backends count as eight, once each, whoever has them", () => {
  const [route] = host("a.test", "a").routes
  if (route === undefined) throw new Error("A host has a route")
  const tls = (authority: string) => ({ backendTls: { authority, depth: 1 } })
  const split = [{ weight: 1, backend: "a", ...tls("b") }]
  const all: Host = {
    ...host("a.test", "a"),
    routes: [
      { ...route, ...tls("a"), split },
      { ...route, ...tls("b") },
    ],
  }
  const sets = new OverrideSets(16)
  sets.note([all])
  expect(sets.areTooMany).toBe(false)
  sets.note([{ ...all, routes: [{ ...route, ...tls("c") }] }])
  expect(sets.areTooMany).toBe(true)
})
