import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { ClientConnections } from "../../../../controller/model/client-connections.ts"
import type { FilterCounters } from "../../../../controller/model/filter-counters.ts"
import type { ResourceUse } from "../../../../controller/model/resource-use.ts"
import { createMetrics } from "../../../../controller/report/observe/metrics.ts"
import { fakeNow } from "../../../support/clock.ts"

const identity = { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress", pod: "wick-0" }
const build = { release: "1.2.3", build: "abc", repository: "repo" }
const labels =
  'controller_class="k8s.io/ingress-nginx",controller_namespace="ingress",controller_pod="wick-0"'
const metrics = (isEnabled = true) => createMetrics(identity, build, isEnabled)

const textOf = async (from: ReturnType<typeof metrics>) => Buffer.from(await from.own("text")).toString()

/** The value of one series, absent when it is not exported. */
async function value(from: ReturnType<typeof metrics>, series: string): Promise<number | undefined> {
  const line = (await textOf(from)).split("\n").find((line) => line.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const prefix = "nginx_ingress_controller"

describe("metrics", () => {
  test("say what was built, with the labels of ingress-nginx", async () => {
    const series = `${prefix}_build_info{release="1.2.3",build="abc",repository="repo",${labels}}`
    expect(await value(metrics(), series)).toBe(1)
  })

  test("follow reloads", async () => {
    const m = metrics()
    const now = async () =>
      Promise.all(
        [
          "config_hash",
          "config_last_reload_successful",
          "config_last_reload_successful_timestamp_seconds",
          "success",
          "errors",
        ].map((name) => value(m, `${prefix}_${name}{${labels}}`)),
      )
    m.reloaded(77, 5_000)
    expect(await now()).toEqual([77, 1, 5, 1, 0])
    m.reloadFailed()
    expect(await now()).toEqual([0, 0, 5, 1, 1])
    m.reloadNotNeeded(77)
    expect(await now()).toEqual([77, 1, 5, 1, 1])
  })

  test("say how long changes took, and count reloads for each of their reasons", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const m = metrics()
    vi.advanceTimersByTime(10_000)
    m.changed("post", [fakeNow() - 300, fakeNow() - 3000])
    m.reloadedFor(["http.tls.ciphers", "new policy", "new policy"])
    const counted = (le: string) =>
      value(m, `wick_change_duration_seconds_bucket{le="${le}",${labels},by="post"}`)
    expect([await counted("0.25"), await counted("1"), await counted("10")]).toEqual([0, 1, 2])
    const reloads = (reason: string) => value(m, `wick_reloads_total{reason="${reason}",${labels}}`)
    expect([await reloads("http.tls.ciphers"), await reloads("new policy")]).toEqual([1, 1])
  })

  test("say what the filter did while nginx answers", async () => {
    const m = metrics()
    let now: FilterCounters | undefined = { faults: 2, fallbacks: 3, instances: 5, repairs: 0 }
    m.observeFilter(async () => now)
    const shown = () =>
      Promise.all(
        ["wick_filter_faults_total", "wick_filter_fallbacks_total", "wick_zone_repairs_total"].map((name) =>
          value(m, `${name}{${labels}}`),
        ),
      )
    expect(await shown()).toEqual([2, 3, 0])
    now = undefined
    expect(await shown()).toEqual([undefined, undefined, undefined])
  })

  test("count Events that were given up", async () => {
    const m = metrics()
    m.eventDropped("throttled")
    m.eventDropped("throttled")
    expect(await value(m, `wick_events_dropped_total{reason="throttled",${labels}}`)).toBe(2)
  })

  test("count posts and the Problems that stand", async () => {
    const m = metrics()
    m.posted("applied", 0.002)
    m.posted("refused", 0.003)
    m.problems([{ code: "path-taken" }, { code: "host-refused" }, { code: "path-taken" }])
    m.problems([{ code: "path-taken" }, { code: "path-taken" }])
    expect(await value(m, `wick_posts_total{outcome="applied",${labels}}`)).toBe(1)
    expect(await value(m, `wick_post_duration_seconds_count{${labels}}`)).toBe(2)
    expect(await value(m, `wick_problems{code="path-taken",${labels}}`)).toBe(2)
    expect(await value(m, `wick_problems{code="host-refused",${labels}}`)).toBeUndefined()
  })

  test("tell of leadership once there was one", async () => {
    const m = metrics()
    const series = `${prefix}_leader_election_status{name="ingress-controller-leader",${labels}}`
    expect(await value(m, series)).toBeUndefined()
    m.leads("ingress-controller-leader", true)
    expect(await value(m, series)).toBe(1)
    m.leads("ingress-controller-leader", false)
    expect(await value(m, series)).toBe(0)
  })

  test("without --enable-metrics are those of the process", async () => {
    const text = await textOf(metrics(false))
    expect(text).toContain("process_cpu_seconds_total")
    expect(text).not.toContain(prefix)
    expect(await textOf(metrics())).toContain("process_cpu_seconds_total")
  })
})

describe("the numbers of nginx", () => {
  test("are read at each scrape, and missing while nginx does not answer", async () => {
    const m = metrics()
    let connections: ClientConnections | undefined = {
      ...{ active: 3, accepted: 10, handled: 9, requests: 42 },
      ...{ reading: 1, writing: 2, waiting: 0 },
    }
    let use: ResourceUse | undefined = {
      ...{ count: 3, oldestStartSeconds: 1, residentBytes: 4096, virtualBytes: 8192 },
      ...{ cpuSeconds: 2, readBytes: 5, writtenBytes: 6 },
    }
    m.observeNginx({ connections: async () => connections, resourceUse: async () => use })
    const shown = () =>
      Promise.all(
        [
          `requests_total{${labels}}`,
          `connections{state="active",${labels}}`,
          `resident_memory_bytes{${labels}}`,
        ].map((series) => value(m, `${prefix}_nginx_process_${series}`)),
      )
    expect(await shown()).toEqual([42, 3, 4096])
    expect(await shown()).toEqual([42, 3, 4096])
    connections = undefined
    use = undefined
    expect(await shown()).toEqual([undefined, undefined, undefined])
  })
})
