// The controller dies, nginx stays: the next controller takes it over as it is.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { faultyBalancer } from "../../../harness/faulty.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
let wick: Wick
const host = "shop.test"

beforeAll(async () => {
  backends = await startBackends("one")
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const manifests = {
    "all.yaml": manifest(ingressClass, ...services, ingress("shop/web", `${host}/ → web:80`)),
  }
  wick = await startWick({ manifests, flags: ["--sync-rate-limit=100"] })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

const reloads = () => wick.metric("nginx_ingress_controller_success")

/** What the controller missed while it was dead. */
async function restartWith(change: () => void): Promise<void> {
  await wick.kill()
  change()
  await wick.start()
}

test("the same configuration stays in the same processes, and nobody notices", async () => {
  const before = { master: wick.nginxPid, workers: wick.workers() }
  const load = startLoad({ port: wick.port, pauseMs: 5, question: () => ({ host }) })
  await restartWith(() => {})
  const { lost, statuses } = await load.stop()
  expect({ master: wick.nginxPid, workers: wick.workers() }).toEqual(before)
  expect({ lost, statuses: [...statuses.keys()] }).toEqual({ lost: [], statuses: [200] })
  expect(await reloads()).toBe(0)
})

test("objects that came and went meanwhile are posted", async () => {
  const more = () => wick.write("more.yaml", manifest(ingress("shop/more", "more.test/ → web:80")))
  await restartWith(more)
  expect((await wick.get("/", { host: "more.test" })).status).toBe(200)
  await restartWith(() => wick.remove("more.yaml"))
  expect((await wick.get("/", { host: "more.test" })).status).toBe(404)
  expect(await reloads()).toBe(0)
})

test("a location that came meanwhile is loaded without losing a request", async () => {
  const load = startLoad({ port: wick.port, pauseMs: 5, question: () => ({ host }) })
  const old = ingress("shop/old", "old.test/ → web:80", { "proxy-http-version": "1.0" })
  await restartWith(() => wick.write("old.yaml", manifest(old)))
  expect((await wick.get("/", { host: "old.test" })).status).toBe(200)
  const { lost, statuses } = await load.stop()
  expect({ lost, statuses: [...statuses.keys()] }).toEqual({ lost: [], statuses: [200] })
  expect(await reloads()).toBe(1)
})

test("a location that nobody wants any more is no reason to reload", async () => {
  const { workers } = { workers: wick.workers() }
  await restartWith(() => wick.remove("old.yaml"))
  expect((await wick.get("/", { host: "old.test" })).status).toBe(404)
  expect(wick.workers()).toEqual(workers)
})

test("an nginx that is taken over is watched: when its master dies another one starts", async () => {
  const before = wick.nginxPid ?? 0
  signal(before, "SIGKILL")
  await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== before)
  await until("it to serve", async () => {
    const answer = await wick.get("/", { host }).catch(() => undefined)
    return answer?.status === 200
  })
})

test("a filter that rests after many faults is waited for", async () => {
  await using backends = await startBackends("one")
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const all = manifest(
    ingressClass,
    settings("shop/settings", { "worker-processes": "1" }),
    ...services,
    ingress("shop/web", `${host}/ → web:80`),
  )
  await using faulty = await startWick({
    manifests: { "all.yaml": all },
    flags: ["--configmap=shop/settings", "--sync-rate-limit=100", `--balancer=${await faultyBalancer()}`],
  })
  const trap = () => faulty.get("/", { host, headers: { "x-wick-fault": "trap" } })
  const isBack = async () => (await faulty.control("GET", "/configuration/names")).status === 200
  // Each time twice as long: after seven some three seconds, in which a controller starts.
  for (let faults = 0; faults < 6; faults += 1) {
    await trap()
    await until("the filter to be back", isBack)
  }
  await until("a fault that lasts", async () => {
    await trap()
    return !(await isBack())
  })
  await faulty.kill()
  await faulty.start()
  expect((await faulty.get("/", { host })).body).toBe("one")
  expect(await faulty.metric("nginx_ingress_controller_success")).toBe(0)
})
