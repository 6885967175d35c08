import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { ObjectStatus } from "../../../../controller/model/object-status.ts"
import { noEntries, printStatus } from "../../../../controller/model/status-text.ts"
import { gatewayStatus } from "../../../../controller/report/status/gateway-status.ts"
import { Publisher } from "../../../../controller/report/status/publisher.ts"
import { FakeGatewayStatuses, FakeLeadership } from "./statuses.ts"

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

function route(name: string, reason = "Accepted"): ObjectStatus {
  const parentRef = { group: "gateway.networking.k8s.io", kind: "Gateway", name: "web" }
  const conditions = [{ type: "Accepted", status: "True", reason, message: "" }] as const
  const parents = [{ parentRef, controllerName: "wick.dev/gateway", conditions }]
  return { kind: "HTTPRoute", namespace: "shop", name, generation: 1, status: { parents } }
}

class World {
  readonly writer = new FakeGatewayStatuses()
  readonly leadership = new FakeLeadership()
  statuses: readonly ObjectStatus[] | undefined
  readonly publisher = new Publisher({
    kept: gatewayStatus(() => this.statuses, this.writer),
    leadership: this.leadership,
    intervalSeconds: 60,
    failed: (error) => expect.unreachable(String(error)),
    log: { info: vi.fn(), warn: vi.fn() },
  })

  constructor(...names: readonly string[]) {
    for (const name of names) this.writer.seen.set(name, noEntries(name.split(" ")[0] ?? "") ?? "")
  }

  /** A pass has said this. @returns what is written then */
  async told(...statuses: readonly ObjectStatus[]): Promise<readonly string[]> {
    this.statuses = statuses
    this.publisher.changed()
    await vi.advanceTimersByTimeAsync(200)
    return this.writer.writes.splice(0)
  }
}

test("what a pass says is written once, by the leader only", async () => {
  const world = new World("HTTPRoute shop/cart", "HTTPRoute shop/pay")
  expect(await world.told(route("cart"), route("pay"))).toEqual([])
  world.leadership.begin()
  await vi.advanceTimersByTimeAsync(0)
  expect(world.writer.writes.splice(0)).toEqual(["HTTPRoute shop/pay", "HTTPRoute shop/cart"])
  expect(await world.told(route("cart"), route("pay"))).toEqual([])
  expect(await world.told(route("cart", "Other"), route("pay"))).toEqual(["HTTPRoute shop/cart"])
})

test("several changes within a moment are one write", async () => {
  const world = new World("HTTPRoute shop/cart")
  world.leadership.begin()
  for (const reason of ["One", "Two", "Three"]) {
    world.statuses = [route("cart", reason)]
    world.publisher.changed()
  }
  expect(await world.told(route("cart", "Four"))).toEqual(["HTTPRoute shop/cart"])
  expect(world.writer.current("HTTPRoute shop/cart")).toBe(printStatus(route("cart", "Four")))
})

test("of a route that has nothing to do with us any more it is taken back, of one that never had nothing is", async () => {
  const world = new World("HTTPRoute shop/cart", "HTTPRoute shop/foreign")
  world.leadership.begin()
  await world.told(route("cart"))
  expect(await world.told()).toEqual(["HTTPRoute shop/cart"])
  expect(world.writer.current("HTTPRoute shop/cart")).toBe(noEntries("HTTPRoute"))
})

test("before the first pass nothing is taken back", async () => {
  const world = new World()
  world.writer.seen.set("HTTPRoute shop/cart", printStatus(route("cart")))
  world.leadership.begin()
  world.publisher.changed()
  await vi.advanceTimersByTimeAsync(1000)
  expect(world.writer.writes).toEqual([])
})

function gateway(attachedRoutes: number): ObjectStatus {
  const listeners = [{ name: "http", supportedKinds: [], attachedRoutes, conditions: [] }]
  return {
    kind: "Gateway",
    namespace: "shop",
    name: "web",
    generation: 1,
    status: { conditions: [], addresses: [], listeners },
  } as unknown as ObjectStatus
}

test("while hundreds of routes are written, their Gateway is told again and again how many there are", async () => {
  const routes = Array.from({ length: 250 }, (_, nth) => route(`cart-${nth}`))
  const world = new World("Gateway shop/web", ...routes.map(({ name }) => `HTTPRoute shop/${name}`))
  world.leadership.begin()
  let written = 0
  world.writer.write = async (name, status) => {
    world.writer.writes.push(name)
    world.writer.seen.set(name, status)
    written += 1
    world.statuses = [gateway(written), ...routes]
  }
  const first = await world.told(gateway(0), ...routes)
  await vi.advanceTimersByTimeAsync(10)
  const writes = [...first, ...world.writer.writes]
  const places = writes.flatMap((name, at) => (name === "Gateway shop/web" ? [at] : []))
  expect(places).toEqual([0, 100, 200])
  expect(new Set(writes).size).toBe(251)
  expect(writes).toHaveLength(253)
})
