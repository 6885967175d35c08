// The whole path under load: endpoints, hosts and locations change, a worker is killed, the controller is killed and started
// again. Nobody loses a request but those whose connection was in the killed worker.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { type Load, startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { moment } from "../../support/clock.ts"

const workers = 4
const hosts = ["a.test", "b.test", "c.test"]

let backends: Backends
let wick: Wick
let loads: readonly Load[]

beforeAll(async () => {
  backends = await startBackends("one", "two", "three", "four")
  wick = await startWick({
    manifests: {
      "class.yaml": manifest(ingressClass),
      "settings.yaml": settingsFile(75),
      "service.yaml": serviceFile(4),
      "ingress.yaml": manifest(...hosts.map((host) => ingress(`load/${host}`, `${host}/ → web:80`))),
    },
    flags: ["--configmap=load/settings", "--sync-rate-limit=100"],
  })
  expect(wick.workers()).toHaveLength(workers)
  loads = [
    startLoad({ port: wick.port, connections: 6, pauseMs: 5, question }),
    startLoad({ port: wick.port, connections: 2, keepAlive: false, pauseMs: 5, question }),
  ]
})
afterAll(async () => {
  await Promise.all(loads.map((load) => load.stop()))
  await wick.stop()
  await backends.stop()
})

let lostBefore = 0
beforeEach(() => {
  lostBefore = lost().length
})

const question = (n: number) => ({ host: hosts[n % hosts.length] ?? "" })
const lost = () => loads.flatMap((load) => load.result.lost)
const settingsFile = (keepAlive: number) =>
  manifest(
    settings("load/settings", { "worker-processes": String(workers), "keep-alive": String(keepAlive) }),
  )
const serviceFile = (count: number) =>
  manifest(
    ...serviceOn(
      "load/web",
      backends.slice(0, count).map(({ port }) => port),
    ),
  )
const reloads = () => wick.metric("nginx_ingress_controller_success")

async function expectNoLoss(): Promise<void> {
  await until("the load to go on", countsOn())
  expect(lost().slice(lostBefore)).toEqual([])
  expect(loads.map((load) => [...load.result.statuses.keys()])).toEqual([[200], [200]])
}

async function answers(host: string, status: number): Promise<void> {
  await until(`${host} to answer ${status}`, async () => (await wick.get("/", { host })).status === status)
}

describe("nobody loses a request while", () => {
  test("endpoints come and go, without a reload", async () => {
    const before = await reloads()
    for (let round = 0; round < 10; round += 1) {
      wick.write("service.yaml", serviceFile(1))
      await until("one endpoint to be alone", async () => (await namesOf(12)).size === 1)
      wick.write("service.yaml", serviceFile(4))
      await until("all endpoints to answer", async () => (await namesOf(12)).size === 4)
    }
    await expectNoLoss()
    expect(await reloads()).toBe(before)
  })

  test("hosts come and go, without a reload", async () => {
    const before = await reloads()
    for (let round = 0; round < 10; round += 1) {
      wick.write("more.yaml", manifest(ingress("load/more", "more.test/ → web:80")))
      await answers("more.test", 200)
      wick.remove("more.yaml")
      await answers("more.test", 404)
    }
    await expectNoLoss()
    expect(await reloads()).toBe(before)
  })

  test("a new location and new settings reload nginx", async () => {
    const before = await reloads()
    wick.write(
      "more.yaml",
      manifest(ingress("load/more", "more.test/ → web:80", { "proxy-http-version": "1.0" })),
    )
    await answers("more.test", 200)
    await until("the reload for the location", async () => (await reloads()) === before + 1)
    for (let round = 1; round <= 3; round += 1) {
      const old = new Set(wick.workers())
      wick.write("settings.yaml", settingsFile(75 + round))
      await until("the reload for the setting", async () => (await reloads()) === before + 1 + round)
      await until(
        "new workers",
        () => wick.workers().length === workers && !wick.workers().some((pid) => old.has(pid)),
      )
    }
    await expectNoLoss()
  })

  test("the controller is killed with -9 and started again", async () => {
    const nginx = wick.nginxPid
    const serving = wick.workers()
    await wick.kill()
    wick.write("service.yaml", serviceFile(2))
    wick.remove("more.yaml")
    expect((await wick.get("/", { host: "a.test" })).status).toBe(200)
    await wick.start()
    await until("the changes it missed", async () => (await namesOf(12)).size === 2)
    await answers("more.test", 404)
    expect(wick.nginxPid).toBe(nginx)
    expect(wick.workers()).toEqual(serving)
    await expectNoLoss()
  })
})

test("a worker killed with -9 takes only the requests with it that it was working on", async () => {
  const [victim = 0] = wick.workers()
  const beforeMs = moment()
  signal(victim, "SIGKILL")
  await until("the worker to die", () => !isRunning(victim))
  const afterMs = moment()
  await until("another worker in its place", () => wick.workers().length === workers)
  await until("the load to go on", countsOn())
  const gone = lost().slice(lostBefore)
  expect(gone.filter(({ startedMs, endedMs }) => startedMs > afterMs || endedMs < beforeMs)).toEqual([])
  // At most what was under way at all, and a loss is not the rule.
  expect(gone.length).toBeLessThanOrEqual(8)
  expect(loads.map((load) => [...load.result.statuses.keys()])).toEqual([[200], [200]])
  expect((await namesOf(12)).size).toBe(2)
})

async function namesOf(requests: number): Promise<Set<string>> {
  const answered = await Promise.all(
    Array.from({ length: requests }, () => wick.get("/", { host: "a.test" })),
  )
  return new Set(answered.map(({ body }) => body))
}

/** True once each load has had another 200 answers. */
function countsOn(): () => boolean {
  const before = loads.map((load) => load.result.requests)
  return () => loads.every((load, at) => load.result.requests >= (before[at] ?? 0) + 200)
}
