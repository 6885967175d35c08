import { expect, test } from "vitest"
import { latencies } from "../../../../../cli/commands/top/latency.ts"
import type { RequestTimes } from "../../../../../controller/output/control/request-times.ts"

const { POSITIVE_INFINITY: all } = Number

/** @param counts how many took at most 0.1 s, 1 s, and longer */
const times = (
  ingress: string,
  host: string,
  seconds: number,
  counts: readonly [number, number, number],
): RequestTimes => ({
  ingress,
  host,
  seconds,
  count: counts[2],
  buckets: [
    { seconds: 0.1, count: counts[0] },
    { seconds: 1, count: counts[1] },
    { seconds: all, count: counts[2] },
  ],
})
const byIngress = ({ ingress }: { ingress: string }) => ingress

test("times are those of requests between two looks, of all hosts of an Ingress", () => {
  const before = [times("shop/a", "a.test", 50, [100, 100, 100])]
  const after = [
    times("shop/a", "a.test", 53, [150, 150, 150]),
    times("shop/a", "b.test", 27, [40, 50, 50]),
    times("shop/idle", "idle.test", 0, [0, 0, 0]),
  ]
  const found = latencies(before, after, byIngress)
  expect([...found.keys()]).toEqual(["shop/a"])
  const latency = found.get("shop/a")
  expect(latency?.meanSeconds).toBeCloseTo(0.3)
  // 99 of 100 lie nine tenths into the ten between 0.1 and 1
  expect(latency?.p99Seconds).toBeCloseTo(0.1 + 0.9 * 0.9)
  expect(latency?.isP99Beyond).toBe(false)
})

test("what took longer than any bound is said to have", () => {
  expect(latencies([], [times("a/b", "a", 400, [0, 90, 100])], byIngress).get("a/b")).toEqual({
    meanSeconds: 4,
    p99Seconds: 1,
    isP99Beyond: true,
  })
})

test("counters that began anew count from there", () => {
  const before = [times("a/b", "a", 100, [1000, 1000, 1000])]
  const found = latencies(before, [times("a/b", "a", 0.5, [10, 10, 10])], byIngress)
  expect(found.get("a/b")?.meanSeconds).toBeCloseTo(0.05)
})
