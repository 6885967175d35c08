import { describe, expect, test } from "vitest"
import { RateLimit } from "../../../controller/support/rate-limit.ts"

describe("a rate limit", () => {
  test("of 0.3 a second with burst 1: one now, the next in 3.3 s", () => {
    let nowMs = 0
    const limit = new RateLimit(0.3, 1, () => nowMs)
    expect([limit.waitMs(), limit.take(), limit.take(), limit.waitMs()]).toEqual([0, true, false, 3334])
    nowMs = 3333
    expect([limit.take(), limit.waitMs()]).toEqual([false, 1])
    nowMs = 3334
    expect([limit.waitMs(), limit.take()]).toEqual([0, true])
  })

  test("saves up no more than its burst", () => {
    let nowMs = 0
    const limit = new RateLimit(10, 3, () => nowMs)
    nowMs = 1_000_000
    expect([1, 2, 3, 4].map(() => limit.take())).toEqual([true, true, true, false])
  })

  test("never says 0 when take would fail", () => {
    let nowMs = 0
    const limit = new RateLimit(7, 1, () => nowMs)
    for (let i = 0; i < 1000; i += 1) {
      nowMs += limit.waitMs()
      expect(limit.take()).toBe(true)
    }
  })
})
