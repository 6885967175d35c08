// The same metrics as OpenMetrics, for those who ask for nothing else.
import { expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { ingress } from "../../../harness/manifests.ts"
import { linesIn } from "../../../harness/metric-families.ts"
import { untilSum } from "../../../harness/scraped.ts"
import { openMetricsTypes } from "../../support/openmetrics.ts"
import { Site } from "./site.ts"

const scrape = async ({ wick }: Site, accept: string) =>
  ask({ port: wick.healthPort }, { path: "/metrics", headers: { accept } })

/** Of requests, endpoints and Ingresses: those that nobody changes by looking. */
const isStill = (line: string) =>
  /^(nginx_ingress_controller_(requests|\w+_duration_seconds|\w+_size|bytes_sent|orphan_ingress|ssl)|wick_(request|endpoint|retries))/.test(
    line,
  )

test("OpenMetrics is what its reference parser takes, and has the series of the text", async () => {
  await using site = await Site.start(["one"], { flags: ["--metrics-per-endpoint"] })
  await site.put(...site.service("one", "one"), ingress("demo/app", "app.test/ → one:80"))
  for (let n = 0; n < 5; n += 1) await site.get("/", { host: "app.test" })
  await untilSum(site.wick, "requests", { ingress: "app" }, 5)
  const { headers, body } = await scrape(site, "application/openmetrics-text;version=1.0.0")
  expect(headers["content-type"]).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8")
  expect(openMetricsTypes(body)).toMatchObject({
    nginx_ingress_controller_requests: "unknown",
    nginx_ingress_controller_request_duration_seconds: "histogram",
    nginx_ingress_controller_nginx_process_connections: "gauge",
    nginx_ingress_controller_nginx_process_connections_total: "unknown",
    wick_reloads: "counter",
  })
  const text = linesIn((await scrape(site, "text/plain")).body).filter(isStill)
  expect(text.length).toBeGreaterThan(90)
  expect(linesIn(body).filter(isStill)).toEqual(text)
})
