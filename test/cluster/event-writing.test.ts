// Events in a real API server: what it takes, how it counts, and where it takes none.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import { ClusterEvents } from "../../controller/input/cluster/events/events.ts"
import type { ObjectEvent } from "../../controller/input/provider/event.ts"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import { ingress, settings } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { allowance } from "../support/clock.ts"

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server.stop())

/** A sink that writes to the server as the user of a kubeconfig. */
async function openSink(kubeconfig: string) {
  const access = await openAccess(
    { kubeconfig, apiserverHost: "", certificateAuthority: "" },
    { host: "", port: "" },
  )
  const api = new Client({ access, userAgent: "wick/test" })
  let requests = 0
  const counting: Pick<Client, "send"> = {
    send(request, signal) {
      requests += 1
      return api.send(request, signal)
    },
  }
  const dropped: string[] = []
  const complaints: string[] = []
  const events = new ClusterEvents({
    api: counting,
    instance: "wick-0",
    log: { warn: (fields: unknown) => complaints.push((fields as { detail: string }).detail) },
    dropped: (reason) => dropped.push(reason),
  })
  const close = () => {
    events.close()
    api.close()
  }
  return { events, dropped, complaints, requests: () => requests, [Symbol.dispose]: close }
}

async function makeIngress(name: string): Promise<ObjectEvent["object"]> {
  const [made] = await server.admin.apply(ingress(name, "cart.test/ → cart:80"))
  const [namespace = "", short = ""] = name.split("/")
  return { kind: "Ingress", namespace, name: short, uid: made?.metadata.uid ?? "" }
}

function warning(object: ObjectEvent["object"], message = "Why"): ObjectEvent {
  return { object, type: "Warning", reason: "HostBad", message }
}

/** As `kubectl describe` finds them. */
function eventsOf({ namespace, uid }: ObjectEvent["object"]): Promise<ApiObject[]> {
  return server.admin.list("Event", namespace, { fieldSelector: `involvedObject.uid=${uid}` })
}

test("are found by the object's uid, and count what happens again", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const cart = await makeIngress(`${await server.namespace("counted")}/cart`)
  sink.events.write(warning(cart))
  const [first] = await until("the Event", async () => {
    const found = await eventsOf(cart)
    return found.length > 0 && found
  })
  expect(first).toMatchObject({
    involvedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "cart" },
    type: "Warning",
    reason: "HostBad",
    message: "Why",
    count: 1,
    source: { component: "nginx-ingress-controller", host: "wick-0" },
    reportingComponent: "nginx-ingress-controller",
  })
  sink.events.write(warning(cart))
  const again = await until("it to be counted", async () => {
    const found = await eventsOf(cart)
    return found[0]?.count === 2 && found
  })
  expect(again).toHaveLength(1)
  expect(again[0]?.firstTimestamp).toBe(first?.firstTimestamp)
})

test("that the API server has forgotten are made anew", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const cart = await makeIngress(`${await server.namespace("forgotten")}/cart`)
  sink.events.write(warning(cart))
  const [{ metadata } = { metadata: { name: "" } }] = await until("the Event", async () => {
    const found = await eventsOf(cart)
    return found.length > 0 && found
  })
  await server.admin.delete("Event", `${cart.namespace}/${metadata.name}`)
  sink.events.write(warning(cart))
  await until("it to be there again", async () => (await eventsOf(cart))[0]?.count === 2)
})

test("of a long name, with a long message, and of an object without namespace are taken", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const namespace = await server.namespace("long")
  const long = await makeIngress(`${namespace}/${"a".repeat(253)}`)
  for (let at = 0; at < 12; at += 1) sink.events.write(warning(long, `${at} ${"€".repeat(340)}`))
  const node = { kind: "Node", namespace: "", name: "node-1", uid: "uid-of-the-node" }
  sink.events.write(warning(node))
  await until("all of them", async () => (await eventsOf(long)).length === 11)
  await until(
    "that of the Node",
    async () => (await eventsOf({ ...node, namespace: "default" })).length === 1,
  )
  expect(sink.dropped).toEqual([])
})

test("a loop of thousands costs a handful of writes", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const cart = await makeIngress(`${await server.namespace("loop")}/cart`)
  const more = allowance(1 / 300)
  await until("most of it to be dropped", () => {
    for (let at = 0; at < 200; at += 1) sink.events.write(warning(cart, `No ${at % 2}`))
    return sink.dropped.length > 5000
  })
  await until("both Events", async () => (await eventsOf(cart)).length === 2)
  expect(sink.requests()).toBeLessThanOrEqual(25 + more())
  expect(new Set(sink.dropped)).toEqual(new Set(["throttled"]))
})

test("in a namespace without permission are given up, with one line in the log; elsewhere they are written", async () => {
  const [open, shut] = [await server.namespace("open"), await server.namespace("shut")]
  const account = await server.serviceAccount(`${open}/wick`)
  await server.admin.apply(
    role(open, [{ apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "list"] }]),
    binding(open, account.user),
  )
  await until("the right to be in force", () =>
    account.client.list("Event", open).then(
      () => true,
      () => false,
    ),
  )
  using sink = await openSink(account.kubeconfig)
  const [inOpen, inShut] = [await makeIngress(`${open}/cart`), await makeIngress(`${shut}/cart`)]
  for (let times = 0; times < 3; times += 1) sink.events.write(warning(inShut, `No ${times}`))
  sink.events.write(warning(inOpen))
  await until("the Event where it may be", async () => (await eventsOf(inOpen)).length === 1)
  sink.events.write(warning(inOpen))
  await until("it to be counted", async () => (await eventsOf(inOpen))[0]?.count === 2)
  expect(sink.dropped).toEqual(["refused", "refused", "refused"])
  expect(sink.complaints).toEqual([expect.stringContaining("is forbidden")])
})

test("in a namespace that is being deleted are given up without a word", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const namespace = await server.namespace("ending")
  const cart = await makeIngress(`${namespace}/cart`)
  await server.admin.delete("Namespace", namespace)
  let probes = 0
  await until("nothing to be taken in it any more", () => {
    probes += 1
    return server.admin.apply(settings(`${namespace}/probe-${probes}`, {})).then(
      () => false,
      () => true,
    )
  })
  sink.events.write(warning(cart))
  await until("it to be given up", () => sink.dropped.length === 1)
  sink.events.write(warning({ ...cart, namespace: "never-there" }))
  await until("that of no namespace, too", () => sink.dropped.length === 2)
  expect([sink.dropped, sink.complaints]).toEqual([["refused", "refused"], []])
})

test("while the API server is away wait for it", async () => {
  using sink = await openSink(server.adminKubeconfig())
  const cart = await makeIngress(`${await server.namespace("away")}/cart`)
  await server.kill()
  for (let times = 0; times < 5; times += 1) sink.events.write(warning(cart))
  await server.start()
  await until("the Event", async () => (await eventsOf(cart))[0]?.count === 5)
  expect([sink.dropped, sink.complaints]).toEqual([[], []])
})

function role(namespace: string, rules: readonly object[]) {
  const metadata = { namespace, name: "wick" }
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules }
}

function binding(namespace: string, user: string) {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { namespace, name: "wick" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "wick" },
    subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
  }
}
