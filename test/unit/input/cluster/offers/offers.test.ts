import { afterEach, expect, test } from "vitest"
import { ApiFailure, type ApiRequest } from "../../../../../controller/input/cluster/api.ts"
import { Offers } from "../../../../../controller/input/cluster/offers/offers.ts"
import { whileOffered } from "../../../../../controller/input/cluster/offers/while-offered.ts"
import type { Delta } from "../../../../../controller/input/cluster/watch/delta.ts"
import type { Kind } from "../../../../../controller/model/objects/object.ts"
import { Channel } from "../../../../../controller/support/channel.ts"
import { until } from "../../../../../harness/until.ts"

const over: AbortController[] = []
afterEach(() => {
  for (const controller of over.splice(0)) controller.abort()
})

const kinds: readonly Kind[] = ["GatewayClass", "HTTPRoute"]

/** An API server with some kinds, of which some may be listed, and the wait before it is asked again. */
class World {
  installed: readonly string[] = []
  denied: readonly string[] = []
  /** it answers nothing */
  isAway = false
  readonly asked: string[] = []
  readonly lines: string[] = []
  readonly pauses: number[] = []
  readonly controller = new AbortController()
  readonly offers: Offers
  #wake = () => {}

  constructor(installed: readonly string[] = []) {
    over.push(this.controller)
    this.installed = installed
    this.offers = new Offers({
      api: { send: (request) => this.#answer(request) },
      kinds,
      namespace: "",
      log: { info: (...line: readonly unknown[]) => void this.lines.push(JSON.stringify(line)) },
      signal: this.controller.signal,
      time: { sleep: (ms, signal) => this.#sleep(ms, signal), random: () => 0 },
    })
  }

  /** The pause is over. */
  wake(): void {
    this.#wake()
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(ms)
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      signal.addEventListener("abort", () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  async #answer({ path }: ApiRequest): Promise<unknown> {
    this.asked.push(path)
    const plural = path.split("/").at(-1) ?? ""
    if (this.isAway) throw new ApiFailure("away", { status: 0 })
    if (plural === "v1" && this.installed.length === 0) throw new ApiFailure("none", { status: 404 })
    if (plural === "v1") return { resources: this.installed.map((name) => ({ name })) }
    if (this.denied.includes(plural)) throw new ApiFailure("no", { status: 403 })
    return { items: [] }
  }
}

test("what is not installed costs one line, and is asked for again every five seconds", async () => {
  const world = new World()
  await world.offers.known()
  expect(world.offers.offer("HTTPRoute")).toBeUndefined()
  expect(world.pauses).toEqual([5000])
  world.wake()
  await until("a second look", () => world.pauses.length === 2)
  expect(world.asked).toEqual(Array(2).fill("/apis/gateway.networking.k8s.io/v1"))
  expect(world.lines).toEqual(['["The Gateway API is not installed: its kinds are not watched until it is"]'])
})

test("what is all there is asked for again only when a watch has failed", async () => {
  const world = new World(["gatewayclasses", "httproutes"])
  await world.offers.known()
  expect(world.pauses).toEqual([2 ** 31 - 1])
  const end = world.offers.offer("HTTPRoute")
  world.installed = ["gatewayclasses"]
  world.offers.doubt()
  await until("the end of it", () => end?.aborted === true)
  expect(world.offers.offer("HTTPRoute")).toBeUndefined()
  expect(world.offers.offer("GatewayClass")?.aborted).toBe(false)
  expect(world.lines).toEqual([
    '[{"kinds":["GatewayClasses","HTTPRoutes"]},"The Gateway API is served"]',
    '[{"kinds":["GatewayClasses"],"notInstalled":["HTTPRoutes"]},"The Gateway API is served"]',
  ])
})

test("what may not be listed is not offered, until it may be", async () => {
  const world = new World(["gatewayclasses", "httproutes"])
  world.denied = ["gatewayclasses", "httproutes"]
  await world.offers.known()
  expect(world.offers.offer("HTTPRoute")).toBeUndefined()
  world.denied = []
  world.wake()
  await until("the offer", () => world.offers.offer("HTTPRoute") !== undefined)
  expect(world.lines[0]).toBe(
    '[{"noRightToList":["GatewayClasses","HTTPRoutes"]},"The Gateway API is not served: give the right to list its kinds, or set --gateway-api=false"]',
  )
})

test("an API server that does not answer changes nothing, and before its first answer nothing is known", async () => {
  const world = new World(["gatewayclasses", "httproutes"])
  world.isAway = true
  await until("a first look", () => world.pauses.length === 1)
  expect(world.pauses).toEqual([1000])
  world.isAway = false
  world.wake()
  await world.offers.known()
  world.isAway = true
  world.offers.doubt()
  await until("a third look", () => world.pauses.length === 3)
  expect(world.offers.offer("HTTPRoute")?.aborted).toBe(false)
  expect(world.lines).toHaveLength(1)
})

test("a kind is followed while it is offered; when it goes its objects do, and nobody waits for it", async () => {
  const world = new World()
  const lists: Channel<Delta>[] = []
  const reflect = (signal: AbortSignal) => {
    const list = new Channel<Delta>()
    lists.push(list)
    signal.addEventListener("abort", () => list.close(), { once: true })
    return list
  }
  const deltas: Delta[] = []
  void (async () => {
    for await (const delta of whileOffered("HTTPRoute", world.offers, reflect, world.controller.signal))
      deltas.push(delta)
  })()
  await until("a delta", () => deltas.length === 1)
  expect(deltas.splice(0)).toEqual([{ changes: [], synced: true }])

  world.installed = ["httproutes"]
  world.wake()
  await until("a list", () => lists.length === 1 && deltas.length === 1)
  expect(deltas.splice(0)).toEqual([{ changes: [], synced: false }])
  const change = (name: string) => ({ kind: "set", name, version: "1", object: {} }) as const
  lists[0]?.send({ changes: [change("a/b"), change("a/c")], synced: true })
  lists[0]?.send({ changes: [{ kind: "deleted", name: "a/b" }], synced: true })
  await until("two deltas", () => deltas.length === 2)
  deltas.splice(0)

  world.installed = []
  world.offers.doubt()
  await until("two deltas", () => deltas.length === 2)
  expect(deltas.splice(0)).toEqual([
    { changes: [{ kind: "deleted", name: "a/c" }], synced: true },
    { changes: [], synced: true },
  ])
  world.installed = ["httproutes"]
  world.wake()
  await until("another list", () => lists.length === 2)
})
