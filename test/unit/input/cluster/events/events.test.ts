import fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import { ClusterEvents } from "../../../../../controller/input/cluster/events/events.ts"
import { event, FakeApi, FakeTime, minute, second } from "./fake-api.ts"

let api: FakeApi
let time: FakeTime
let dropped: string[]
let complaints: string[]
let events: ClusterEvents

beforeEach(() => {
  api = new FakeApi()
  time = new FakeTime()
  dropped = []
  complaints = []
  events = new ClusterEvents({
    api,
    instance: "wick-0",
    log: { warn: (fields: { detail: string }) => complaints.push(fields.detail) } as never,
    dropped: (reason) => dropped.push(reason),
    time,
  })
})

const cart = event("Warning HostBad shop/cart")

/** Writes one, and lets everything happen that is due. */
async function write(...all: readonly Parameters<ClusterEvents["write"]>[0][]) {
  for (const one of all) events.write(one)
  await time.pass(0)
}

describe("an Event", () => {
  test("is made in the namespace of its object, with everything that kubectl describe shows", async () => {
    await write(cart)
    expect(api.requests).toEqual([
      {
        method: "POST",
        path: "/api/v1/namespaces/shop/events",
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { namespace: "shop", name: expect.stringMatching(/^cart\.[0-9a-f]{16}$/) },
          involvedObject: {
            apiVersion: "networking.k8s.io/v1",
            kind: "Ingress",
            namespace: "shop",
            name: "cart",
            uid: "uid-of-shop/cart",
          },
          type: "Warning",
          reason: "HostBad",
          message: "Why",
          count: 1,
          source: { component: "nginx-ingress-controller", host: "wick-0" },
          reportingComponent: "nginx-ingress-controller",
          reportingInstance: "wick-0",
          firstTimestamp: "2027-01-15T08:00:00.000Z",
          lastTimestamp: "2027-01-15T08:00:00.000Z",
        },
      },
    ])
  })

  test("about an object without namespace lies in default", async () => {
    const object = { kind: "Node", namespace: "", name: "n1", uid: "" }
    await write({ ...cart, object })
    const [{ path, body } = { path: "", body: {} }] = api.requests
    expect(path).toBe("/api/v1/namespaces/default/events")
    expect(body).toMatchObject({ involvedObject: { apiVersion: "v1", kind: "Node", name: "n1" } })
  })

  test("that happens again is counted by the one that is there", async () => {
    await write(cart)
    await time.pass(minute)
    await write(cart)
    const [made, changed] = api.requests
    expect(changed).toEqual({
      method: "PATCH",
      path: `${made?.path}/${(made?.body as { metadata: { name: string } }).metadata.name}`,
      contentType: "application/merge-patch+json",
      body: { message: "Why", count: 2, lastTimestamp: "2027-01-15T08:01:00.000Z" },
    })
  })

  test("that happens again before it was written is written once", async () => {
    for (let times = 0; times < 100; times += 1) events.write(cart)
    await time.pass(minute)
    expect(api.told()).toEqual(["100 × Warning HostBad cart: Why"])
    expect(api.requests).toHaveLength(1)
  })

  test("that the API server has forgotten is made anew", async () => {
    await write(cart)
    api.events.clear()
    await write(cart)
    await write(cart)
    expect(api.requests.map(({ method }) => method)).toEqual(["POST", "PATCH", "POST", "PATCH"])
    expect(api.told()).toEqual(["3 × Warning HostBad cart: Why"])
  })

  test("that happened long ago is another one", async () => {
    await write(cart)
    await time.pass(61 * minute)
    await write(cart)
    expect(api.told()).toEqual(["1 × Warning HostBad cart: Why", "1 × Warning HostBad cart: Why"])
  })

  test("with ever new messages becomes a combined one", async () => {
    for (let at = 1; at <= 14; at += 1) await write(event("Warning HostBad shop/cart", `No ${at}`))
    expect(api.told()).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `1 × Warning HostBad cart: No ${at + 1}`),
      "4 × Warning HostBad cart: (combined from similar events): No 14",
    ])
    await write(event("Warning HostBad shop/cart", "No 3"))
    expect(api.told()[2]).toBe("2 × Warning HostBad cart: No 3")
    await time.pass(11 * minute)
    await write(event("Warning HostBad shop/cart", "No 15"))
    expect(api.told().at(-1)).toBe("1 × Warning HostBad cart: No 15")
  })
})

