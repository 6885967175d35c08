import { describe, expect, test } from "vitest"
import { ApiFailure, type ApiRequest } from "../../../../../controller/input/cluster/api.ts"
import { GatewayStatuses } from "../../../../../controller/input/cluster/gateway-status/gateway-statuses.ts"
import type { Condition, ObjectStatus } from "../../../../../controller/model/object-status.ts"
import { noEntries, printStatus } from "../../../../../controller/model/status-text.ts"
import type { Json } from "../../../../../harness/manifests.ts"

const ours = "wick.dev/gateway"
const { signal } = new AbortController()
const before = "2026-01-01T00:00:00Z"
const now = "2026-02-02T00:00:00Z"

/** An API server with one object, whose status writes are checked against its version. */
class Server {
  object: Json
  readonly asked: string[] = []
  /** the next writes find that somebody else has written */
  races = 0
  /** fields of the status that its definition of the kind does not have */
  unknown: readonly string[] = []
  readonly statuses = new GatewayStatuses({ send: (request) => this.#answer(request) }, ours, () =>
    Date.parse(now),
  )

  constructor(object: Json) {
    this.object = object
  }

  get status(): Json {
    return this.object.status as Json
  }

  observe(kind: "Gateway" | "HTTPRoute" | "GatewayClass", name: string): void {
    this.statuses.observe(kind, name, this.object)
  }

  async #answer({ method, path, body }: ApiRequest): Promise<unknown> {
    this.asked.push(`${method} ${path}`)
    if (method === "GET") return this.object
    if (this.races > 0) {
      this.races -= 1
      throw new ApiFailure("another version", { status: 409 })
    }
    const { status } = body as { status: Json }
    const known = Object.entries(status).filter(([name]) => !this.unknown.includes(name))
    this.object = { ...this.object, status: Object.fromEntries(known) }
    return this.object
  }
}

const accepted: Condition = { type: "Accepted", status: "True", reason: "Accepted", message: "" }
const refs: Condition = { type: "ResolvedRefs", status: "True", reason: "ResolvedRefs", message: "" }
const missing: Condition = { ...refs, status: "False", reason: "BackendNotFound", message: "no such Service" }
const written = (condition: Condition, generation: number, time: string) => ({
  ...condition,
  observedGeneration: generation,
  lastTransitionTime: time,
})
const parentRef = { group: "gateway.networking.k8s.io", kind: "Gateway", name: "web" }
const foreignParent = {
  parentRef: { ...parentRef, name: "other" },
  controllerName: "other.test/gateway",
  conditions: [written(missing, 1, before)],
}

function route(generation: number, ...conditions: readonly Condition[]): ObjectStatus {
  const parents = conditions.length === 0 ? [] : [{ parentRef, controllerName: ours, conditions }]
  return { kind: "HTTPRoute", namespace: "shop", name: "cart", generation, status: { parents } }
}

const named = "HTTPRoute shop/cart"
const object = (status: Json): Json => ({
  metadata: { namespace: "shop", name: "cart", generation: 2 },
  status,
})

