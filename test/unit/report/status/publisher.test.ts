import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Ingress } from "../../../../controller/model/objects/ingress.ts"
import { ingressStatus } from "../../../../controller/report/status/ingress-status.ts"
import { Publisher } from "../../../../controller/report/status/publisher.ts"
import { fakeNow } from "../../../support/clock.ts"
import { clusterOf } from "./cluster.ts"
import { FakeLeadership, FakeStatuses, ip, outage, refusal } from "./statuses.ts"

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Lets everything run that is due within so many milliseconds. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function ingress(name: string): Ingress {
  const meta = { namespace: "shop", name, uid: "", createdMs: 0, labels: {}, annotations: {} }
  return { kind: "Ingress", meta, rules: [], tls: [] }
}

/** A leader whose Ingresses `shop/<name>` have no status yet. */
function started(names: readonly string[], intervalSeconds = 60) {
  const world = notRead(names, intervalSeconds)
  world.publisher.changed()
  return world
}

/** The same before its objects have been read. */
function notRead(names: readonly string[], intervalSeconds = 60) {
  const statuses = new FakeStatuses()
  const leadership = new FakeLeadership()
  const log = { info: vi.fn(), warn: vi.fn() }
  const failed = vi.fn()
  const world = { names, address: "192.0.2.1" }
  const addresses = {
    publishStatusAddress: [],
    publishService: { namespace: "ingress", name: "lb" },
    reportNodeInternalIpAddress: false,
    pod: { namespace: "ingress", name: "wick-0" },
  }
  const service = (clusterIP: string) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "ingress", name: "lb" },
    spec: { type: "ClusterIP", clusterIP },
  })
  const snapshot = () => ({
    ...clusterOf(...(world.address === "" ? [] : [service(world.address)])),
    ingresses: world.names.map(ingress),
  })
  const publisher = new Publisher({
    kept: ingressStatus(snapshot, addresses, statuses),
    leadership,
    intervalSeconds,
    failed,
    log,
    random: () => 0,
  })
  for (const name of names) statuses.seen.set(`shop/${name}`, [])
  return { publisher, statuses, leadership, log, failed, world }
}

const many = Array.from({ length: 25 }, (_, at) => `cart-${at}`)
const sentences = (log: { mock: { calls: unknown[][] } }) => log.mock.calls.map((call) => call.at(-1))

describe("a round", () => {
  test("writes at the start of a term, and not before", async () => {
    const { statuses, leadership } = started(["a", "b"])
    await pass(120_000)
    expect(statuses.take()).toEqual([])
    leadership.begin()
    await pass(0)
    expect(statuses.writes[0]?.addresses).toEqual([ip("192.0.2.1")])
    expect(statuses.take()).toEqual(["shop/b", "shop/a"])
  })

  test("waits until all objects have been read", async () => {
    const { publisher, statuses, leadership } = notRead(["a"])
    leadership.begin()
    await pass(120_000)
    expect(statuses.take()).toEqual([])
    publisher.changed()
    await pass(1000)
    expect(statuses.take()).toEqual(["shop/a"])
  })

  test("writes only what differs, whatever the order", async () => {
    const { statuses, leadership, log } = started(["a", "b"])
    statuses.seen.set("shop/a", [ip("192.0.2.1")])
    statuses.seen.delete("shop/b")
    leadership.begin()
    await pass(0)
    expect(statuses.take()).toEqual([])
    expect(sentences(log.info)).toEqual([])
  })

  test("comes at every interval, and mends what somebody else wrote", async () => {
    const { statuses, leadership } = started(["a"])
    leadership.begin()
    await pass(0)
    statuses.take()
    statuses.seen.set("shop/a", [ip("203.0.113.1")])
    await pass(59_000)
    expect(statuses.take()).toEqual([])
    await pass(1000)
    expect(statuses.take()).toEqual(["shop/a"])
  })

  test.each([
    [1, 5000],
    [-7, 5000],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ])("an interval of %i s is one of %i ms", async (intervalSeconds, ms) => {
    const { statuses, leadership } = started(["a"], intervalSeconds)
    leadership.begin()
    await pass(0)
    statuses.take()
    statuses.seen.set("shop/a", [])
    await pass(ms - 1)
    expect(statuses.take()).toEqual([])
    await pass(1)
    expect(statuses.take()).toEqual(["shop/a"])
  })

  test("comes a second after a burst of changes, once", async () => {
    const { publisher, statuses, leadership, world } = started(["a"])
    leadership.begin()
    await pass(0)
    statuses.take()
    world.names = ["a", "b"]
    statuses.seen.set("shop/b", [])
    for (let at = 0; at < 9; at += 1) {
      publisher.changed()
      await pass(100)
    }
    expect(statuses.take()).toEqual([])
    await pass(100)
    expect(statuses.take()).toEqual(["shop/b"])
  })

  test("writes other addresses to all", async () => {
    const { publisher, statuses, leadership, world } = started(["a", "b"])
    leadership.begin()
    await pass(0)
    statuses.take()
    world.address = "192.0.2.2"
    publisher.changed()
    await pass(1000)
    expect(statuses.writes.map(({ addresses }) => addresses)).toEqual([[ip("192.0.2.2")], [ip("192.0.2.2")]])
  })

  test("writes nothing while the addresses are not known, and says so once if it lasts", async () => {
    const { statuses, leadership, log, world } = started(["a"])
    world.address = ""
    leadership.begin()
    await pass(59_000)
    expect(log.info).not.toHaveBeenCalled()
    await pass(180_000)
    expect(statuses.take()).toEqual([])
    const fields = { detail: 'there is no Service "ingress/lb"' }
    expect(log.info.mock.calls).toEqual([[fields, "Addresses for the status of Ingresses are not known"]])
  })

  test("has ten writes under way, and the next one when one of them ends", async () => {
    const { statuses, leadership } = started(many)
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    expect(statuses.writes).toHaveLength(10)
    statuses.writes[3]?.end()
    await pass(0)
    expect(statuses.writes).toHaveLength(11)
    for (let at = 0; at < many.length; at += 1) {
      statuses.writes[at]?.end()
      await pass(0)
    }
    expect(new Set(statuses.take())).toEqual(new Set(many.map((name) => `shop/${name}`)))
  })

  test("ends after a thousand, and the next one knows of what has changed meanwhile", async () => {
    const names = Array.from({ length: 2500 }, (_, at) => `cart-${at}`)
    const { publisher, statuses, leadership, world } = started(names)
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    world.names = [...names, "new"]
    world.address = "192.0.2.2"
    statuses.seen.set("shop/new", [])
    publisher.changed()
    statuses.answer = () => "done"
    for (const write of statuses.writes.splice(0)) write.end()
    await pass(10)
    const [first] = statuses.writes.splice(0, 990)
    expect(first?.addresses).toEqual([ip("192.0.2.1")])
    expect(statuses.writes[0]).toMatchObject({ ingress: "shop/new", addresses: [ip("192.0.2.2")] })
    expect(statuses.take()).toHaveLength(2501)
  })

  test("waits for the one before", async () => {
    const { publisher, statuses, leadership } = started(["a"])
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    publisher.changed()
    await pass(120_000)
    expect(statuses.writes).toHaveLength(1)
  })
})

