// Another wick takes the place of one under load, as `helm upgrade` and `helm rollback` do it: by a rolling update of its Deployment.
import { afterAll, beforeAll, expect, test } from "vitest"
import { Node, nodeFlags } from "../kubelet/node.ts"
import { type Load, startLoad } from "../support/load.ts"
import { type ApiServer, startApiServer } from "./support/api-server.ts"
import { checkout, install, type Release, untilRolledOut } from "./support/release.ts"
import { Shop } from "./support/shop.ts"

let server: ApiServer
let node: Node

beforeAll(async () => {
  server = await startApiServer(...nodeFlags)
  node = await Node.start(server, { images: { "wick:1": checkout, "wick:2": checkout } })
})
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await server.stop()
})

test("an upgrade and a rollback of two replicas lose no request, over new and over kept connections", async () => {
  await using shop = await Shop.open(server)
  const release: Release = {
    namespace: shop.namespace,
    flags: ["--post-shutdown-grace-period=0"],
  }
  const address = await install(server, release)
  const target = { host: address, port: 80, connections: 4, pauseMs: 5, question: () => shop.question }
  const loads = [startLoad({ ...target, keepAlive: false }), startLoad(target)]
  const seen = new Set<string>()
  for (const image of ["wick:2", "wick:1"]) {
    for (const pod of node.pods) seen.add(pod.name)
    await install(server, { ...release, image })
    await untilRolledOut(server, node, release)
    for (const load of loads) expectNoLoss(load)
  }
  for (const pod of node.pods) expect(seen).not.toContain(pod.name)
  await Promise.all(loads.map((load) => load.stop()))
  for (const load of loads) expectNoLoss(load)
})

function expectNoLoss({ result }: Load): void {
  expect(result.lost).toEqual([])
  expect(result.resent).toBe(0)
  expect([...result.statuses.keys()]).toEqual([200])
}
