import { expect, test } from "vitest"
import { problemMetrics } from "../../../../controller/report/problems/problem-metrics.ts"
import { newMetrics, seriesOf } from "../../../support/measured-by.ts"

test("metrics count the Problems that stand", async () => {
  const metrics = newMetrics()
  const standing = problemMetrics(metrics.declare)
  standing([{ code: "path-taken" }, { code: "host-refused" }, { code: "path-taken" }])
  standing([{ code: "path-taken" }, { code: "path-taken" }])
  expect(await seriesOf(metrics, "wick_problems", 'code="path-taken"')).toBe(2)
  expect(await seriesOf(metrics, "wick_problems", 'code="host-refused"')).toBeUndefined()
})
