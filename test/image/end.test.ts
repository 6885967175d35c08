// How a Pod ends: what the kubelet and hooks do to a container, and what its clients notice.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { ask } from "../../harness/http.ts"
import { until } from "../../harness/until.ts"
import { type Pod, startPod } from "./support/pod.ts"

let server: ApiServer

beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server?.stop())

/** A request that its backend answers when it is let go. */
async function openRequest(pod: Pod) {
  const [backend] = pod.backends
  if (backend === undefined) throw new Error("The Pod has no backend")
  const before = backend.requests
  await backend.fault("hold")
  const answer = pod.get("/", { timeoutMs: 120_000 })
  await until("the request to be under way", () => backend.requests > before)
  return { answer, letGo: () => backend.fault(undefined) }
}

const refuses = () =>
  ask({ port: 80 }, { host: "of-nobody.test" }).then(
    () => false,
    () => true,
  )

test("/wait-shutdown as preStop hook: new requests are served for a while, open ones to their end", async () => {
  await using pod = await startPod(server)
  const open = await openRequest(pod)
  const hook = pod.container.exec("/wait-shutdown")
  await until("health to fail", async () => (await ask({ port: 10254 }, { path: "/healthz" })).status === 500)
  const [first] = pod.backends
  await first?.fault(undefined)
  expect(await open.answer).toMatchObject({ status: 200, body: "one" })
  expect(await pod.get()).toMatchObject({ status: 200, headers: { connection: "close" } })
  // kubectl exec and runc wait no longer than the container lives, as the hook does.
  expect([0, 137, null]).toContain((await hook).code)
  expect(await pod.container.ended()).toBe(0)
})

test("SIGTERM of the kubelet: open requests end, and so does the container, with 0", async () => {
  await using pod = await startPod(server)
  const open = await openRequest(pod)
  pod.container.signal("SIGTERM")
  await until("new connections to be refused", refuses)
  expect(pod.container.hasEnded).toBe(false)
  await open.letGo()
  expect(await open.answer).toMatchObject({ status: 200, body: "one" })
  expect(await pod.container.ended()).toBe(0)
})

test("a hook of users, pkill -f nginx-ingress-controller, and then the kubelet's SIGTERM, cut nobody off", async () => {
  await using pod = await startPod(server)
  const open = await openRequest(pod)
  expect(await pod.container.exec("pkill", "-f", "nginx-ingress-controller")).toMatchObject({ code: 0 })
  await until("new connections to be refused", refuses)
  pod.container.signal("SIGTERM")
  expect(await pod.container.exec("pgrep", "-x", "nginx")).toMatchObject({ code: 0 })
  await open.letGo()
  expect(await open.answer).toMatchObject({ status: 200, body: "one" })
  expect(await pod.container.ended()).toBe(0)
})

test("another container in its place begins with what the emptyDir has of the one before", async () => {
  await using pod = await startPod(server)
  expect(await pod.container.stop()).toBe(0)
  await pod.restart()
  expect(await pod.get()).toMatchObject({ status: 200, body: "one" })
})
