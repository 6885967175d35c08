import { expect, onTestFinished, test, vi } from "vitest"
import { passMetrics } from "../../../controller/sync/pass-metrics.ts"
import { reloadMetrics } from "../../../controller/sync/reload-metrics.ts"
import { fakeNow } from "../../support/clock.ts"
import { newMetrics, seriesOf } from "../../support/measured-by.ts"

test("metrics follow reloads", async () => {
  const metrics = newMetrics()
  const reloads = reloadMetrics(metrics.declare)
  const names = [
    "config_hash",
    "config_last_reload_successful",
    "config_last_reload_successful_timestamp_seconds",
    "success",
    "errors",
  ]
  const now = () => Promise.all(names.map((name) => seriesOf(metrics, `nginx_ingress_controller_${name}`)))
  reloads.reloaded(77, 5_000)
  expect(await now()).toEqual([77, 1, 5, 1, 0])
  reloads.reloadFailed()
  expect(await now()).toEqual([0, 0, 5, 1, 1])
  reloads.reloadNotNeeded(77)
  expect(await now()).toEqual([77, 1, 5, 1, 1])
})

test("metrics count a reload for each of its reasons", async () => {
  const metrics = newMetrics()
  reloadMetrics(metrics.declare).reloadedFor(["http.tls.ciphers", "new location", "new location"])
  const counted = (reason: string) => seriesOf(metrics, "wick_reloads_total", `reason="${reason}"`)
  expect([await counted("http.tls.ciphers"), await counted("new location")]).toEqual([1, 1])
})

test("metrics say how long changes took", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  onTestFinished(() => void vi.useRealTimers())
  const metrics = newMetrics()
  vi.advanceTimersByTime(10_000)
  passMetrics(metrics.declare).changed("post", [fakeNow() - 300, fakeNow() - 3000])
  const text = Buffer.from(await metrics.own("text")).toString()
  const counted = (le: string) =>
    Number(
      new RegExp(`^wick_change_duration_seconds_bucket{le="${le}",.*by="post"} (.*)$`, "m").exec(text)?.[1],
    )
  expect([counted("0.25"), counted("1"), counted("10")]).toEqual([0, 1, 2])
})
