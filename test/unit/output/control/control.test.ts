import { beforeEach, describe, expect, test } from "vitest"
import { lingerMs } from "../../../../controller/output/control/linger.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { backend, host, live, nothing } from "./live.ts"
import { type StartedControl, shop, startControl } from "./started-control.ts"

let fake: StartedControl["fake"]
let control: StartedControl["control"]
let clock: StartedControl["clock"]
let outcomes: StartedControl["outcomes"]
let to: StartedControl["to"]
beforeEach(async () => {
  const started = await startControl()
  ;({ fake, control, clock, outcomes, to } = started)
  return started.stop
})

describe("the first change", () => {
  test("sets everything and removes what nobody wants, backends later than routes", async () => {
    fake.zones.backends.set("old", {})
    fake.zones.routes.set("main/old.test", {})
    expect(await to(shop)).toEqual({ inForce: shop, refusals: [] })
    expect([...fake.zones.routes.keys()]).toEqual(["main/a.test", "main/b.test"])
    expect([...fake.zones.backends.keys()]).toEqual(["old", "a", "b"])
    clock.nowMs = lingerMs
    expect(await control.removeDue()).toEqual({ hasMadeRoom: true, nextMs: undefined })
    expect([...fake.zones.backends.keys()]).toEqual(["a", "b"])
  })

  test("is full even when there is nothing to set, and the next one builds on it", async () => {
    fake.zones.routes.set("main/old.test", {})
    await to(nothing)
    expect(fake.zones.routes.size).toBe(0)
    expect(control.isInStep).toBe(true)
    await to(shop)
    expect(fake.posted.at(-1)?.base).not.toBeNull()
  })

  test("comes in parts that build on each other", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => backend(`backend-${at}`.padEnd(200, "x"), 1))
    await to(live(many, []))
    expect(fake.zones.backends.size).toBe(3000)
    expect(fake.posted.length).toBeGreaterThan(2)
    const bases = fake.posted.map(({ base }) => base)
    expect(bases).toEqual([null, ...fake.posted.slice(0, -1).map(({ generation }) => generation)])
  })
})

describe("a further change", () => {
  test("posts only what differs", async () => {
    await to(shop)
    const wanted = live([backend("a", 1, 3), backend("b", 2)], shop.hosts)
    await to(wanted, shop)
    expect(fake.posted.at(-1)?.backends.set).toEqual([expect.objectContaining({ name: "a" })])
    expect(fake.posted.at(-1)?.routes).toEqual({ set: [], remove: [] })
  })

  test("that is empty posts nothing", async () => {
    await to(shop)
    const { length } = fake.posted
    await to(shop, shop)
    expect(fake.posted).toHaveLength(length)
  })

  test("on another generation than expected becomes a full one", async () => {
    await to(shop)
    fake.generation = "somebody-else"
    fake.zones.backends.clear()
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    expect(await to(wanted, shop)).toEqual({ inForce: wanted, refusals: [] })
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b", "c"])
  })

  test("whose answer was lost is sent again and counts once", async () => {
    await to(shop)
    fake.breaks = 1
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    expect((await to(wanted, shop)).inForce).toEqual(wanted)
    expect(outcomes).toEqual(["applied", "applied"])
    fake.breaks = 0
    expect((await to(shop, wanted)).inForce).toEqual(shop)
  })

  test("without any answer is a failure, and the next one is full", async () => {
    await to(shop)
    fake.breaks = 2
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    await expect(to(wanted, shop)).rejects.toMatchObject({ code: "control-lost" })
    expect(control.isInStep).toBe(false)
    await to(shop, shop)
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b", "c"])
    clock.nowMs = lingerMs
    await control.removeDue()
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b"])
  })
})

test("an nginx that was started is asked over a connection of its own, and gets everything", async () => {
  await to(shop)
  const { connections } = fake
  control.startAnew()
  fake.zones.backends.clear()
  fake.zones.routes.clear()
  await to(shop, shop)
  expect([...fake.zones.backends.keys()]).toEqual(["a", "b"])
  expect(fake.connections).toBe(connections + 1)
})

