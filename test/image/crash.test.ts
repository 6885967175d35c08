// What crashes in a container, and what comes after.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { startLoad } from "../../harness/load.ts"
import { settings } from "../../harness/manifests.ts"
import { isRunning, signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer
let pod: Pod

beforeAll(async () => {
  server = await startApiServer()
  pod = await startPod(server, { configmap: "settings" })
})
afterAll(async () => {
  await pod?.stop()
  await server?.stop()
})

const only = (title: RegExp) => {
  const pids = pod.container.pidsOf(title)
  expect(pids).toHaveLength(1)
  return pids[0] ?? 0
}
const master = /^nginx: master/
const worker = /^nginx: worker process$/
const serves = async () => (await pod.get().catch(() => undefined))?.status === 200

test("a reload loses no request", async () => {
  const before = pod.container.pidsOf(worker)
  const load = startLoad({ port: 80, connections: 4, pauseMs: 5, question: () => ({ host: "first.test" }) })
  await server.admin.apply(settings(`${pod.namespace}/settings`, { "keep-alive": "71" }))
  await until("other workers", () => !before.some(isRunning))
  const { lost, statuses } = await load.stop()
  expect([lost, [...statuses.keys()]]).toEqual([[], [200]])
})

test("a worker that dies has a successor, and PID 1 no zombies", async () => {
  const before = pod.container.pidsOf(worker)
  signal(before[0] ?? 0, "SIGKILL")
  await until("another worker", () => pod.container.pidsOf(worker).some((pid) => !before.includes(pid)))
  await until("it to serve", serves)
  await until("the dead to be reaped", () => pod.container.pids().every(isRunning))
})

test("nginx that dies is started again, and its workers are reaped", async () => {
  const before = only(master)
  signal(before, "SIGKILL")
  await until("another master", () => pod.container.pidsOf(master).some((pid) => pid !== before))
  await until("it to serve", serves)
  await until("the dead to be reaped", () => pod.container.pids().every(isRunning))
  expect(pod.container.hasEnded).toBe(false)
})

test("a controller that dies ends the container, and the next one serves", async () => {
  signal(only(/^\/nginx-ingress-controller /), "SIGKILL")
  expect(await pod.container.ended()).toBe(137)
  await pod.restart()
  expect(await serves()).toBe(true)
})
