import assert from "node:assert/strict"
import { test } from "node:test"
import { policy } from "wick-policy/testing"

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const bearer = (claims: object) => ({
  headers: { authorization: `Bearer ${base64({ alg: "none" })}.${base64(claims)}.AAAA` },
})

test("whoever comes with the same claim comes to the same endpoint, in all workers", async () => {
  const backend = await policy({ endpoints: 10 })
  const worker = backend.worker()
  const chosen = new Set<number>()
  for (let user = 0; user < 100; user++) {
    const first = backend.pick(bearer({ iat: 1, sub: `user ${user}` }))
    const later = { nested: { sub: "no" }, list: ['"sub":1', { sub: 2 }], sub: `user ${user}`, iat: 99 }
    assert.equal(worker.pick(bearer(later)), first)
    chosen.add(first)
  }
  assert.equal(chosen.size, 10)
})

test("the configuration names another claim, whatever its type", async () => {
  const backend = await policy({ endpoints: 10, config: "tenant" })
  const of = (tenant: number) => backend.pick(bearer({ sub: `user ${Math.random()}`, tenant }))
  for (let tenant = 0; tenant < 50; tenant++) assert.equal(of(tenant), of(tenant))
})

test("a token cannot crowd an endpoint", async () => {
  const backend = await policy({ endpoints: 5 })
  const own = backend.pick(bearer({ sub: "mallory" }))
  const endpoints = Array.from({ length: 5 }, (_, i) => ({ running: i === own ? 100 : 3 }))
  backend.change(endpoints)
  const picks = Array.from({ length: 500 }, () => backend.pick(bearer({ sub: "mallory" })))
  assert.ok(picks.filter((index) => index === own).length < 200)
})

test("what is no token is balanced as if it were not there", async () => {
  const backend = await policy({ endpoints: 3 })
  for (const authorization of [
    "",
    "Basic YTpi",
    "Bearer",
    "Bearer x",
    "Bearer a.b.c",
    "Bearer ..",
    "Bearer é.{}.!",
  ]) {
    const picks = new Set(Array.from({ length: 100 }, () => backend.pick({ headers: { authorization } })))
    assert.equal(picks.size, 3, authorization)
  }
})
