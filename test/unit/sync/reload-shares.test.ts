import fc from "fast-check"
import { expect, test } from "vitest"
import { ReloadShares } from "../../../controller/sync/reload-shares.ts"

const of = (...namespaces: readonly string[]) => new Set(namespaces)

test("each namespace causes two reloads at once, and then one of twenty-five", () => {
  let nowMs = 0
  const shares = new ReloadShares(0.3, () => nowMs)
  const waits = () => [shares.waitMs(of("a")), shares.waitMs(of("b")), shares.waitMs(of("a", "b"))]
  for (const wait of [0, 0]) {
    expect(waits()).toEqual([wait, 0, 0])
    shares.take(of("a"))
  }
  expect(waits()).toEqual([83_334, 0, 0])
  shares.take(of("a", "b"))
  shares.take(of("b"))
  expect(waits()).toEqual([83_334, 83_334, 83_334])
  nowMs = 83_334
  expect(waits()).toEqual([0, 0, 0])
})

test("what is nobody's does not wait", () => {
  expect(new ReloadShares(0.3).waitMs(of())).toBe(0)
})

test("whatever a namespace does, it causes no more than its share, and no other one waits for it", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(30_000)), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (steps) => {
      let nowMs = 0
      const shares = new ReloadShares(1, () => nowMs)
      const taken = new Map<string, number>()
      for (const [namespace, stepMs] of steps) {
        nowMs += stepMs
        if (shares.waitMs(of(namespace)) > 0) continue
        shares.take(of(namespace))
        taken.set(namespace, (taken.get(namespace) ?? 0) + 1)
        expect(taken.get(namespace)).toBeLessThanOrEqual(2 + nowMs / 25_000)
      }
      expect(shares.waitMs(of("d"))).toBe(0)
    }),
  )
})
