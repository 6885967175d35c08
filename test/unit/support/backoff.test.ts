import { expect, test } from "vitest"
import { backoffMs, jitteredMs } from "../../../controller/support/backoff.ts"

const failures = [1, 2, 3, 4, 5]

test("waits double, up to the limit if there is one", () => {
  expect(failures.map((count) => backoffMs({ firstMs: 100 }, count))).toEqual([100, 200, 400, 800, 1600])
  expect(failures.map((count) => backoffMs({ firstMs: 100, maxMs: 500 }, count))).toEqual([
    100, 200, 400, 500, 500,
  ])
})

test("another factor than two", () => {
  const backoff = { firstMs: 1000, factor: 1.5, maxMs: 4000 }
  expect(failures.map((count) => backoffMs(backoff, count))).toEqual([1000, 1500, 2250, 3375, 4000])
})

test.each([
  ["longer", [1, 1.1], [100, 105, 110]],
  ["shorter", [1, 0.8], [100, 90, 80]],
  ["around", [0.5, 1.5], [50, 100, 150]],
] as const)("jitter makes a wait %s: %j", (_, jitter, [first, middle, last]) => {
  const waits = [0, 0.5, 1 - 2 ** -53].map((random) =>
    backoffMs({ firstMs: 10, maxMs: 100, jitter }, 9, random),
  )
  for (const [at, wait] of [first, middle, last].entries()) expect(waits[at]).toBeCloseTo(wait)
})

test("any number of failures has a wait", () => {
  expect(backoffMs({ firstMs: 10, maxMs: 100 }, Number.POSITIVE_INFINITY)).toBe(100)
  expect(backoffMs({ firstMs: 10, maxMs: 100 }, 10_000)).toBe(100)
  expect(jitteredMs(0, [1, 2], 0.5)).toBe(0)
})
