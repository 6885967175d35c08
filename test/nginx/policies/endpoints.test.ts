// What a policy is told of endpoints: all of ten thousand, each change before the next pick, zones and weights, what to keep away from.
import { expect, test } from "vitest"
import type { PolicyCounters } from "../../../controller/model/policy-counters.ts"
import { type Backend, startBackends } from "../../../harness/backends.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"
import { custom, PolicyDirectory, policiesLocation, rowOf } from "../../../harness/policies/policies.ts"
import { fixedWat, oursWat, policyWat } from "../../../harness/policies/wat.ts"
import { until } from "../../../harness/until.ts"
import { answersOf, burst } from "../balancing/support/burst.ts"

test("an endpoint of a list of ten thousand, and every change of it at once", async () => {
  await using backends = await startBackends("a", "b")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({ inWasm: directory.directives, inServer: policiesLocation })
  const [a, b] = backends as unknown as [Backend, Backend]
  // Addresses that nobody answers at: a policy that chose one of them would cost a retry.
  const nobody = (n: number) => ({ endpoint: { address: `127.9.${n >> 8}.${n & 255}`, port: "1" } })
  const list = (place: number, there: Backend, count: number) =>
    Array.from({ length: count }, (_, n) => (n === place ? there : nobody(n)))
  const policy = await directory.add("fixed", fixedWat(9999))
  const post = (endpoints: readonly { readonly endpoint: object }[]) =>
    plane.apply({ backends: { set: [{ ...backend("shop", endpoints), ...custom(policy) }] } })
  await plane.apply({ routes: { set: [host("shop.test", "shop")] } })
  const ask = () =>
    burst(plane, backends, { requests: 40, question: () => ({ host: "shop.test", path: "/" }) })

  for (let round = 0; round < 3; round += 1) {
    await post(list(9999, a, 10_000))
    expect(answersOf(await ask())).toEqual(new Map([["200 a", 40]]))
    // The last one is removed, and the one that is last now is chosen.
    await post(list(9998, b, 9999))
    expect(answersOf(await ask())).toEqual(new Map([["200 b", 40]]))
  }
  const taken = await ask()
  expect(taken.every(({ tried }) => tried.length === 1)).toBe(true)
  // Workers add up what they have counted a few times per second.
  await until("the picks to be counted", async () => (await rowOf(plane, policy)) !== undefined)
  expect(await rowOf(plane, policy)).toMatchObject({ faults: 0 })
})

test("zones are told, and an endpoint that was tried is not tried again", async () => {
  await using backends = await startBackends("a", "b", "c")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({ inWasm: directory.directives, inServer: policiesLocation })
  const policy = await directory.add("ours", oursWat)
  const zones = ["another", "ours", undefined]
  const endpoints = [...backends].map(({ endpoint }, n) => ({
    endpoint: { ...endpoint, ...(zones[n] && { zone: zones[n] }) },
  }))
  await plane.apply({
    backends: { set: [{ ...backend("shop", endpoints), ...custom(policy) }] },
    routes: { set: [host("shop.test", "shop")] },
  })
  const ask = () =>
    burst(plane, backends, { requests: 60, question: () => ({ host: "shop.test", path: "/" }) })
  expect(answersOf(await ask())).toEqual(new Map([["200 b", 60]]))

  await backends[1]?.fault("reset")
  const taken = await ask()
  for (const { answer, tried } of taken) {
    expect(answer.status).toBe(200)
    // The policy insists on it; round robin passes it over.
    expect(tried).toHaveLength(2)
    expect(tried[0]).toBe("b")
    expect(tried[1]).not.toBe("b")
  }
})

test("picks, declines and their time are counted over all workers", async () => {
  await using backends = await startBackends("a", "b")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({ inWasm: directory.directives, inServer: policiesLocation })
  const policy = await directory.add("turns", policyWat())
  await plane.apply({
    backends: { set: [{ ...backend("shop", backends), ...custom(policy) }] },
    routes: { set: [host("shop.test", "shop")] },
  })
  const requests = 1000
  await burst(plane, backends, { requests, question: () => ({ host: "shop.test", path: "/" }) })
  let row: PolicyCounters | undefined
  await until("all picks to be counted", async () => {
    row = await rowOf(plane, policy)
    return row?.picks === requests
  })
  expect(row).toMatchObject({ policy: "turns", digest: policy.digest, declines: 0, faults: 0 })
  expect(row?.instances).toBeGreaterThan(1)
  expect(row?.samples).toBeGreaterThan(0)
  expect(row?.nanoseconds).toBeGreaterThan(0)
})
