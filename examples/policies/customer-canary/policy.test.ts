import assert from "node:assert/strict"
import { test } from "node:test"
import { policy } from "wick-policy/testing"

const config = "port 9090\nheader x-customer\ncustomers acme, globex\n"
const endpoints = ["10.0.0.1:8080", "10.0.0.2:9090", "10.0.0.3:8080", "[2001:db8::1]:9090"].map(
  (address) => ({
    address,
  }),
)
const from = (customer: string) => ({ headers: { "x-customer": customer } })
const picks = (backend: { pick(request?: object): number }, request = {}) =>
  new Set(Array.from({ length: 200 }, () => backend.pick(request)))

test("the customers of the list get the canary, and nobody else does", async () => {
  const backend = await policy({ endpoints, config })
  assert.deepEqual(picks(backend, from("acme")), new Set([1, 3]))
  assert.deepEqual(picks(backend, from("globex")), new Set([1, 3]))
  assert.deepEqual(picks(backend, from("initech")), new Set([0, 2]))
  assert.deepEqual(picks(backend), new Set([0, 2]))
})

test("without a canary they are served as all are", async () => {
  const backend = await policy({ endpoints: endpoints.slice(0, 1), config })
  assert.deepEqual(picks(backend, from("acme")), new Set([0]))
  backend.change(endpoints)
  assert.deepEqual(picks(backend, from("acme")), new Set([1, 3]))
})

test("without a configuration there is no canary", async () => {
  const backend = await policy({ endpoints })
  assert.deepEqual(picks(backend, from("acme")), new Set([0, 1, 2, 3]))
})
