import { afterEach, describe, expect, test, vi } from "vitest"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import { withdraw } from "../../../../controller/report/status/withdraw.ts"
import type { Json } from "../../../../harness/manifests.ts"
import { balancer, clusterOf, node, pod } from "./cluster.ts"
import { FakeStatuses, ip, outage, refusal } from "./statuses.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

function ingress(name: string): Ingress {
  const meta = { namespace: "shop", name, uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "Ingress", meta, rules: [], tls: [] }
}

/** A replica that stops: two Ingresses say 192.0.2.1, one says nothing, one something else. */
function stopping(objects: readonly Json[], publishStatusAddress: readonly string[] = ["192.0.2.1"]) {
  const statuses = new FakeStatuses()
  const log = { info: vi.fn(), warn: vi.fn() }
  for (const name of ["a", "b"]) statuses.seen.set(`shop/${name}`, [ip("192.0.2.1")])
  statuses.seen.set("shop/none", [])
  statuses.seen.set("shop/other", [ip("203.0.113.1")])
  const names = ["a", "none", "other", "b", "gone"]
  const snapshot = { ...clusterOf(...objects), ingresses: names.map(ingress) }
  const addresses = {
    publishStatusAddress,
    publishService: undefined,
    reportNodeInternalIpAddress: false,
    pod: { namespace: "ingress", name: "wick-0" },
  }
  const ended = (stopNow = new AbortController().signal) =>
    withdraw({ snapshot, addresses, writer: statuses, log }, stopNow)
  return { statuses, log, ended }
}

describe("the last replica that stops", () => {
  test("empties what it would have written", async () => {
    const { statuses, log, ended } = stopping([pod("wick-0")])
    await ended()
    expect(statuses.writes.map(({ addresses }) => addresses)).toEqual([[], []])
    expect(statuses.take()).toEqual(["shop/a", "shop/b"])
    expect(log.info.mock.calls).toEqual([[{ ingresses: 2 }, "Emptied the status of Ingresses"]])
  })

  test.each([
    ["is being deleted", pod("wick-1", { isDeleted: true })],
    ["has ended", pod("wick-1", { phase: "Succeeded" })],
    ["has failed", pod("wick-1", { phase: "Failed" })],
    ["is another's", pod("shop-0", { labels: { app: "shop" } })],
  ])("is the last one beside a Pod that %s", async (_, other) => {
    const { statuses, ended } = stopping([pod("wick-0", { isDeleted: true }), other])
    await ended()
    expect(statuses.take()).toHaveLength(2)
  })

  test("empties all when it is not known what it would have written", async () => {
    const own = pod("wick-0", { ready: "False" })
    const { statuses, ended } = stopping([own, node("node-1", "ExternalIP 192.0.2.1")], [])
    await ended()
    expect(statuses.take()).toEqual(["shop/a", "shop/other", "shop/b"])
  })
})

describe("the status is left", () => {
  test.each([
    ["other replicas run (1)", [pod("wick-0"), pod("wick-1")]],
    ["other replicas run (1)", [pod("wick-0"), pod("wick-1", { phase: "Pending", ready: "False" })]],
    ["it is not known whether other replicas run", [pod("wick-1"), balancer({ type: "ClusterIP" })]],
  ])("when %s", async (detail, objects) => {
    const { statuses, log, ended } = stopping(objects)
    await ended()
    expect(statuses.take()).toEqual([])
    expect(log.info.mock.calls).toEqual([[{ detail }, "Left the status of Ingresses as it is"]])
  })

  test("when there is more than one address", async () => {
    const { statuses, log, ended } = stopping([pod("wick-0")], ["192.0.2.1", "192.0.2.2"])
    await ended()
    expect(statuses.take()).toEqual([])
    const detail = "there is more than one address"
    expect(log.info.mock.calls).toEqual([[{ detail }, "Left the status of Ingresses as it is"]])
  })
})

describe("what cannot be emptied is told of with a count", () => {
  test.each([
    ["one Ingress", (name: string) => (name === "shop/a" ? refusal(name) : "done"), 1, "shop/a is refused"],
    ["the API server", outage, 2, "API server is down"],
  ])("for %s", async (_, answer, ingresses, detail) => {
    const { statuses, log, ended } = stopping([pod("wick-0")])
    statuses.answer = answer
    await ended()
    expect(log.warn.mock.calls).toEqual([[{ ingresses, detail }, "Cannot empty the status of Ingresses"]])
  })

  test("when it takes longer than a minute", async () => {
    const { statuses, log, ended } = stopping([pod("wick-0")])
    statuses.answer = undefined
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort())
    await ended()
    expect(timeout.mock.calls).toEqual([[60_000]])
    expect(log.warn.mock.calls).toEqual([
      [{ ingresses: 2, detail: "time is over" }, "Cannot empty the status of Ingresses"],
    ])
  })

  test("when the process is to end at once", async () => {
    const { statuses, ended } = stopping([pod("wick-0")])
    statuses.answer = undefined
    const stopNow = new AbortController()
    const withdrawn = ended(stopNow.signal)
    await new Promise((resolve) => setImmediate(resolve))
    expect(statuses.take()).toHaveLength(2)
    stopNow.abort()
    await withdrawn
  })
})
