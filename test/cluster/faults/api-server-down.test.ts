// The API server is killed, is away for a while, or stands still. What was known is served all the while, and what changed meanwhile arrives.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../../harness/cluster/api-server.ts"
import { until } from "../../../harness/until.ts"
import { letPass } from "../../support/clock.ts"
import { type Site, startSite } from "../support/site.ts"

let server: ApiServer
let site: Site
beforeAll(async () => {
  server = await startApiServer()
  site = await startSite(server)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server.stop()
})
beforeEach(() => site.counts())

const aWhile = (ms: number) =>
  letPass(ms, "who lost the API server notices, and begins to do the wrong thing")

test("a change made right after a restart arrives", async () => {
  for (const [round, places] of [[1], [0, 2], [0]].entries()) {
    await server.kill()
    await server.start()
    await site.setPods(...places)
    await site.addHost(`restart-${round}`)
    await site.settled()
  }
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})

test("what is deleted in the moment of a restart goes", async () => {
  await site.addHost("gone")
  await site.settled()
  await server.admin.delete("Ingress", `${site.namespace}/gone`)
  await server.kill()
  await server.start()
  await site.settled()
  await site.expectNoLoss()
})

test("what was known is served while there is no API server", async () => {
  await site.setPods(0, 1)
  await site.settled()
  await server.kill()
  await aWhile(5000)
  await site.expectNoLoss()
  expect((await site.wick.get("/", { host: "first.test" })).status).toBe(200)
  await server.start()
  await site.setPods(2)
  await site.settled()
  await site.expectNoLoss()
  let posts = 0
  // A post is counted after it is in force.
  await until("both posts to be counted", async () => {
    const more = await site.counts()
    expect(more.reloads).toBe(0)
    posts += more.posts
    return posts >= 2
  })
  expect(posts).toBe(2)
})

test("a controller started while there is no API server begins when there is one", async () => {
  await server.kill()
  const nginx = site.wick.nginxPid
  await site.wick.kill()
  const started = site.wick.start()
  await aWhile(2000)
  expect(site.wick.nginxPid).toBe(nginx)
  await site.expectNoLoss()
  await server.start()
  await started
  await site.setPods(0)
  await site.settled()
  await site.expectNoLoss()
})

test("an API server that stands still for 30 s changes nothing", async () => {
  await server.freeze()
  await aWhile(30_000)
  server.thaw()
  await site.setPods(0, 1, 2)
  await site.settled()
  await site.expectNoLoss()
  expect((await site.counts()).reloads).toBe(0)
})
