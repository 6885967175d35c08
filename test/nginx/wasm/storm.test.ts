import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { isRunning, memoryBytesOf, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { moment } from "../../support/clock.ts"
import { counters, location, proxied, startHost } from "./support/host.ts"

const backend = new Backend("served")
beforeAll(() => backend.start())
afterAll(() => backend.stop())

const FAULTS = ["trap", "abort", "outside", "divide", "deep", "loop"]

// No request_headers: a filter that guards requests refuses them while it is down, one that balances does not.
const CALLBACKS = "configure: callbacks upstream_select,upstream_info,response_headers,log,context"

/** A filter that chooses the backend, in some locations after a fault; its requests have contexts. */
function serve(workers: number): Promise<Nginx> {
  const address = `127.0.0.1 ${backend.port}`
  const faulty = FAULTS.map((fault) =>
    proxied(`/${fault}`, `${CALLBACKS} | select: ${fault}; upstream ${address} | log: prop ngx.status`),
  )
  return startHost(() => ({
    workers,
    http: `upstream chosen { server 127.0.0.1:${backend.port}; wasm_upstream_select keepalive=8; }`,
    server: `${proxied("/good", `${CALLBACKS} | select: upstream ${address} | log: prop ngx.status`)} ${faulty.join("")} ${location("/shared", "headers: put backends/k v; shared backends/k; respond 200")}`,
  }))
}

/** A path of which every twentieth is faulty. */
const path = (n: number) => (n % 20 === 0 ? `/${FAULTS[(n / 20) % FAULTS.length]}` : "/good")

test("faults, reloads and killed workers under load: every request is answered but those of the killed", async () => {
  await using nginx = await serve(4)
  const kills: { readonly fromMs: number; readonly toMs: number }[] = []
  const load = startLoad({
    port: nginx.port,
    connections: 8,
    keepAlive: false,
    question: (n) => ({ path: path(n) }),
  })
  for (let round = 0; round < 5; round++) {
    await enough(load.result, 100)
    await nginx.reload()
    await enough(load.result, 100)
    const [worker = 0] = nginx.workers()
    const fromMs = moment()
    signal(worker, "SIGKILL")
    await until("the worker to die", () => !isRunning(worker))
    kills.push({ fromMs, toMs: moment() })
    await until("another worker", () => !nginx.workers().includes(worker) && nginx.workers().length === 4)
  }
  await enough(load.result, 100)
  const { statuses, answers, lost } = await load.stop()
  expect([...statuses.keys()]).toEqual([200])
  expect([...answers.keys()]).toEqual(["served"])
  const atKill = lost.filter((one) =>
    kills.some(({ fromMs, toMs }) => one.startedMs <= toMs && one.endedMs >= fromMs),
  )
  expect(lost.length - atKill.length, JSON.stringify(lost)).toBe(0)
  expect(lost.length).toBeLessThanOrEqual(8 * kills.length)
  const { faults, fallbacks } = await counters(nginx)
  expect(faults).toBeGreaterThan(0)
  expect(fallbacks).toBeGreaterThanOrEqual(faults)
  expect(nginx.errorLog()).not.toMatch(/exited on signal (?!9)|panicked/)
})

async function enough(result: { requests: number }, more: number): Promise<void> {
  const wanted = result.requests + more
  await until(`${more} more requests`, () => result.requests >= wanted)
}

test("five reloads, and faults in each, leave neither processes nor memory behind", async () => {
  await using nginx = await serve(1)
  const cycle = async () => {
    const old = nginx.workers()
    for (let n = 0; n < 60; n++) expect((await nginx.get(path(n))).body).toBe("served")
    await nginx.reload()
    await until("old workers to end", () => !old.some(isRunning))
  }
  for (let i = 0; i < 3; i++) await cycle() // until allocators have what they need
  const before = memoryBytesOf(nginx.pid)
  for (let i = 0; i < 5; i++) await cycle()
  expect(memoryBytesOf(nginx.pid) - before).toBeLessThan(2 << 20)
})

test("a worker gives the memory of a failed instance back", async () => {
  await using nginx = await serve(1)
  const [worker = 0] = nginx.workers()
  const instances = async () => (await counters(nginx)).instances
  const fault = async () => {
    const before = await instances()
    await nginx.get("/trap")
    await until("the next instance", async () => (await instances()) > before)
  }
  await fault()
  const before = addressSpaceBytesOf(worker)
  for (let i = 0; i < 4; i++) await fault()
  // Each instance reserves 4 GB of addresses for its memory, whatever its limit is.
  expect(addressSpaceBytesOf(worker) - before).toBeLessThan(2 ** 30)
  expect(nginx.workers()).toEqual([worker])
})

function addressSpaceBytesOf(pid: number): number {
  return Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024
}
