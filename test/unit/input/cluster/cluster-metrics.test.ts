import { expect, test } from "vitest"
import { clusterMetrics } from "../../../../controller/input/cluster/cluster-metrics.ts"
import { newMetrics, seriesOf } from "../../../support/measured-by.ts"

test("metrics count Events that were given up", async () => {
  const metrics = newMetrics()
  const cluster = clusterMetrics(metrics.declare)
  cluster.eventDropped("throttled")
  cluster.eventDropped("throttled")
  expect(await seriesOf(metrics, "wick_events_dropped_total", 'reason="throttled"')).toBe(2)
})

test("metrics tell of leadership once there was one", async () => {
  const metrics = newMetrics()
  const cluster = clusterMetrics(metrics.declare)
  const leads = () =>
    seriesOf(metrics, "nginx_ingress_controller_leader_election_status", 'name="ingress-controller-leader"')
  expect(await leads()).toBeUndefined()
  cluster.leads("ingress-controller-leader", true)
  expect(await leads()).toBe(1)
  cluster.leads("ingress-controller-leader", false)
  expect(await leads()).toBe(0)
})