describe("the end of a term", () => {
  test("in the middle of a round: nothing more is written, and nothing is complained about", async () => {
    const { publisher, statuses, leadership, log } = started(many)
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    leadership.end()
    expect(statuses.writes.map(({ signal }) => signal.aborted)).not.toContain(false)
    publisher.changed()
    await pass(120_000)
    expect(statuses.writes).toHaveLength(10)
    expect(log.warn).not.toHaveBeenCalled()
  })

  test("is not the last one: the next term begins with a round", async () => {
    const { statuses, leadership } = started(many)
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    leadership.end()
    statuses.take()
    statuses.answer = () => "done"
    leadership.begin()
    await pass(0)
    expect(statuses.take()).toHaveLength(many.length)
  })

  test("is over when the process stops", async () => {
    const { publisher, statuses, leadership } = started(many)
    statuses.answer = undefined
    leadership.begin()
    await pass(0)
    await publisher.stop()
    leadership.begin()
    await pass(120_000)
    expect(statuses.writes).toHaveLength(10)
  })
})

describe("an Ingress that is refused", () => {
  test("holds up no other, is tried again at the interval, and is told of once", async () => {
    const { publisher, statuses, leadership, log } = started(many)
    statuses.answer = (name) => (name === "shop/cart-3" ? refusal(name) : "done")
    leadership.begin()
    await pass(0)
    expect(statuses.take()).toHaveLength(many.length)
    publisher.changed()
    await pass(59_000)
    expect(statuses.take()).toEqual([])
    await pass(121_000)
    expect(statuses.take()).toEqual(["shop/cart-3", "shop/cart-3"])
    const fields = { ingresses: 1, detail: "shop/cart-3 is refused" }
    expect(log.warn.mock.calls).toEqual([[fields, "Cannot write the status of Ingresses"]])
  })

  test("is tried at once with other addresses", async () => {
    const { publisher, statuses, leadership, world } = started(["a"])
    statuses.answer = refusal
    leadership.begin()
    await pass(0)
    statuses.take()
    world.address = "192.0.2.2"
    publisher.changed()
    await pass(1000)
    expect(statuses.take()).toEqual(["shop/a"])
  })

  test("that is written in the end is told of, too", async () => {
    const { statuses, leadership, log } = started(["a"])
    statuses.answer = refusal
    leadership.begin()
    await pass(0)
    statuses.answer = () => "done"
    await pass(60_000)
    expect(sentences(log.info)).toEqual([
      "Wrote the status of Ingresses",
      "The status of Ingresses is written again",
    ])
  })
})

describe("an API server that does not answer", () => {
  test("ends the round; it is asked after 1 s, 2 s, 4 s … up to the interval", async () => {
    const { statuses, leadership, log } = started(many)
    const startMs = fakeNow()
    const triedMs = new Set<number>()
    statuses.answer = () => {
      triedMs.add(fakeNow() - startMs)
      return outage()
    }
    leadership.begin()
    await pass(130_000)
    expect([...triedMs]).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 63_000, 123_000])
    const fields = { ingresses: many.length, detail: "API server is down" }
    expect(log.warn.mock.calls).toEqual([[fields, "Cannot write the status of Ingresses"]])
  })

  test("is not asked by more than ten writes in a round", async () => {
    const { statuses, leadership } = started(many)
    statuses.answer = outage
    leadership.begin()
    await pass(0)
    expect(statuses.take().length).toBeLessThanOrEqual(10)
  })
})

test("a bug is passed on", async () => {
  const { statuses, leadership, failed } = started(["a"])
  statuses.answer = undefined
  leadership.begin()
  await pass(0)
  const bug = new TypeError("bug")
  statuses.writes[0]?.end(bug)
  await pass(0)
  expect(failed.mock.calls[0]?.[0]).toBe(bug)
})
