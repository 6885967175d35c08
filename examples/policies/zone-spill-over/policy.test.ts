import assert from "node:assert/strict"
import { test } from "node:test"
import { policy } from "wick-policy/testing"

const near = (running = 0) => ({ zone: "ours", running }) as const
const far = (running = 0) => ({ zone: "another", running }) as const
const picks = (backend: { pick(): number }) => new Set(Array.from({ length: 200 }, () => backend.pick()))

test("requests stay in our zone while it has room", async () => {
  const backend = await policy({ endpoints: [near(7), far(), near(3), far()] })
  assert.deepEqual(picks(backend), new Set([0, 2]))
})

test("they spill over when its endpoints have too much to do, and come back", async () => {
  const backend = await policy({ endpoints: [near(8), near(9), far(2), far(20)] })
  assert.ok(picks(backend).has(2))
  backend.change([near(1), near(2), far(0), far(0)])
  assert.deepEqual(picks(backend), new Set([0, 1]))
})

test("a far endpoint that is no less busy is not asked", async () => {
  const backend = await policy({ endpoints: [near(10), far(10)] })
  assert.deepEqual(picks(backend), new Set([0]))
})

test("the configuration says how much is too much", async () => {
  const backend = await policy({ endpoints: [near(2), far()], config: "2" })
  assert.deepEqual(picks(backend), new Set([1]))
})

test("without zones all endpoints are ours", async () => {
  const backend = await policy({ endpoints: 3 })
  assert.deepEqual(picks(backend), new Set([0, 1, 2]))
})
