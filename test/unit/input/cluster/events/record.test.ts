import { describe, expect, test } from "vitest"
import { eventName } from "../../../../../controller/input/cluster/events/event-record.ts"
import { Recent } from "../../../../../controller/input/cluster/events/recent.ts"

describe("the name of an Event", () => {
  test("is the object's and a time in nanoseconds", () => {
    expect(eventName("cart", 1_800_000_000_000_000_000n)).toBe("cart.18fae27693b40000")
  })

  test.each([
    "a".repeat(253),
    `${"a".repeat(235)}.${"b".repeat(17)}`,
    `${"a".repeat(233)}---${"b".repeat(17)}`,
  ])("is the name of an object however long the object's is", (name) => {
    const made = eventName(name, 1_800_000_000_000_000_000n)
    expect(made.length).toBeLessThanOrEqual(253)
    expect(made).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
  })
})

test("what is remembered is at most so much, and what was asked for most recently", () => {
  const recent = new Recent<number>(10)
  for (let at = 0; at < 100; at += 1) {
    recent.set(`${at}`, at)
    recent.get("0")
  }
  expect(["0", "99", "98", "97", "96"].map((key) => recent.get(key))).toEqual([0, 99, 98, 97, 96])
  const known = Array.from({ length: 100 }, (_, at) => `${at}`).filter((key) => recent.get(key) !== undefined)
  expect(known.length).toBeLessThanOrEqual(10)
})
