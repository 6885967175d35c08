// A thousand changes of EndpointSlices as fast as the API server takes them.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../../harness/cluster/api-server.ts"
import { podPort, sliceOf } from "../../../harness/cluster/pods.ts"
import { ingress, service } from "../../../harness/manifests.ts"
import { stopwatch } from "../../support/clock.ts"
import { type Site, startSite } from "../support/site.ts"

const services = Array.from({ length: 20 }, (_, n) => `many-${n}`)
const updates = 1000
/** Of which each is one or several of the pods. */
const subsets = [[0], [1], [0, 1], [2], [0, 2], [1, 2], [0, 1, 2]]

let server: ApiServer
let site: Site
beforeAll(async () => {
  server = await startApiServer()
  // So that what a slow API server takes does not come in one by one.
  site = await startSite(server, { flags: ["--sync-rate-limit=5"] })
  for (const name of services) {
    await server.admin.apply(
      service(`${site.namespace}/${name}`, podPort),
      sliceOf(`${site.namespace}/${name}`, site.pods.slice(0, 1)),
      ingress(`${site.namespace}/${name}`, `${name}.test/ → ${name}:${podPort}`),
    )
  }
  await site.settled()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await server.stop()
})

test("a burst of changes comes to the state it ends with, in far fewer posts and without a reload", async () => {
  await site.counts()
  let next = 0
  const update = async () => {
    while (next < updates) {
      const at = next
      next += 1
      // The Service that requests run for is among them.
      const name = at % 10 === 0 ? "web" : (services[at % services.length] ?? "")
      const subset = subsets[at % subsets.length] ?? []
      await server.admin.apply(
        sliceOf(
          `${site.namespace}/${name}`,
          site.pods.filter((_, n) => subset.includes(n)),
        ),
      )
    }
  }
  const all = stopwatch()
  await Promise.all(Array.from({ length: 8 }, update))
  const settling = stopwatch()
  await site.settled()
  const counts = await site.counts()
  console.info(
    `${updates} updates served after ${all()}, the last of them ${settling()} after it was written at most: ${counts.posts} posts`,
  )
  expect(counts.reloads).toBe(0)
  expect(counts.posts).toBeLessThan(updates / 2)
  await site.expectNoLoss()
})
