// What happens on the way to the API server: connections are cut, refused, or lead nowhere. No request notices, and no change is lost.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../../harness/cluster/api-server.ts"
import { podPort } from "../../../harness/cluster/pods.ts"
import { slice } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { type Link, startLink } from "../support/link.ts"
import { type Site, startSite } from "../support/site.ts"

let server: ApiServer
let link: Link
let site: Site
beforeAll(async () => {
  server = await startApiServer()
  link = await startLink(server.port)
  site = await startSite(server, { via: link.url })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await link[Symbol.asyncDispose]()
  await server.stop()
})
beforeEach(() => site.counts())

test("connections that are cut again and again", async () => {
  for (const places of [[1], [0, 1], [2], [0]]) {
    link.reset()
    await site.setPods(...places)
    await site.settled()
  }
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("a connection that is cut in the middle of an object", async () => {
  const [pod] = site.pods
  // About 60 KB, so that the cut falls into it: a thousand endpoints of a Service that nobody asks.
  const addresses = Array.from({ length: 1000 }, (_, n) => `10.244.${100 + (n >> 8)}.${n & 255}`)
  const before = await site.failures("cut")
  link.resetAfter(20_000)
  await server.admin.apply(slice(`${site.namespace}/large`, addresses, podPort))
  await until("the cut", async () => (await site.failures("cut")) > before)
  await server.admin.apply(slice(`${site.namespace}/web`, [pod?.address ?? ""], podPort, "more"))
  await site.addHost("after-the-cut")
  await site.settled()
  await server.admin.delete("EndpointSlice", `${site.namespace}/web-more`)
  await site.settled()
  await site.expectNoLoss()
})

test("no connection at all for a while", async () => {
  const before = await site.failures("unreachable")
  await link.unplug()
  await site.setPods(0, 1, 2)
  await server.admin.delete("Ingress", `${site.namespace}/after-the-cut`)
  await until("several tries", async () => (await site.failures("unreachable")) > before + 20)
  await site.expectNoLoss()
  await link.plug()
  await site.settled()
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("revisions that are forgotten while the connection is away", async () => {
  await link.unplug()
  await site.setPods(1)
  await site.addHost("meanwhile")
  await server.admin.delete("Ingress", `${site.namespace}/first`)
  await site.addHost("first")
  // A server that starts now knows no revision but the present one: whoever wants to go on from before is answered 410.
  await server.kill()
  server.compact()
  await server.start()
  await link.plug()
  await site.settled()
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("packets that are lost without a word", async () => {
  const before = await site.failures("cut")
  const { connections } = link
  link.vanish()
  await site.setPods(0, 2)
  // The kernel asks after 15 s whether anybody is there, and gives up after ten more: only then is there anything to do about it.
  await until("the loss to be noticed", async () => (await site.failures("cut")) > before)
  await site.expectNoLoss()
  link.reappear()
  await site.settled()
  expect(link.connections).toBeGreaterThan(connections)
  await site.expectNoLoss()
})
