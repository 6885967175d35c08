// The flags that shape metrics of requests, and which metrics of ingress-nginx there are.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { ingress } from "../../../harness/manifests.ts"
import { root } from "../../../harness/paths.ts"
import { matching, scrape, sumOf, untilSum } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { Site } from "./site.ts"

test("classes of statuses, no hosts, metrics left out, buckets of one's own", async () => {
  const flags = [
    "--report-status-classes",
    "--metrics-per-host=false",
    "--exclude-socket-metrics=nginx_ingress_controller_bytes_sent,response_size",
    "--time-buckets=0.1,30",
  ]
  await using site = await Site.start(["one"], { flags })
  await site.put(ingress("demo/app", "app.test/ → app:80"), ...site.service("app", "one"))
  await site.get("/", { host: "app.test" })
  await untilSum(site.wick, "requests", { ingress: "app", status: "2xx" }, 1)
  await site.get("/", { host: "unknown.test" })
  // `put` asks hosts that are not there yet, too.
  const isCounted = async () => sumOf(await scrape(site.wick), "requests", { ingress: "", status: "4xx" }) > 0
  await until("a request without an Ingress", isCounted)
  const samples = await scrape(site.wick)
  expect(matching(samples, "requests", { ingress: "app" })[0]?.labels).not.toHaveProperty("host")
  expect(samples.some(({ name }) => /^(bytes_sent|response_size)/.test(name))).toBe(false)
  const bounds = matching(samples, "request_duration_seconds_bucket", { ingress: "app" })
  expect(bounds.map(({ labels }) => labels.le)).toEqual(["0.1", "30", "+Inf"])
})

test("hosts that no Ingress has are one, where they are asked for", async () => {
  await using site = await Site.start(["one"], { flags: ["--metrics-per-undefined-host"] })
  await site.put(ingress("demo/app", "app.test/ → app:80"), ...site.service("app", "one"))
  const labels = { ingress: "", host: "_", method: "PATCH" }
  for (const name of ["a", "b", "c"]) await site.get("/", { host: `${name}.test`, method: "PATCH" })
  await untilSum(site.wick, "requests", labels, 3)
})

const spec = join(root, "../shared/spec/metrics.json")

test.runIf(existsSync(spec))("every metric of ingress-nginx is there", async () => {
  await using site = await Site.start(["one"])
  await site.put(ingress("demo/app", "app.test/ → app:80"), ...site.service("app", "one"))
  await site.get("/", { host: "app.test" })
  await untilSum(site.wick, "requests", { ingress: "app" }, 1)
  const names = new Set((await scrape(site.wick)).map(({ name }) => name.replace(/_(bucket|sum|count)$/, "")))
  const wanted: { name: string }[] = JSON.parse(readFileSync(spec, "utf8"))
  const missing = wanted
    .map(({ name }) => name)
    .filter((name) => !/\*$|_admission_|_check_|leader_election|controller_errors$/.test(name))
    .filter((name) => !names.has(name.replace(/^nginx_ingress_controller_/, "")))
  expect(missing).toEqual([])
})
