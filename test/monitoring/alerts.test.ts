// Alerting rules: Prometheus takes them, each fires when it should and not before, and says what people read.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { alerts } from "../../build/alerts/rules.ts"
import { root } from "../../harness/paths.ts"
import { promtool } from "../support/prometheus.ts"
import { type AlertCase, alertCases } from "./alert-cases.ts"

const rules = join(root, "deploy/alerts/wick.yaml")
const dir = mkdtempSync(join(tmpdir(), "wick-alerts-"))
afterAll(() => rmSync(dir, { recursive: true }))

const run = promisify(execFile)

/** @returns what promtool has against it */
async function complaints(...args: readonly string[]): Promise<string> {
  const failed = await run(promtool(), args).then(
    () => undefined,
    (error: { stdout: string; stderr: string }) => error,
  )
  return failed === undefined ? "" : `${failed.stdout}${failed.stderr}`
}

test("Prometheus takes the rules", async () => {
  expect(await complaints("check", "rules", "--lint=all", "--lint-fatal", rules)).toBe("")
})

test("every alert has a case in which it fires", () => {
  const fired = new Set(alertCases.filter(({ fires }) => fires !== undefined).map(({ alert }) => alert))
  expect(alerts.filter(({ name }) => !fired.has(name))).toEqual([])
})

test.each(alertCases.map((one, at) => [one.alert, at, one] as const))("%s (%i)", async (_, at, one) => {
  const file = join(dir, `${at}.json`) // YAML, too
  writeFileSync(file, JSON.stringify(testOf(one)))
  expect(await complaints("test", "rules", file)).toBe("")
})

/** Source: Prometheus, "Unit testing for rules". */
function testOf({ alert, series, quiet = [], fires, labels = {}, summary }: AlertCase): object {
  const { severity = "", says = "" } = alerts.find(({ name }) => name === alert) ?? {}
  const told = { exp_labels: { ...labels, severity }, exp_annotations: { summary, description: says } }
  const at = (minute: number, exp_alerts: readonly object[]) => ({
    eval_time: `${minute}m`,
    alertname: alert,
    exp_alerts,
  })
  return {
    rule_files: [rules],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          ...quiet.map((minute) => at(minute, [])),
          ...(fires === undefined ? [] : [at(fires, [told])]),
        ],
      },
    ],
  }
}
