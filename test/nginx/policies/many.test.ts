// Fifty policies: what they take of a worker's memory, and how long one more keeps it.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { startBackends } from "../../../harness/backends.ts"
import { backend, host, startPlane } from "../../../harness/plane.ts"
import { custom, PolicyDirectory, policiesLocation, rowOf } from "../../../harness/policies/policies.ts"
import { policyWat } from "../../../harness/policies/wat.ts"
import { until } from "../../../harness/until.ts"
import { atMost, timed, workOf } from "../../support/timed.ts"

const count = 50
/** Of one policy in one worker: 64 KiB of its own memory, its code, and what the engine keeps. Measured: 50 KiB. */
const maxKibPerPolicy = 512
/** Measured: 0.4 ms. */
const maxSecondsPerPolicy = 0.005

function residentKib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
}

async function cost(): Promise<{ kib: number; seconds: number }> {
  await using backends = await startBackends("a", "b")
  await using directory = await PolicyDirectory.make()
  await using plane = await startPlane({
    workers: 1,
    inWasm: directory.directives,
    inServer: policiesLocation,
  })
  const names = Array.from({ length: count }, (_, n) => `p-${n}`)
  const policies = []
  // Each another module: a byte of their data differs.
  for (const [n, name] of names.entries()) {
    policies.push(await directory.add(name, policyWat({ more: `(data (i32.const 900) "${n}")` })))
  }
  const [pid = 0] = plane.nginx.workers()
  const ask = async () => {
    for (const name of names) expect((await plane.nginx.get("/", { host: `${name}.test` })).status).toBe(200)
  }
  // First without: connections and buffers are there then.
  await plane.apply({
    backends: { set: names.map((name) => backend(name, backends)) },
    routes: { set: names.map((name) => host(`${name}.test`, name)) },
  })
  await ask()
  await ask()
  const secondsWithout = await workOf([pid], ask)
  const kibWithout = residentKib(pid)
  await plane.apply({
    backends: { set: policies.map((policy) => ({ ...backend(policy.name, backends), ...custom(policy) })) },
  })
  const seconds = (await workOf([pid], ask)) - secondsWithout
  const kib = (residentKib(pid) - kibWithout) / count
  console.info(`${kib.toFixed(0)} KiB and ${((seconds / count) * 1000).toFixed(2)} ms of a worker per policy`)
  for (const policy of policies) {
    await until("its pick to be counted", async () => (await rowOf(plane, policy))?.picks === 1)
  }
  return { kib, seconds: seconds / count }
}

test("fifty policies take little memory", async () => {
  expect((await cost()).kib).toBeLessThan(maxKibPerPolicy)
})

timed("fifty policies take little time to load", async () => {
  atMost(maxSecondsPerPolicy, (await cost()).seconds)
})
