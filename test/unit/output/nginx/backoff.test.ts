import { expect, test } from "vitest"
import { Backoff } from "../../../../controller/output/nginx/backoff.ts"

test("the first restart is at once, then each waits longer, up to half a minute", () => {
  let nowMs = 0
  const backoff = new Backoff(() => nowMs)
  const waits = Array.from({ length: 8 }, () => {
    backoff.died()
    return backoff.waitMs()
  })
  expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  nowMs = 29_000
  expect(backoff.waitMs()).toBe(1000)
})

test("deaths of long ago do not count", () => {
  let nowMs = 0
  const backoff = new Backoff(() => nowMs)
  for (let death = 0; death < 5; death += 1) backoff.died()
  nowMs = 61_000
  backoff.died()
  expect(backoff.waitMs()).toBe(0)
})
