import { expect, test } from "vitest"
import { activityBetween } from "../../../../../cli/commands/top/activity.ts"
import type { Snapshot } from "../../../../../cli/commands/top/snapshot.ts"
import type { EndpointCounts } from "../../../../../controller/model/endpoint-counts.ts"
import type { StreamCounters } from "../../../../../controller/model/stream-counters.ts"

const snapshot = (atMs: number, more: Partial<Snapshot> = {}): Snapshot => ({
  atMs,
  requests: undefined,
  times: [],
  endpoints: undefined,
  states: [],
  ports: [],
  zones: [],
  controller: undefined,
  ...more,
})
const requests = (ingress: string, status: string, count: number, host = "a.test") => ({
  ingress,
  host,
  status,
  count,
})
const attempts = (
  endpoint: string,
  attempts: number,
  more: Partial<EndpointCounts> = {},
): EndpointCounts => ({
  backend: "shop-80",
  endpoint,
  attempts,
  failures: {},
  responses: attempts,
  responseSeconds: attempts / 100,
  ...more,
})

test("requests are rates by Ingress and by host, with errors apart", () => {
  const before = snapshot(1000, { requests: [requests("shop/a", "200", 100)] })
  const after = snapshot(3000, {
    requests: [
      requests("shop/a", "200", 180),
      requests("shop/a", "503", 10),
      requests("shop/b", "4xx", 4),
      requests("shop/b", "200", 6, "b.test"),
    ],
  })
  const activity = activityBetween(before, after)
  expect(activity.seconds).toBe(2)
  expect(activity.requests).toEqual({ perSecond: 50, errorsPerSecond: 5, refusedPerSecond: 2, total: 200 })
  expect(activity.ingresses).toEqual([
    { name: "shop/a", perSecond: 45, errorsPerSecond: 5, refusedPerSecond: 0, total: 190 },
    { name: "shop/b", perSecond: 5, errorsPerSecond: 0, refusedPerSecond: 2, total: 10 },
  ])
  expect(activity.hosts?.map(({ name, perSecond }) => [name, perSecond])).toEqual([
    ["a.test", 47],
    ["b.test", 3],
  ])
})

test("what is not counted is absent, what is counted and did not happen is 0", () => {
  const nothing = activityBetween(snapshot(0), snapshot(1000))
  expect(nothing).toEqual({
    seconds: 1,
    countsEndpoints: false,
    backends: [],
    endpoints: [],
    ports: [],
    zones: [],
  })
  const counted = activityBetween(snapshot(0, { requests: [] }), snapshot(1000, { requests: [] }))
  expect(counted.requests).toEqual({ perSecond: 0, errorsPerSecond: 0, refusedPerSecond: 0, total: 0 })
})

test("counters that began anew count from there", () => {
  const activity = activityBetween(
    snapshot(0, { requests: [requests("a/b", "200", 1000)], endpoints: [attempts("10.0.0.1:80", 1000)] }),
    snapshot(1000, { requests: [requests("a/b", "200", 5)], endpoints: [attempts("10.0.0.1:80", 7)] }),
  )
  expect(activity.requests?.perSecond).toBe(5)
  expect(activity.endpoints[0]?.perSecond).toBe(7)
})

test("an endpoint has what was counted and what balancing knows; its backend has the sums", () => {
  const before = snapshot(0, { endpoints: [attempts("10.0.0.1:80", 100, { failures: { connect: 5 } })] })
  const after = snapshot(1000, {
    endpoints: [
      attempts("10.0.0.1:80", 200, { failures: { connect: 5, timeout: 2 }, responseSeconds: 3 }),
      attempts("10.0.0.2:80", 300, { responseSeconds: 0.3 }),
    ],
    states: [
      {
        name: "shop-80",
        algorithm: "p2c",
        endpoints: [
          { endpoint: "10.0.0.1:80", weight: 1, running: 4, ejectedMs: 5000 },
          { endpoint: "10.0.0.3:80", weight: 1, running: 1 },
        ],
      },
    ],
  })
  const { endpoints, backends } = activityBetween(before, after)
  expect(endpoints).toEqual([
    {
      backend: "shop-80",
      endpoint: "10.0.0.1:80",
      perSecond: 100,
      failuresPerSecond: 2,
      responseSeconds: 0.02,
      total: 200,
      running: 4,
      isEjected: true,
      notes: ["ejected for 5 s more"],
    },
    { backend: "shop-80", endpoint: "10.0.0.3:80", running: 1, isEjected: false, notes: [] },
    {
      backend: "shop-80",
      endpoint: "10.0.0.2:80",
      perSecond: 300,
      failuresPerSecond: 0,
      responseSeconds: 0.001,
      total: 300,
      isEjected: false,
      notes: [],
    },
  ])
  expect(backends).toEqual([
    {
      name: "shop-80",
      endpoints: 3,
      ejected: 1,
      perSecond: 400,
      failuresPerSecond: 2,
      total: 500,
      responseSeconds: expect.closeTo((100 * 0.02 + 300 * 0.001) / 400),
      running: 5,
    },
  ])
})

test("zones are as full as what is used of all that can be", () => {
  const zones = [{ name: "routes", size: 100, used: 20, free: 60, keys: 1 }]
  expect(activityBetween(snapshot(0), snapshot(1, { zones })).zones).toEqual([{ name: "routes", fill: 0.25 }])
})

test("sessions of ports are rates, and counters that begin anew are no negative ones", () => {
  const port = (sessions: number, more: Partial<StreamCounters> = {}): StreamCounters => ({
    ...{ protocol: "tcp", port: 5432, sessions, ended: sessions, failed: 0, refused: {} },
    ...{ receivedBytes: 0, sentBytes: 0, durationMs: 0, connected: 0, connectMs: 0 },
    ...more,
  })
  const before = snapshot(0, { ports: [port(10, { refused: { denied: 4 }, connected: 6, connectMs: 60 })] })
  const now = port(30, {
    ...{ ended: 27, failed: 2, refused: { denied: 8, rate: 2 }, connected: 16, connectMs: 80 },
    ...{ receivedBytes: 500, sentBytes: 5000 },
  })
  expect(activityBetween(before, snapshot(2000, { ports: [now] })).ports).toEqual([
    {
      name: "tcp:5432",
      ...{ perSecond: 10, failuresPerSecond: 1, refusedPerSecond: 3, open: 3, connectSeconds: 0.002 },
      ...{ receivedBytesPerSecond: 250, sentBytesPerSecond: 2500, total: 30 },
    },
  ])
  const [anew] = activityBetween(before, snapshot(1000, { ports: [port(3)] })).ports
  expect(anew).toMatchObject({ perSecond: 3, refusedPerSecond: 0, total: 3 })
})