describe("a removed backend", () => {
  test("stays for a while, as requests may still be on their way to it", async () => {
    await to(shop)
    const wanted = live([backend("a", 1)], [host("a.test", "a")])
    await to(wanted, shop)
    expect(await control.removeDue()).toEqual({ hasMadeRoom: false, nextMs: lingerMs })
    expect(fake.zones.backends.has("b")).toBe(true)
    clock.nowMs = lingerMs
    expect(await control.removeDue()).toEqual({ hasMadeRoom: true, nextMs: undefined })
    expect(fake.zones.backends.has("b")).toBe(false)
  })

  test("that comes back stays", async () => {
    await to(shop)
    const wanted = live([backend("a", 1)], [host("a.test", "a")])
    await to(wanted, shop)
    await to(shop, wanted)
    clock.nowMs = 2 * lingerMs
    await control.removeDue()
    expect(fake.zones.backends.has("b")).toBe(true)
  })
})

describe("a refused item", () => {
  test("is left out, everything else takes effect", async () => {
    fake.refuses.add("b")
    const { inForce, refusals } = await to(shop)
    expect(refusals).toMatchObject([{ item: { name: "b" }, status: 400, reason: "b is bad" }])
    expect([...fake.zones.backends.keys()]).toEqual(["a"])
    expect([...fake.zones.routes.keys()]).toEqual(["main/a.test", "main/b.test"])
    expect(inForce.backends).toEqual([backend("a", 1), backend("b")])
  })

  test("keeps what it was before, and is tried again by the next plan", async () => {
    await to(shop)
    fake.refuses.add("b.test")
    const wanted = live(shop.backends, [host("a.test", "b"), host("b.test", "a")])
    const { inForce } = await to(wanted, shop)
    expect(inForce.hosts).toEqual([host("a.test", "b"), host("b.test", "b")])
    fake.refuses.clear()
    expect((await to(wanted, inForce)).inForce).toEqual(wanted)
    expect(fake.posted.at(-1)?.routes.set).toHaveLength(1)
  })

  test("is found among thousands in few posts", async () => {
    fake.refuses.add("backend-777")
    const many = Array.from({ length: 3000 }, (_, at) => backend(`backend-${at}`, 1))
    const { refusals } = await to(live(many, []))
    expect(refusals).toHaveLength(1)
    expect(fake.zones.backends.size).toBe(2999)
    expect(fake.posted.length).toBeLessThan(40)
  })

  test("too large for one body is refused without being posted, and its path is closed", async () => {
    const large = host("large.test", "a")
    const routes = large.routes.map((route) => ({ ...route, rewrite: "x".repeat(2 ** 20) }))
    const { inForce, refusals } = await to(live(shop.backends, [...shop.hosts, { ...large, routes }]))
    expect(refusals).toMatchObject([{ status: 413, item: { name: { host: "large.test" } }, routes }])
    expect(inForce.hosts.map(({ host, routes }) => [host, routes.map(({ status }) => status)])).toEqual([
      ["a.test", [undefined]],
      ["b.test", [undefined]],
      ["large.test", [503]],
    ])
  })
})

describe("a full zone", () => {
  const many = Array.from({ length: 2000 }, (_, at) => backend(`backend-${at}`, 1))

  test("takes what fits in a bounded number of posts", async () => {
    fake.room = 700
    const { inForce, refusals } = await to(live(many, []))
    expect(fake.zones.backends.size).toBe(700)
    expect(refusals).toHaveLength(1300)
    expect(refusals[0]).toMatchObject({ status: 507, reason: "the zone is full" })
    expect(problemsOf(refusals, live(many, []))[0]).toMatchObject({ field: "spec", code: "no-room" })
    expect(fake.posted.length).toBeLessThan(100)
    fake.room = Number.POSITIVE_INFINITY
    expect((await to(live(many, []), inForce)).refusals).toEqual([])
    expect(fake.zones.backends.size).toBe(2000)
  })
})
