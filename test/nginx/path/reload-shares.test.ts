// What one namespace may cost all others by reloads: they are spaced out, and workers that they leave behind are bounded.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json, serviceOn } from "../../../harness/manifests.ts"
import { childrenOf, titleOf } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  // So few that the share of a namespace does not come back while the test runs.
  site = await Site.start(["one"], { flags: ["--sync-rate-limit=0.25"] })
})
afterAll(() => site[Symbol.asyncDispose]())

/** What is text of the configuration, another one each time. */
const asking = (index: number, namespace = "demo"): Json[] => [
  ...serviceOn(`${namespace}/app`, [site.backend("one").port]),
  ingress(`${namespace}/app`, `${namespace}.test/ → app:80`, {
    "backend-protocol": "FCGI",
    "fastcgi-index": `${index}.php`,
  }),
]

const isInForce = (index: number) => site.wick.conf().match(RegExp(`fastcgi_index "?${index}\\.php`)) !== null

test("reloads that only one namespace needs are spaced out, those of another one come at once", async () => {
  for (const index of [1, 2]) {
    await site.put(...asking(index))
    await until("the reload", () => isInForce(index))
  }
  await site.put(...asking(3))
  await site.untilSaid("these namespaces have had their share of reloads")
  expect(isInForce(3)).toBe(false)
  expect(await site.wick.metric("wick_problems", 'code="reload-waits"')).toBe(1)
  await site.put(...asking(3), ...asking(4, "other"))
  await until("the reload for the other one", () => isInForce(4))
  expect(isInForce(3)).toBe(true)
  await until(
    "no Problem",
    async () => (await site.wick.metric("wick_problems", 'code="reload-waits"')) === 0,
  )
})

test("workers of so many earlier configurations go on, older ones end", async () => {
  const workers = () =>
    childrenOf(site.wick.nginxPid ?? 0)
      .map(titleOf)
      .filter((title) => title.includes("worker"))
  const settings = { "worker-processes": "1", "max-worker-generations": "1" }
  await site.reconfigure(settings)
  await site.put(ingress("demo/app", "foo.test/ → app:80"), ...site.service("app", "one"))
  const backend = site.backend("one")
  await backend.fault("hold")
  const held: Promise<unknown>[] = []
  for (let round = 1; round <= 3; round += 1) {
    held.push(site.get("/").catch(() => "lost"))
    await until("it to be held", () => backend.running >= 1)
    await site.reconfigure({ ...settings, "keep-alive": String(60 + round) })
  }
  await until("the oldest to end", () => workers().length <= 2)
  await backend.fault(undefined)
  expect(await held[0]).toBe("lost")
  expect(await held[2]).toMatchObject({ status: 200 })
})
