// nginx's master dies without being asked to.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, ingressClass, manifest, serviceOn } from "../../../harness/manifests.ts"
import { childrenOf, isRunning, signal, titleOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

let backends: Backends
let wick: Wick
const host = "shop.test"
const connections = 4

beforeAll(async () => {
  backends = await startBackends("one")
  await backends[0]?.fault(undefined)
  const services = serviceOn("shop/web", [backends[0]?.port ?? 0])
  const manifests = {
    "all.yaml": manifest(ingressClass, ...services, ingress("shop/web", `${host}/ → web:80`)),
  }
  wick = await startWick({ manifests })
})
afterAll(async () => {
  await wick.stop()
  await backends.stop()
})

async function isServing(): Promise<boolean> {
  const answer = await wick.get("/", { host }).catch(() => undefined)
  return answer?.status === 200
}

/** How often nginx has been started, up to the point where it serves. */
const starts = () => wick.log().split("Started nginx").length - 1

test("its workers end what they began, a new nginx serves everything, health says when", async () => {
  const master = wick.nginxPid ?? 0
  const orphans = childrenOf(master)
  await backends[0]?.fault(1500)
  const slow = wick.get("/", { host })
  await until("the slow request to be under way", () => (backends[0]?.requests ?? 0) > 0)
  signal(master, "SIGKILL")
  await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== master)
  const isAccepting = (pid: number) => titleOf(pid) === "nginx: worker process"
  await until("the orphans to stop accepting", () => !orphans.some(isAccepting))
  expect((await slow).body).toBe("one")
  await backends[0]?.fault(undefined)
  await until("it to serve", isServing)
  await until("the orphans to end", () => !orphans.some(isRunning))
  expect(await wick.metric("wick_nginx_restarts_total")).toBe(1)
})

test("nobody is refused or told that a host does not exist meanwhile", async () => {
  const master = wick.nginxPid ?? 0
  const before = starts()
  const load = startLoad({ port: wick.port, connections, keepAlive: false, question: () => ({ host }) })
  signal(master, "SIGKILL")
  await until("another nginx to serve", () => starts() > before)
  const { lost, statuses } = await load.stop()
  // A connection that waits at a socket of the orphans when they close it is reset by the kernel: nobody inherits that socket.
  expect(lost.filter(({ error }) => !error.includes("ECONNRESET"))).toEqual([])
  expect(lost.length).toBeLessThanOrEqual(connections)
  expect([...statuses.keys()]).toEqual([200])
})

test("killed again and again, with its workers, it comes back each time", async () => {
  for (let round = 0; round < 2; round += 1) {
    const master = wick.nginxPid ?? 0
    const family = [master, ...childrenOf(master)]
    for (const pid of family) signal(pid, "SIGKILL")
    await until("another nginx", () => wick.nginxPid !== undefined && wick.nginxPid !== master)
    await until("it to serve", isServing)
  }
})
