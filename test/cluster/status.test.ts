// The status of Ingresses in a real API server, with the rights of deploy/static/rbac.yaml.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { pathOf } from "../../harness/cluster/client.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import { type InCluster, startWickIn } from "../../harness/cluster/wick.ts"
import { ingress, ingressClass, type Json, service } from "../../harness/manifests.ts"
import { isRunning, signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"
import type { Wick } from "../../harness/wick.ts"
import { letPass } from "../support/clock.ts"

const published = "--publish-status-address=192.0.2.1"

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
  await server.admin.apply(ingressClass)
})
afterAll(() => server.stop())

/** Namespace of a test, with an Ingress `cart`, in which wick is `wick-0`. */
async function place(prefix: string): Promise<string> {
  const namespace = await server.namespace(prefix)
  await server.admin.apply(ingress(`${namespace}/cart`, `${namespace}.test/ → cart:${podPort}`))
  return namespace
}

function start(namespace: string, flags: readonly string[], options: InCluster = {}): Promise<Wick> {
  return startWickIn(server, { pod: `${namespace}/wick-0`, flags, ...options })
}

async function addresses(name: string): Promise<readonly Json[]> {
  return (await server.admin.get("Ingress", name))?.status.loadBalancer.ingress ?? []
}

const untilAddresses = (name: string, wanted: readonly Json[]) =>
  until(
    `status ${JSON.stringify(wanted)} of ${name}`,
    async () => JSON.stringify(await addresses(name)) === JSON.stringify(wanted),
  )

test("399: a load balancer's name and external IPs are listed, and followed, in Ingresses that come later, too", async () => {
  const namespace = await place("balancer")
  const balancer = `${namespace}/lb`
  const given = (hostname: string) =>
    server.admin.patch(
      "Service",
      balancer,
      { status: { loadBalancer: { ingress: [{ hostname }] } } },
      "status",
    )
  await server.admin.apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace, name: "lb" },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }], externalIPs: ["192.0.2.9"] },
  })
  await given("one.lb.test")
  await using wick = await start(namespace, [`--publish-service=${balancer}`])
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.9" }, { hostname: "one.lb.test" }])
  await given("two.lb.test")
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.9" }, { hostname: "two.lb.test" }])
  await server.admin.apply(ingress(`${namespace}/late`, `late.test/ → cart:${podPort}`))
  await untilAddresses(`${namespace}/late`, [{ ip: "192.0.2.9" }, { hostname: "two.lb.test" }])
  expect(wick.log()).not.toContain("Cannot write")
})

test("the rest of an Ingress stays as it is, and its status is none of the changes that nginx hears of", async () => {
  const namespace = await place("rest")
  await using wick = await start(namespace, [published])
  const before = await server.admin.get("Ingress", `${namespace}/cart`)
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.1" }])
  const passes = await wick.metric("wick_pass_duration_seconds_count")
  const after = await server.admin.get("Ingress", `${namespace}/cart`)
  expect({ spec: after?.spec, labels: after?.metadata.labels }).toEqual({
    spec: before?.spec,
    labels: before?.metadata.labels,
  })
  await server.admin.patch("Ingress", `${namespace}/cart`, { status: { loadBalancer: null } }, "status")
  await server.admin.apply(ingress(`${namespace}/late`, "rest-late.test/ → cart:80"))
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.1" }])
  await untilAddresses(`${namespace}/late`, [{ ip: "192.0.2.1" }])
  const passed = () => wick.metric("wick_pass_duration_seconds_count")
  await until("the pass for it to be counted", async () => (await passed()) > passes)
  expect(await passed()).toBe(passes + 1)
})

test("what somebody else writes is mended with the next interval", async () => {
  const namespace = await place("mended")
  await using _ = await start(namespace, [published, "--status-update-interval=1"])
  const cart = `${namespace}/cart`
  await untilAddresses(cart, [{ ip: "192.0.2.1" }])
  const other = { status: { loadBalancer: { ingress: [{ ip: "203.0.113.1" }] } } }
  // It may be mended by the time that anybody asks.
  expect(await server.admin.patch("Ingress", cart, other, "status")).toMatchObject(other)
  await untilAddresses(cart, [{ ip: "192.0.2.1" }])
})

test("401: of two replicas, one stops: the status stays; the last one stops: it is emptied", async () => {
  const namespace = await place("replicas")
  const cart = `${namespace}/cart`
  const [one, two] = await Promise.all([
    start(namespace, [published]),
    start(namespace, [published], { pod: `${namespace}/wick-1` }),
  ])
  await using first = one
  await using second = two
  await untilAddresses(cart, [{ ip: "192.0.2.1" }])
  expect(await first.stop()).toBe(0)
  await until("the reason", () => first.log().includes("other replicas run (1)"))
  expect(await addresses(cart)).toEqual([{ ip: "192.0.2.1" }])
  await removePod(`${namespace}/wick-0`, 0)
  await until("the last one to lead", async () => (await second.metric(leads)) === 1)
  expect(await second.stop()).toBe(0)
  expect(await addresses(cart)).toEqual([])
})

