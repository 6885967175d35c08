import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Garbage, ownHeap } from "../../../controller/run/garbage.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const mebibyte = 1 << 20

/** A heap in which some of what is used is no garbage. */
function heapOf(used: number, live: number) {
  const heap = {
    used: used * mebibyte,
    collections: 0,
    usedBytes: () => heap.used,
    collect: () => {
      heap.collections += 1
      heap.used = live * mebibyte
    },
  }
  return heap
}

test("is collected once nothing has happened for twenty seconds", () => {
  const heap = heapOf(200, 100)
  const garbage = new Garbage(heap)
  for (let pass = 0; pass < 3; pass += 1) {
    garbage.left()
    vi.advanceTimersByTime(19_999)
  }
  expect(heap.collections).toBe(0)
  vi.advanceTimersByTime(1)
  expect(heap.collections).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(heap.collections).toBe(1)
})

test("is collected again only where there is much more of it", () => {
  const heap = heapOf(200, 100)
  const garbage = new Garbage(heap)
  const rest = () => {
    garbage.left()
    vi.advanceTimersByTime(20_000)
  }
  rest()
  heap.used += 31 * mebibyte
  rest()
  expect(heap.collections).toBe(1)
  heap.used += mebibyte
  rest()
  expect(heap.collections).toBe(2)
})

test("of a small heap stays, and none is looked for after the end", () => {
  const small = heapOf(31, 20)
  new Garbage(small).left()
  const stopped = heapOf(200, 100)
  const garbage = new Garbage(stopped)
  garbage.left()
  garbage.stop()
  vi.advanceTimersByTime(60_000)
  expect([small.collections, stopped.collections]).toEqual([0, 0])
})

test("of the process itself goes", () => {
  let kept: number[] | undefined = new Array(5_000_000).fill(0.5)
  const before = ownHeap.usedBytes()
  expect(kept.length).toBe(5_000_000)
  kept = undefined
  ownHeap.collect()
  expect(before - ownHeap.usedBytes()).toBeGreaterThan(30 * mebibyte)
})
