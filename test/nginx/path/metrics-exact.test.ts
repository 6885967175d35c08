// Counts of requests are the client's own, whatever happens to nginx meanwhile.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { signal } from "../../../harness/processes.ts"
import { scrape, sumOf, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
  await site.put(ingress("demo/app", "app.test/ → app:80"), ...site.service("app", "one"))
})
afterAll(() => site[Symbol.asyncDispose]())

/** Requests until `during` is done, in eight rows; those without an answer are lost: nobody can say whether they were counted. */
async function load(host: string, during: () => Promise<void>): Promise<{ answered: number; lost: number }> {
  const counts = { answered: 0, lost: 0 }
  let isOver = false
  const row = async () => {
    while (!isOver)
      await site.get("/", { host }).then(
        () => {
          counts.answered += 1
        },
        () => {
          counts.lost += 1
        },
      )
  }
  const rows = Array.from({ length: 8 }, row)
  await during()
  await until("an answer", () => counts.answered > 0)
  isOver = true
  await Promise.all(rows)
  return counts
}

const counted = async () => sumOf(await scrape(site.wick), "requests", { ingress: "app" })

test("over reloads every request is counted once", async () => {
  const before = await counted()
  const { answered, lost } = await load("app.test", async () => {
    for (let n = 0; n < 3; n += 1) await site.reconfigure({})
  })
  expect(lost).toBe(0)
  await untilSum(site.wick, "requests", { ingress: "app" }, before + answered)
})

test("killed workers take nothing with them but requests that had no answer", async () => {
  const before = await counted()
  const { answered, lost } = await load("app.test", async () => {
    for (let n = 0; n < 3; n += 1) {
      const [victim = 0] = site.wick.workers()
      signal(victim, "SIGKILL")
      await until("another worker", () => {
        const workers = site.wick.workers()
        return workers.length === 4 && !workers.includes(victim)
      })
    }
  })
  // An answer leaves before it is counted: a worker killed in between has one such request for each connection at most.
  const least = before + answered - 24
  await until("the counts to come in", async () => (await counted()) >= least)
  expect(await counted()).toBeLessThanOrEqual(before + answered + lost)
})

test("sizes are those of what was sent, and durations have one observation a request", async () => {
  const samples = await scrape(site.wick)
  const labels = { ingress: "app" }
  const requests = sumOf(samples, "requests", labels)
  for (const name of ["request_duration_seconds", "request_size", "response_size", "bytes_sent"])
    expect(Math.abs(sumOf(samples, `${name}_count`, labels) - requests), name).toBeLessThanOrEqual(3)
  const size = sumOf(samples, "request_size_sum", labels) / requests
  expect(size).toBeGreaterThan(30)
  expect(size).toBeLessThan(300)
})
