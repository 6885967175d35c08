import { expect, test } from "vitest"
import { Restarts } from "../../../../controller/output/nginx/restarts.ts"

test("the first restart is at once, then each waits longer, up to half a minute", () => {
  let nowMs = 0
  const restarts = new Restarts(() => nowMs)
  const waits = Array.from({ length: 8 }, () => {
    restarts.died()
    return restarts.waitMs()
  })
  expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  nowMs = 29_000
  expect(restarts.waitMs()).toBe(1000)
})

test("deaths of long ago do not count", () => {
  let nowMs = 0
  const restarts = new Restarts(() => nowMs)
  for (let death = 0; death < 5; death += 1) restarts.died()
  nowMs = 61_000
  restarts.died()
  expect(restarts.waitMs()).toBe(0)
})
