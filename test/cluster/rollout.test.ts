// Another wick takes the place of one under load, by `helm upgrade` and `helm rollback`: a rolling update of its Deployment.
import { afterAll, beforeAll, expect, test } from "vitest"
import { balancerAddress } from "../kubelet/network.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { ask } from "../support/http.ts"
import { ingress, ingressClass, service, slice } from "../support/manifests.ts"
import { until } from "../support/until.ts"
import { type ApiServer, startApiServer } from "./support/api-server.ts"
import { EndlessPod, webSocket } from "./support/endless.ts"
import { expectNoLoss } from "./support/loss.ts"
import { podAddress, podPort } from "./support/pods.ts"
import { images, Release } from "./support/release.ts"
import { Shop } from "./support/shop.ts"

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

const address = balancerAddress(1)
const controller = { replicaCount: 2, extraArgs: { "post-shutdown-grace-period": "0" } }

test("an upgrade and a rollback of two replicas lose no request, over new and over kept connections", async () => {
  await using shop = await Shop.open(server)
  using release = new Release(server, node, "rollout")
  await release.install({ controller })
  await release.publish(address)
  const customers = shop.customers(address)
  const first = release.pods
  await release.upgrade({ controller: { ...controller, image: { tag: "next" } } })
  const second = release.pods.filter((pod) => !first.includes(pod))
  await release.rollback(1)
  await release.settled()
  expect(second).toHaveLength(2)
  for (const pod of release.pods) expect([...first, ...second]).not.toContain(pod)
  await expectNoLoss(customers)
})

test("what takes long goes on in a Pod that ends: a download to its end, a WebSocket until the grace period is over", async () => {
  const graceSeconds = 16
  const namespace = await server.namespace("long")
  const name = `${namespace}/endless`
  await using pod = await EndlessPod.start(podAddress())
  await server.admin.apply(
    ingressClass,
    service(name, podPort),
    slice(name, [pod.address], podPort),
    ingress(name, `${namespace}.test/ → endless:${podPort}`),
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
  // Its listeners are closed by now, and nginx has been told to end.
  await until("its listeners to be closed", () => performance.now() > told + 12_000)
  pod.finish()
  expect((await download).body).toMatch(/^(piece )+end$/)
  const openMs = (await closedMs) - told
  expect(openMs).toBeGreaterThan((graceSeconds - 2) * 1000)
  await until("the Pod to end", () => ending?.times.ended)
})
