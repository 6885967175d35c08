import { expect, test } from "vitest"
import { newMetrics, seriesOf, textOf } from "../../../support/measured-by.ts"

const prefix = "nginx_ingress_controller"

test("metrics say what was built, with the labels of ingress-nginx", async () => {
  const own = 'release="1.2.3",build="abc",repository="repo"'
  expect(await seriesOf(newMetrics(), `${prefix}_build_info`, own)).toBe(1)
})

test("metrics without --enable-metrics are those of the process", async () => {
  const metrics = newMetrics(false)
  metrics.declare.counter(`${prefix}_success`, "Reloads that worked")
  const text = await textOf(metrics)
  expect(text).toContain("process_cpu_seconds_total")
  expect(text).not.toContain(prefix)
  expect(await textOf(newMetrics())).toContain("process_cpu_seconds_total")
})