describe("too many Events", () => {
  test("a loop of a thousand alternating ones a second costs 25 writes, and then one in five minutes", async () => {
    for (let at = 0; at < 60_000; at += 1) {
      events.write(event("Warning HostBad shop/cart", `No ${at % 2}`))
      await time.pass(1)
    }
    expect(api.requests.length).toBeLessThanOrEqual(26)
    expect(dropped.length).toBeGreaterThan(50_000)
    const before = api.requests.length
    await time.pass(5 * minute)
    await write(event("Warning HostBad shop/cart", "No 0"))
    expect(api.requests.length - before).toBe(1)
    // What was held back is in the count of the one that comes after it.
    expect(api.told()).toContain("30001 × Warning HostBad cart: No 0")
  })

  test("a failing reload a millisecond does so on the Pod, and keeps nobody else from being heard", async () => {
    for (let at = 0; at < 5000; at += 1) {
      events.write(event("Warning RELOAD wick/wick-0", `line ${at}`))
      await time.pass(1)
    }
    expect(api.requests.length).toBeLessThanOrEqual(26)
    expect(api.events.size).toBe(11)
    await write(cart)
    expect(api.told().at(-1)).toBe("1 × Warning HostBad cart: Why")
  })

  test("what is normal does not use up what Warnings need", async () => {
    for (let times = 0; times < 30; times += 1) await write(event("Normal Sync shop/cart", "x"))
    await write(cart)
    expect(api.told().at(-1)).toBe("1 × Warning HostBad cart: Why")
  })

  test("of many objects go out a hundred at once, then twenty a second, Warnings first", async () => {
    for (let at = 0; at < 200; at += 1) events.write(event(`Normal Sync shop/i${at}`))
    await time.pass(0)
    expect(api.requests).toHaveLength(100)
    events.write(cart)
    await time.pass(second)
    expect(api.requests).toHaveLength(120)
    expect(api.told()[100]).toBe("1 × Warning HostBad cart: Why")
    await time.pass(minute)
    expect(api.requests).toHaveLength(201)
    expect(dropped).toEqual([])
  })

  test("of 10,000 Ingresses at a start: the last thousand are told, none of the Warnings is lost", async () => {
    for (let at = 0; at < 10_000; at += 1) {
      events.write(event(`Normal Sync shop/i${at}`))
      if (at % 100 === 0) events.write(event(`Warning HostBad shop/i${at}`))
    }
    expect(dropped).toEqual(Array(9100).fill("overflow"))
    await time.pass(10 * minute)
    const told = api.told()
    expect(told.filter((line) => line.includes("Warning"))).toHaveLength(100)
    expect(told.at(-1)).toBe("1 × Normal Sync i9999: Why")
    expect(told).toHaveLength(1000)
  })

  test("whatever comes, no object and no second has more than its share", async () => {
    const happening = fc.record({
      afterMs: fc.oneof(fc.constant(0), fc.nat(2000), fc.nat(400_000)),
      type: fc.constantFrom("Normal", "Warning"),
      reason: fc.constantFrom("A", "B"),
      object: fc.nat(2),
      message: fc.nat(40),
      times: fc.integer({ min: 1, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (all) => {
        const [ownApi, ownTime] = [new FakeApi(), new FakeTime()]
        const sink = new ClusterEvents({
          api: ownApi,
          instance: "wick-0",
          log: { warn() {} },
          dropped() {},
          time: ownTime,
        })
        for (const { afterMs, type, reason, object, message, times } of all) {
          await ownTime.pass(afterMs)
          for (let at = 0; at < times; at += 1)
            sink.write(event(`${type} ${reason} shop/o${object}`, `${message + at}`))
        }
        await ownTime.pass(minute)
        const seconds = ownTime.now / second
        expect(ownApi.requests.length).toBeLessThanOrEqual(100 + 20 * seconds)
        // three objects, two types
        expect(ownApi.requests.length).toBeLessThanOrEqual(6 * (25 + seconds / 300))
      }),
      { numRuns: 50 },
    )
  })
})

describe("an API server that is unwell", () => {
  test("is asked eight times, with growing pauses, then the Event is dropped", async () => {
    api.trouble = () => ({ status: 0 })
    const times: number[] = []
    events.write(cart)
    for (let at = 0; at < 250; at += 1) {
      const before = api.requests.length
      await time.pass(second / 2)
      for (let more = before; more < api.requests.length; more += 1) times.push(Math.floor(time.now / second))
    }
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
    expect(dropped).toEqual(["failed"])
    expect(complaints).toEqual(["it is unwell"])
  })

  test("is left alone for as long as it asks", async () => {
    api.trouble = () => ({ status: 429, retryAfterMs: 20 * second })
    await write(cart)
    await time.pass(19 * second)
    expect(api.requests).toHaveLength(1)
    api.trouble = () => undefined
    await time.pass(2 * second)
    expect(api.told()).toEqual(["1 × Warning HostBad cart: Why"])
  })

  test("that is back has the Event once, with everything that was counted meanwhile", async () => {
    api.trouble = () => ({ status: 503 })
    await write(cart, cart)
    await write(cart)
    api.trouble = () => undefined
    await time.pass(minute)
    expect(api.told()).toEqual(["3 × Warning HostBad cart: Why"])
  })

  test("whose answer was lost has the Event once", async () => {
    api.losesAnswer = true
    await write(cart)
    api.losesAnswer = false
    await time.pass(minute)
    expect(api.requests.map(({ method }) => method)).toEqual(["POST", "POST"])
    expect([api.told(), dropped]).toEqual([["1 × Warning HostBad cart: Why"], []])
  })

  test("that takes an Event for wrong is not asked again", async () => {
    api.trouble = () => ({ status: 422, message: "it is invalid" })
    await write(cart)
    await time.pass(minute)
    expect([api.requests.length, dropped, complaints]).toEqual([1, ["failed"], ["it is invalid"]])
  })
})

describe("a namespace in which we may not write", () => {
  const forbidden = { status: 403, reason: "Forbidden", message: "events is forbidden" }

  test("is left alone for ten minutes, and the log hears of it once", async () => {
    api.trouble = ({ path }) => (path.includes("/shop/") ? forbidden : undefined)
    await write(cart)
    for (let at = 0; at < 20; at += 1) await write(event(`Warning HostBad shop/i${at}`))
    await write(event("Warning HostBad other/cart"))
    expect([api.requests.length, complaints]).toEqual([2, ["events is forbidden"]])
    expect(dropped).toEqual(Array(21).fill("refused"))
    api.trouble = () => undefined
    await time.pass(11 * minute)
    await write(event("Warning HostBad shop/late"))
    expect(api.told().at(-1)).toBe("1 × Warning HostBad late: Why")
  })

  test.each([
    { status: 403, message: 'namespace "shop" is being terminated: unable to create new content' },
    { status: 404, message: 'namespaces "shop" not found' },
  ])("because it ends is no news ($status)", async (trouble) => {
    api.trouble = () => trouble
    await write(cart)
    expect([complaints, dropped]).toEqual([[], ["refused"]])
  })
})

describe("the end", () => {
  test("of a term is the end of what was to be written in it, and of nothing else", async () => {
    const term = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    api.gate = promise
    events.write(cart, term.signal)
    events.write(event("Warning HostBad shop/next"), term.signal)
    events.write(event("Normal RELOAD wick/wick-0"))
    await time.pass(0)
    term.abort()
    resolve()
    await time.pass(minute)
    expect(api.told()).toEqual(["1 × Normal RELOAD wick-0: Why"])
    expect(api.requests).toHaveLength(2)
    expect(dropped).toEqual([])
  })

  test("of everything leaves nothing to be written", async () => {
    api.trouble = () => ({ status: 503 })
    await write(cart)
    events.close()
    api.trouble = () => undefined
    await write(event("Normal RELOAD wick/wick-0"))
    await time.pass(minute)
    expect(api.told()).toEqual([])
    expect(api.requests).toHaveLength(1)
  })
})
