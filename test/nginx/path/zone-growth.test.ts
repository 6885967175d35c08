// Zones follow what is in them: they grow under load, and what does not fit even then is left out with a Problem.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

const paths = 5000
const perIngress = 100

let backends: Backends
let wick: Wick

beforeAll(async () => {
  backends = await startBackends("web")
  const files = Array.from({ length: 4 }, (_, at) => [`ingress-${at}.yaml`, ingressFile(at)])
  wick = await startWick({
    manifests: {
      ...Object.fromEntries(files),
      "settings.yaml": settingsFile("4m"),
      "web.yaml": manifest(
        ingressClass,
        ...serviceOn(
          "many/web",
          backends.map(({ port }) => port),
        ),
      ),
    },
    flags: ["--configmap=many/settings", "--sync-rate-limit=100"],
  })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const host = "many.test"
const pathAt = (at: number) => `/${"application-of-somebody/".repeat(4)}${String(at).padStart(5, "0")}`
const settingsFile = (max: string) =>
  manifest(
    settings("many/settings", {
      "worker-processes": "2",
      "zone-sizes": "routes: 1m, backends: 1m, certificates: 1m, passthroughs: 1m",
      "max-zone-size": max,
      "zone-share": "100",
    }),
  )
const ingressFile = (at: number) => {
  const rules = Array.from({ length: perIngress }, (_, n) => `${host}${pathAt(at * perIngress + n)} → web:80`)
  return manifest(ingress(`many/ingress-${at}`, rules))
}
const statusOf = async (at: number) => (await wick.get(pathAt(at), { host })).status
const sizeOf = (zone: string) => wick.metric("wick_zone_size_bytes", `zone="${zone}"`)

test("a zone that gets full grows, and no request is lost", async () => {
  expect(await sizeOf("routes")).toBe(2 ** 20)
  const load = startLoad({
    port: wick.port,
    connections: 4,
    keepAlive: false,
    pauseMs: 5,
    question: (n) => ({ host, path: pathAt(n % (4 * perIngress)) }),
  })
  for (let at = 4; at < paths / perIngress; at += 1) wick.write(`ingress-${at}.yaml`, ingressFile(at))
  await until("all paths", async () => (await statusOf(paths - 1)) === 200)
  await until("a larger zone", async () => (await sizeOf("routes")) > 2 ** 20)
  await until("no problem", async () => (await wick.metric("wick_problems", 'code="no-room"')) === 0)
  await load.stop()
  expect(load.result.lost).toEqual([])
  expect([...load.result.statuses.keys()]).toEqual([200])
  for (let at = 0; at < paths; at += 77) expect([at, await statusOf(at)]).toEqual([at, 200])
  expect(wick.log()).toContain("Zones of shared memory have grown")
  expect(await sizeOf("backends")).toBe(2 ** 20)
  expect(await wick.metric("wick_zone_used_bytes", 'zone="routes"')).toBeLessThan(await sizeOf("routes"))
})

test("a controller that takes over keeps the sizes, and needs no reload for it", async () => {
  const [master, size] = [wick.nginxPid, await sizeOf("routes")]
  const workers = wick.workers().toSorted()
  signal(wick.pid, "SIGKILL")
  await wick.start()
  expect(wick.nginxPid).toBe(master)
  expect(wick.workers().toSorted()).toEqual(workers)
  expect(await sizeOf("routes")).toBe(size)
})

test("beyond the limit single paths are left out, with a Problem, until it is raised", async () => {
  for (let at = paths / perIngress; at < (3 * paths) / perIngress; at += 1)
    wick.write(`ingress-${at}.yaml`, ingressFile(at))
  await until("a problem", async () => (await wick.metric("wick_problems", 'code="no-room"')) > 0)
  expect(await sizeOf("routes")).toBe(4 * 2 ** 20)
  expect(await statusOf(0)).toBe(200)
  expect(await statusOf(paths - 1)).toBe(200)
  wick.write("settings.yaml", settingsFile("64m"))
  await until("all paths", async () => (await statusOf(3 * paths - 1)) === 200)
  await until("no problem", async () => (await wick.metric("wick_problems", 'code="no-room"')) === 0)
  expect(await sizeOf("routes")).toBeGreaterThan(4 * 2 ** 20)
})