describe("the status of a route", () => {
  test("is written beside that of other controllers, and then is as it is wanted", async () => {
    const server = new Server(object({ parents: [foreignParent] }))
    server.observe("HTTPRoute", "shop/cart")
    expect(server.statuses.current(named)).toBe(noEntries("HTTPRoute"))
    const wanted = printStatus(route(2, accepted, refs))
    await server.statuses.write(named, wanted, signal)
    const conditions = [written(accepted, 2, now), written(refs, 2, now)]
    expect(server.status).toEqual({
      parents: [foreignParent, { parentRef, controllerName: ours, conditions }],
    })
    expect(server.statuses.current(named)).toBe(wanted)
    server.observe("HTTPRoute", "shop/cart")
    expect(server.statuses.current(named)).toBe(wanted)
  })

  test("keeps the time of conditions that stay, and conditions of other types", async () => {
    const theirs = { ...written(accepted, 1, before), type: "other.test/Checked" }
    const conditions = [written(accepted, 1, before), theirs, written(refs, 1, before)]
    const server = new Server(object({ parents: [{ parentRef, controllerName: ours, conditions }] }))
    server.observe("HTTPRoute", "shop/cart")
    await server.statuses.write(named, printStatus(route(2, accepted, missing)), signal)
    expect(server.status).toEqual({
      parents: [
        {
          parentRef,
          controllerName: ours,
          conditions: [written(accepted, 2, before), written(missing, 2, now), theirs],
        },
      ],
    })
  })

  test("is taken back from a parent that is not one any more", async () => {
    const conditions = [written(accepted, 1, before)]
    const server = new Server(
      object({ parents: [{ parentRef, controllerName: ours, conditions }, foreignParent] }),
    )
    server.observe("HTTPRoute", "shop/cart")
    await server.statuses.write(named, noEntries("HTTPRoute") ?? "", signal)
    expect(server.status).toEqual({ parents: [foreignParent] })
    expect(server.statuses.current(named)).toBe(noEntries("HTTPRoute"))
  })

  test("has changed when it was seen to be another one, and is told so once", () => {
    const server = new Server(object({}))
    server.observe("HTTPRoute", "shop/cart")
    expect([...server.statuses.changed()]).toEqual([named])
    server.object = { ...server.object, spec: {} }
    server.observe("HTTPRoute", "shop/cart")
    expect([...server.statuses.changed()]).toEqual([])
    const conditions = [written(accepted, 1, before)]
    server.object = object({ parents: [{ parentRef, controllerName: ours, conditions }] })
    server.observe("HTTPRoute", "shop/cart")
    expect([...server.statuses.changed()]).toEqual([named])
  })

  test("has not changed when it is gone, so that nothing is kept of it where nobody asks", () => {
    const server = new Server(object({}))
    server.observe("HTTPRoute", "shop/cart")
    server.statuses.observe("HTTPRoute", "shop/cart", undefined)
    expect([...server.statuses.changed()]).toEqual([])
    server.observe("HTTPRoute", "shop/cart")
    expect([...server.statuses.changed()]).toEqual([named])
  })

  test("of another generation is another one, with the same conditions", () => {
    const server = new Server(object({}))
    const conditions = [written(accepted, 1, before)]
    server.object = object({ parents: [{ parentRef, controllerName: ours, conditions }] })
    server.observe("HTTPRoute", "shop/cart")
    expect(server.statuses.current(named)).toBe(printStatus(route(1, accepted)))
    expect(server.statuses.current(named)).not.toBe(printStatus(route(2, accepted)))
  })

  test("is not written when it is so already, in whatever order", async () => {
    const conditions = [written(refs, 2, before), written(accepted, 2, before)]
    const server = new Server(object({ parents: [{ parentRef, controllerName: ours, conditions }] }))
    await server.statuses.write(named, printStatus(route(2, accepted, refs)), signal)
    expect(server.asked).toHaveLength(1)
  })

  test("is written without a look at an object that has just come, and with one where somebody else was faster", async () => {
    const server = new Server(object({}))
    const path = "/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/cart"
    server.observe("HTTPRoute", "shop/cart")
    server.object = object({ parents: [foreignParent] })
    server.races = 1
    await server.statuses.write(named, printStatus(route(2, accepted)), signal)
    expect(server.asked).toEqual([`PUT ${path}/status`, `GET ${path}`, `PUT ${path}/status`])
    const conditions = [written(accepted, 2, now)]
    expect(server.status).toEqual({
      parents: [foreignParent, { parentRef, controllerName: ours, conditions }],
    })
  })

  test("is written with a look at an object that came long ago", async () => {
    const server = new Server(object({}))
    server.observe("HTTPRoute", "shop/cart")
    for (let nth = 0; nth < 128; nth += 1) server.observe("HTTPRoute", `shop/other-${nth}`)
    await server.statuses.write(named, printStatus(route(2, accepted)), signal)
    expect(server.asked.map((line) => line.split(" ")[0])).toEqual(["GET", "PUT"])
  })

  test("is written again when somebody else was faster, five times at most", async () => {
    const server = new Server(object({}))
    server.races = 4
    await server.statuses.write(named, printStatus(route(2, accepted)), signal)
    expect(server.asked.filter((line) => line.startsWith("PUT"))).toHaveLength(5)
    server.races = 5
    const other = server.statuses.write(named, printStatus(route(2, missing)), signal)
    await expect(other).rejects.toMatchObject({ code: "status-refused" })
  })
})

describe("the status of a Gateway", () => {
  const gateway: ObjectStatus = {
    kind: "Gateway",
    namespace: "shop",
    name: "web",
    generation: 3,
    status: {
      addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
      conditions: [accepted],
      listeners: [{ name: "http", supportedKinds: [], attachedRoutes: 2, conditions: [refs] }],
      attachedListenerSets: 0,
    },
  }
  const path = "/apis/gateway.networking.k8s.io/v1/namespaces/shop/gateways/web"
  const theirs = { ...written(accepted, 1, before), type: "StaleConditionType" }

  test("has listeners with conditions of their own; those of others stay in both lists", async () => {
    const server = new Server({
      metadata: { namespace: "shop", name: "web" },
      status: { conditions: [theirs], listeners: [{ name: "http", conditions: [theirs] }, { name: "gone" }] },
    })
    server.observe("Gateway", "shop/web")
    const wanted = printStatus(gateway)
    await server.statuses.write("Gateway shop/web", wanted, signal)
    expect(server.asked).toEqual([`PUT ${path}/status`])
    expect(server.status).toEqual({
      addresses: [{ type: "IPAddress", value: "192.0.2.1" }],
      conditions: [written(accepted, 3, now), theirs],
      listeners: [
        {
          name: "http",
          supportedKinds: [],
          attachedRoutes: 2,
          conditions: [written(refs, 3, now), theirs],
        },
      ],
      attachedListenerSets: 0,
    })
    server.observe("Gateway", "shop/web")
    expect(server.statuses.current("Gateway shop/web")).toBe(wanted)
  })

  test("that the API server keeps without a field that it does not know is not written again and again", async () => {
    const server = new Server({ metadata: { namespace: "shop", name: "web" }, status: {} })
    server.unknown = ["attachedListenerSets"]
    server.observe("Gateway", "shop/web")
    const wanted = printStatus(gateway)
    await server.statuses.write("Gateway shop/web", wanted, signal)
    server.observe("Gateway", "shop/web")
    expect(server.statuses.current("Gateway shop/web")).toBe(wanted)
    server.object = { ...server.object, status: {} }
    server.observe("Gateway", "shop/web")
    expect(server.statuses.current("Gateway shop/web")).not.toBe(wanted)
  })
})

test("a GatewayClass has no namespace", async () => {
  const server = new Server({ metadata: { name: "wick" }, status: {} })
  const status = { conditions: [accepted], supportedFeatures: [{ name: "Gateway" }] }
  const wanted = printStatus({ generation: 1, status })
  await server.statuses.write("GatewayClass wick", wanted, signal)
  expect(server.asked[1]).toBe("PUT /apis/gateway.networking.k8s.io/v1/gatewayclasses/wick/status")
  expect(server.status).toEqual({ ...status, conditions: [written(accepted, 1, now)] })
})