const leads = "nginx_ingress_controller_leader_election_status"

/** Marks it as being deleted; without time left there is no kubelet that has to confirm it. */
function removePod(pod: string, seconds: number): Promise<unknown> {
  return server.admin.send("DELETE", pathOf("Pod", pod), { query: { gracePeriodSeconds: String(seconds) } })
}

test("two replicas that stop together leave nothing behind, whether or not they lead", async () => {
  const namespace = await place("together")
  const [one, two] = await Promise.all([
    start(namespace, [published]),
    start(namespace, [published], { pod: `${namespace}/wick-1` }),
  ])
  await using first = one
  await using second = two
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.1" }])
  for (const pod of [`${namespace}/wick-0`, `${namespace}/wick-1`]) {
    // a Pod without a Node is gone at once
    await bind(pod, "node-0")
    await removePod(pod, 30)
  }
  await Promise.all([first.stop(), second.stop()])
  expect(await addresses(`${namespace}/cart`)).toEqual([])
})

test("an API server that says nothing holds up no end that is asked for twice", async () => {
  const namespace = await place("frozen")
  await using wick = await start(namespace, [published])
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.1" }])
  await server.freeze()
  try {
    const { pid } = wick
    signal(pid, "SIGTERM")
    await until("nginx to end", () => wick.nginxPid === undefined)
    expect(isRunning(pid)).toBe(true)
    signal(pid, "SIGTERM")
    await until("the controller to end", () => !isRunning(pid))
  } finally {
    server.thaw()
  }
})

test("--update-status-on-shutdown=false leaves it", async () => {
  const namespace = await place("left")
  await using wick = await start(namespace, [published, "--update-status-on-shutdown=false"])
  await untilAddresses(`${namespace}/cart`, [{ ip: "192.0.2.1" }])
  await wick.stop()
  expect(await addresses(`${namespace}/cart`)).toEqual([{ ip: "192.0.2.1" }])
})

test("402: without leader election requests are routed and no status is written", async () => {
  const namespace = await place("alone")
  await using pods = await startPods("one")
  await server.admin.apply(service(`${namespace}/cart`, podPort), sliceOf(`${namespace}/cart`, pods))
  await using wick = await start(namespace, [published, "--disable-leader-election"])
  const host = `${namespace}.test`
  await until("the pod to answer", async () => (await wick.get("/", { host })).body === "one")
  await letPass(3000, "a first round, if there were one, writes addresses")
  await wick.stop()
  expect(await addresses(`${namespace}/cart`)).toEqual([])
})

test("without a flag, addresses are those of the Nodes of ready replicas", async () => {
  const namespace = await place("nodes")
  const cart = `${namespace}/cart`
  await makeNode("node-1", [
    { type: "InternalIP", address: "10.0.0.1" },
    { type: "ExternalIP", address: "192.0.2.1" },
  ])
  await makeNode("node-2", [{ type: "InternalIP", address: "10.0.0.2" }])
  const flags = ["--status-update-interval=5"]
  await using wick = await start(namespace, flags, { labels: { app: "wick", "pod-template-hash": "1" } })
  await bind(`${namespace}/wick-0`, "node-1")
  await untilAddresses(cart, [{ ip: "192.0.2.1" }])
  await server.admin.apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: "wick-1", labels: { app: "wick", "pod-template-hash": "2" } },
    spec: { nodeName: "node-2", containers: [{ name: "controller", image: "wick" }] },
  })
  await setReady(`${namespace}/wick-1`, true)
  await untilAddresses(cart, [{ ip: "10.0.0.2" }, { ip: "192.0.2.1" }])
  await setReady(`${namespace}/wick-1`, false)
  await untilAddresses(cart, [{ ip: "192.0.2.1" }])
  await setReady(`${namespace}/wick-0`, false)
  await until("no replica to be ready", () => wick.log().includes("no replica is ready"))
  expect(await addresses(cart)).toEqual([{ ip: "192.0.2.1" }])
})

async function makeNode(name: string, nodeAddresses: readonly Json[]): Promise<void> {
  await server.admin.apply({ apiVersion: "v1", kind: "Node", metadata: { name } })
  await server.admin.patch("Node", name, { status: { addresses: nodeAddresses } }, "status")
}

/** As the scheduler does. */
async function bind(pod: string, node: string): Promise<void> {
  const [namespace, name] = pod.split("/")
  const target = { apiVersion: "v1", kind: "Node", name: node }
  const body = { apiVersion: "v1", kind: "Binding", metadata: { namespace, name }, target }
  await server.admin.send("POST", `${pathOf("Pod", pod)}/binding`, { body })
}

async function setReady(pod: string, isReady: boolean): Promise<void> {
  const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }]
  await server.admin.patch("Pod", pod, { status: { phase: "Running", conditions } }, "status")
}
