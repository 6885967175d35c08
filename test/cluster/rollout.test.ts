// Another wick takes the place of one under load, by `helm upgrade` and `helm rollback`: a rolling update of its Deployment.
import { afterAll, beforeAll, expect, test } from "vitest"
import { balancerAddress } from "../kubelet/network.ts"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { type ApiServer, startApiServer } from "./support/api-server.ts"
import { expectNoLoss } from "./support/loss.ts"
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
