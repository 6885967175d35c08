import assert from "node:assert/strict"
import { test } from "node:test"
import { policy } from "wick-policy/testing"

test("of two endpoints the less busy one is chosen", async () => {
  const backend = await policy({ endpoints: [{ running: 5 }, { running: 0 }] })
  const picks = Array.from({ length: 1000 }, () => backend.pick())
  const busy = picks.filter((index) => index === 0).length
  // Both draws name the busy one in a quarter of the cases.
  assert.ok(busy > 200 && busy < 300, `${busy} of 1000 went to the busy one`)
})

test("an endpoint that the request has tried is not chosen again", async () => {
  const backend = await policy({ endpoints: 3 })
  for (let i = 0; i < 100; i++) assert.equal(backend.pick({ tried: [0, 1] }), 2)
})
