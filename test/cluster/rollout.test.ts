// Another wick takes the place of one under load, by `helm upgrade` and `helm rollback`: a rolling update of its Deployment.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { podAddress, podPort } from "../../harness/cluster/pods.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, service, slice } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import { balancerAddress } from "../kubelet/network.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { letPass } from "../support/clock.ts"
import { EndlessPod, webSocket } from "./support/endless.ts"
import { images, Release } from "./support/release.ts"
import { controller, expectSeamlessUpdates } from "./support/updates.ts"

let server: ApiServer
let node: Node

beforeAll(async () => {
  server = await startApiServer(...nodeFlags)
  node = await Node.start(server, { images })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await server.stop()
})

test("an upgrade and a rollback of two replicas lose no request, over new and over kept connections", () =>
  expectSeamlessUpdates(server, node))

test("nor do they with other numbers of Pods that may come first and go first", async () => {
  const updateStrategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }
  await expectSeamlessUpdates(server, node, "one-by-one", { updateStrategy })
})

test("what takes long goes on in a Pod that ends: a download to its end, a WebSocket until the grace period is over", async () => {
  const graceSeconds = 40
  const namespace = await server.namespace("long")
  const name = `${namespace}/endless`
  await using pod = await EndlessPod.start(podAddress())
  await server.admin.apply(
    ingressClass,
    service(name, podPort),
    slice(name, [pod.address], podPort),
    // The WebSocket says nothing for as long as all of this takes.
    ingress(name, `${namespace}.test/ → endless:${podPort}`, { "proxy-read-timeout": "3600" }),
  )
  using release = new Release(server, node, "long")
  const alone = { ...controller, replicaCount: 1, ingressClassResource: { enabled: false } }
  const values = { ...alone, terminationGracePeriodSeconds: graceSeconds }
  await release.install({ controller: values })
  const host = balancerAddress(2)
  await release.publish(host)
  const question = { host: `${namespace}.test` }
  const download = ask({ host, port: 80 }, question)
  const { closedMs } = await webSocket(host, question.host)
  const [ending] = node.pods.filter((one) => one.name.startsWith("long/"))
  await release.upgrade({ controller: { ...values, image: { tag: "next" } } })
  const told = await until("the Pod to be told", () => ending?.times.told)
  // By then its listeners are closed, and nginx has been told to end.
  await letPass(12_000, "its listeners are closed")
  pod.finish()
  expect((await download).body).toMatch(/^(piece )+end$/)
  const openMs = (await closedMs) - told
  expect(openMs).toBeGreaterThan((graceSeconds - 2) * 1000)
  await until("the Pod to end", () => ending?.times.ended)
})
