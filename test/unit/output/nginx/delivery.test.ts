import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { liveChange } from "../../../../controller/core/plan/change.ts"
import type { Fixed, Live } from "../../../../controller/model/model.ts"
import type { Problem } from "../../../../controller/model/problem.ts"
import type { Host } from "../../../../controller/model/route.ts"
import type { Removal } from "../../../../controller/output/control/control.ts"
import type { Refusal } from "../../../../controller/output/control/refusal.ts"
import type { Shares } from "../../../../controller/output/control/shares/shares.ts"
import { Delivery } from "../../../../controller/output/nginx/delivery.ts"
import type { DriverState } from "../../../../controller/output/nginx/driver.ts"
import { layoutOf } from "../../../../controller/output/nginx/files.ts"
import type { NginxProcess } from "../../../../controller/output/nginx/process.ts"
import type { ZoneSizes } from "../../../../controller/output/plane/plane.ts"
import type { Conf, Stage } from "../../../../controller/output/render/render.ts"
import type { GrownZones } from "../../../../controller/output/render/site.ts"
import { Failure } from "../../../../controller/support/failure.ts"
import { backend, host, live, nothing } from "../control/live.ts"
import { fixed as someFixed } from "../render/site.ts"

const layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-delivery-")))
afterAll(() => rmSync(layout.dir, { recursive: true }))

const locations = (...names: readonly string[]): Fixed => ({
  ...someFixed,
  locations: names.map((name) => ({ name, proxyHttpVersion: "1.1" })),
})
const render = (fixed: Fixed, stage: Stage): Conf => ({
  text: `${fixed.http.ports.httpPort}`,
  hash: JSON.stringify([fixed, stage]),
  files: [],
  workers: 1,
  maxOldWorkers: 4,
})

function withZones(conf: Conf, grown: GrownZones): Conf {
  return Object.keys(grown).length === 0 ? conf : { ...conf, hash: conf.hash + JSON.stringify(grown) }
}

/** An nginx that takes everything. */
class FakeDriver {
  state: DriverState = { kind: "stopped" }
  generation: number | undefined
  loaded: Fixed[] = []
  starts = 0

  isOutdated = false
  upgraded: Conf[] = []

  run(generation: number, hash: string | undefined): void {
    this.generation = generation
    this.state = { kind: "serving", nginx: {} as NginxProcess, hash, build: undefined }
  }
  async upgrade(conf: Conf) {
    this.upgraded.push(conf)
    this.isOutdated = false
    this.run(300, conf.hash)
  }
  async adopt() {
    return this.generation !== undefined
  }
  async check() {}
  async endOrphans() {}
  async start(conf: Conf) {
    this.starts += 1
    this.run(100 + this.starts, conf.hash)
  }
  refuses = false

  async reload(conf: Conf, fixed: Fixed, isForced = false) {
    if (this.refuses) throw new Failure("reload-lost", "Cannot reload nginx")
    if (this.state.kind === "serving" && this.state.hash === conf.hash && !isForced) return false
    this.loaded.push(fixed)
    this.run(this.generation ?? 0, conf.hash)
    return true
  }
}

/** Zones that take everything. */
class FakeControl {
  isInStep = false
  readonly postedBytes = 0
  routes = true

  async hasRoutes() {
    return this.routes
  }
  startAnew() {
    this.isInStep = false
  }
  /** routes with more hosts than this have no room */
  room = Number.POSITIVE_INFINITY

  async apply(_running: Live, wanted: Live) {
    this.isInStep = true
    const over = wanted.hosts.slice(this.room)
    const refusals = over.map(
      ({ server, host }): Refusal => ({
        item: { kind: "hosts", verb: "set", name: { server, host }, json: "" },
        status: 507,
        reason: "full",
      }),
    )
    return { inForce: { ...wanted, hosts: wanted.hosts.slice(0, this.room) }, refusals }
  }
  /** what lingers no more */
  removal: Removal = { hasMadeRoom: false, nextMs: undefined }

  async removeDue() {
    return this.removal
  }
}

/** Zones that are as large as they need be, until they are told to grow. */
class FakeZones {
  grown: GrownZones = {}
  wants: GrownZones = {}

  reloads = 0

  reloaded() {
    this.reloads += 1
  }
  async adopt() {}
  async look() {
    const larger = this.wants
    this.wants = {}
    this.grown = { ...this.grown, ...larger }
    return larger
  }
  takeBack(_larger: GrownZones, before: GrownZones) {
    this.grown = before
  }
}

/** What is left when namespaces keep to their shares. */
let within: Shares["within"]
let zones: FakeZones
let closed: number
let grown: (readonly [ZoneSizes, string | undefined])[]
let driver: FakeDriver
let control: FakeControl
let delivery: Delivery
/** what nginx says of the patterns of what is posted */
let badPatterns: Problem[]

beforeEach(() => {
  driver = new FakeDriver()
  control = new FakeControl()
  badPatterns = []
  zones = new FakeZones()
  within = (wanted) => ({ live: wanted, problems: [] })
  grown = []
  const patterns = { problemsOf: async (hosts: readonly Host[]) => (hosts.length > 0 ? badPatterns : []) }
  const grew = (larger: ZoneSizes, failure?: Error) =>
    void grown.push([larger, failure instanceof Failure ? failure.code : undefined])
  const printed = (fixed: Fixed, stage: Stage) => withZones(render(fixed, stage), zones.grown)
  const build = { async read() {} }
  delivery = new Delivery({
    driver,
    control,
    patterns,
    build,
    layout,
    zones,
    shares: { within: (wanted, fixed) => within(wanted, fixed) },
    maxZoneSize: () => 1024 * 2 ** 20,
    events: {
      grew,
      renewed() {},
      closedForRoom: (routes) => {
        closed = routes
      },
    },
    render: printed,
    maxOverrideSets: 3,
  })
  rmSync(layout.fixed, { force: true })
})

const shop = (location: string) => live([backend("a", 1)], [host("shop.test", "a", location)])
const names = () => driver.loaded.at(-1)?.locations.map(({ name }) => name)

function post(wanted: Live) {
  return delivery.post(wanted, liveChange(delivery.live, wanted))
}

async function serve(fixed: Fixed, wanted: Live): Promise<void> {
  await delivery.prepare(fixed)
  await post(wanted)
  await delivery.load(fixed)
}

describe("what is in force", () => {
  test("is what was posted and loaded", async () => {
    expect(delivery.running).toBeUndefined()
    await serve(locations("p1"), shop("p1"))
    expect(delivery.running).toEqual({ fixed: locations("p1"), live: shop("p1") })
    expect(delivery.isServing).toBe(true)
  })

  test("takes in no location that has the name of another one", async () => {
    await serve(locations("p1"), shop("p1"))
    const others = { ...someFixed, locations: [{ name: "p1", protocol: "grpc" as const }] }
    await expect(delivery.load(others)).rejects.toThrow('Two different things have the name "p1"')
    expect(delivery.running).toEqual({ fixed: locations("p1"), live: shop("p1") })
  })

  test("is also what has a pattern that does not compile: its owner hears of it at every post", async () => {
    const object = { kind: "Ingress", namespace: "shop", name: "cart" }
    badPatterns = [{ object, field: "spec.rules", code: "bad-pattern", message: "" }]
    await serve(locations("p1"), shop("p1"))
    expect(await post(shop("p1"))).toEqual(badPatterns)
    expect(delivery.live).toEqual(shop("p1"))
    expect(await post(nothing)).toEqual([])
  })

  test("is nothing as long as nginx is only prepared, however often that is tried", async () => {
    await delivery.prepare(locations("p1"))
    await post(shop("p1"))
    await delivery.prepare(locations("p1", "p2"))
    expect(delivery.running).toBeUndefined()
    expect(delivery.isServing).toBe(false)
    expect(delivery.live).toEqual(shop("p1"))
    expect(driver.starts).toBe(1)
  })

  test("is nothing once that nginx is gone, also when another one runs", async () => {
    await serve(locations("p1"), shop("p1"))
    driver.generation = undefined
    expect(delivery.running).toBeUndefined()
    expect(delivery.isServing).toBe(false)
    driver.generation = 7
    expect(delivery.running).toBeUndefined()
  })

  test("begins empty in an nginx that was started, whatever the one before had", async () => {
    await serve(locations("p1"), shop("p1"))
    driver.generation = undefined
    await delivery.prepare(locations("p1"))
    expect(delivery.live).toEqual(nothing)
    expect(control.isInStep).toBe(false)
  })
})

describe("a location that is not wanted any more", () => {
  test("stays through the reload as long as routes in force name it, and goes with the next", async () => {
    await serve(locations("p1", "p2"), shop("p1"))
    await delivery.load(locations("p3"))
    expect(names()).toEqual(["p1", "p3"])
    await post(shop("p3"))
    await delivery.load(locations("p3", "p4"))
    expect(names()).toEqual(["p3", "p4"])
  })

  test("stays when it is not known which routes are in force", async () => {
    await serve(locations("p1", "p2"), shop("p1"))
    control.isInStep = false
    await delivery.load(locations("p3"))
    expect(names()).toEqual(["p1", "p2", "p3"])
  })
})

describe("an nginx that runs already", () => {
  function find(running: Fixed, hash: string | undefined): Promise<boolean> {
    driver.run(7, hash)
    writeFileSync(layout.fixed, JSON.stringify(running))
    return delivery.adopt()
  }

  test("keeps its configuration when this controller would print the same", async () => {
    const same = locations("p1", "p2")
    expect(await find(same, render(same, "serving").hash)).toBe(true)
    expect(delivery.running).toEqual({ fixed: same, live: nothing })
  })

  test("is replaced when it was started from other files, and serves meanwhile", async () => {
    const same = locations("p1", "p2")
    driver.isOutdated = true
    await find(same, render(same, "serving").hash)
    expect(delivery.running).toBeUndefined()
    await delivery.prepare(same)
    expect(driver.upgraded).toEqual([render(same, "holding")])
    await delivery.load(same)
    expect(driver.loaded).toEqual([same])
    expect(driver.starts).toBe(0)
  })

  test("is only prepared when the controller before did not come further", async () => {
    control.routes = false
    await find(locations("p1"), render(locations("p1"), "prepared").hash)
    expect(delivery.isServing).toBe(false)
    expect(delivery.running).toBeUndefined()
  })

  test("is loaded anew when it would not, and routes in force keep their locations", async () => {
    await find(locations("p1"), "what an older controller printed")
    expect(delivery.running).toBeUndefined()
    await delivery.load(locations("p2"))
    expect(names()).toEqual(["p1", "p2"])
  })

  test("is loaded anew when another version of wick has left what cannot be printed", async () => {
    const old = { ...locations("p1"), http: null } as unknown as Fixed
    expect(await find(old, "what an older controller printed")).toBe(true)
    await delivery.load(locations("p2"))
    expect(names()).toEqual(["p2"])
  })

  test("is taken over without a note of what its configuration came from", async () => {
    driver.run(7, "some hash")
    expect(await delivery.adopt()).toBe(true)
    expect(delivery.running).toBeUndefined()
  })
})

describe("a zone that is nearly full", () => {
  const larger: GrownZones = { routes: { bytes: 64, slots: 0 } }
  const two = live([backend("a", 1)], [host("a.test", "a"), host("b.test", "a")])

  test("grows by a reload with what is in force, and what had no room is tried again", async () => {
    await serve(locations("p1"), shop("p1"))
    control.room = 1
    zones.wants = larger
    const reloaded = driver.reload.bind(driver)
    driver.reload = (conf, fixed) => {
      control.room = 2
      return reloaded(conf, fixed)
    }
    const { length } = driver.loaded
    expect(await post(two)).toEqual([])
    expect(delivery.live.hosts).toHaveLength(2)
    expect(driver.loaded.slice(length)).toEqual([locations("p1")])
    expect(grown).toEqual([[larger, undefined]])
  })

  test("is looked at anew in another nginx and after each reload, and at no other time for that", async () => {
    await serve(locations("p1"), shop("p1"))
    expect(zones.reloads).toBe(2)
    await delivery.load(locations("p1"))
    await post(nothing)
    expect(zones.reloads).toBe(2)
    await delivery.load(locations("p2"))
    expect(zones.reloads).toBe(3)
  })

  test("grows before anything is served", async () => {
    await delivery.prepare(locations("p1"))
    zones.wants = larger
    await post(two)
    expect(delivery.isServing).toBe(false)
    expect(grown).toEqual([[larger, undefined]])
    expect(driver.state).toMatchObject({ hash: expect.stringContaining("prepared") })
  })

  test("stays as it is when nginx does not take that, and everything else goes on", async () => {
    await serve(locations("p1"), shop("p1"))
    control.room = 1
    zones.wants = larger
    driver.refuses = true
    expect(await post(two)).toMatchObject([{ code: "no-room" }])
    expect(closed).toBe(1)
    expect(grown).toEqual([[larger, "reload-lost"]])
    expect(zones.grown).toEqual({})
    expect(delivery.live.hosts).toHaveLength(1)
  })
})

describe("backends that linger no more", () => {
  const two = live([backend("a", 1)], [host("a.test", "a"), host("b.test", "a")])

  test("leave their room to what had none, at once", async () => {
    await serve(locations("p1"), shop("p1"))
    control.room = 1
    await post(two)
    control.removal = { hasMadeRoom: false, nextMs: 7 }
    expect(await delivery.removeDue()).toBe(7)
    control.removal = { hasMadeRoom: true, nextMs: 7 }
    expect(await delivery.removeDue()).toBe(0)
    control.room = 2
    await post(two)
    expect(await delivery.removeDue()).toBe(7)
  })
})

describe("what a namespace wants beyond its share", () => {
  const two = live([backend("a", 1)], [host("a.test", "a"), host("b.test", "a")])
  const problem: Problem = {
    object: { kind: "Ingress", namespace: "shop", name: "b.test" },
    field: "spec",
    code: "over-share",
    message: "",
  }

  test("is not posted, counted, and told of each time; what is within is in force", async () => {
    await serve(locations("p1"), shop("p1"))
    within = (wanted) => ({ live: { ...wanted, hosts: wanted.hosts.slice(0, 1) }, problems: [problem] })
    expect(await post(two)).toEqual([problem])
    expect(await post(two)).toEqual([problem])
    expect(delivery.live.hosts.map(({ host }) => host)).toEqual(["a.test"])
    expect(closed).toBe(1)
  })

  test("is served once it is within", async () => {
    await serve(locations("p1"), shop("p1"))
    within = (wanted) => ({ live: { ...wanted, hosts: [] }, problems: [problem] })
    await post(two)
    within = (wanted) => ({ live: wanted, problems: [] })
    expect(await post(two)).toEqual([])
    expect(delivery.live).toEqual(two)
    expect(closed).toBe(0)
  })
})

describe("numbers of routes", () => {
  const withNumbers = (...timeouts: readonly number[]) => {
    const one = host("a.test", "a")
    const routes = one.routes.flatMap((route) =>
      timeouts.map((ms) => ({ ...route, path: `/${ms}`, overrides: { proxyReadTimeoutMs: ms } })),
    )
    return live([backend("a", 1)], [{ ...one, routes }])
  }

  test("of which there were many since the last reload are worth another one, which forgets the former", async () => {
    await serve(locations("p1"), withNumbers(1, 2))
    const { length } = driver.loaded
    await post(withNumbers(2, 3))
    expect(driver.loaded).toHaveLength(length)
    await post(withNumbers(5, 6))
    expect(driver.loaded).toHaveLength(length + 1)
    await post(withNumbers(4, 5))
    expect(driver.loaded).toHaveLength(length + 1)
  })

  test("do not stop everything when that reload fails", async () => {
    await serve(locations("p1"), withNumbers(1, 2))
    driver.refuses = true
    await expect(post(withNumbers(3, 4, 5))).rejects.toMatchObject({ code: "reload-lost" })
    expect(await post(withNumbers(4, 5))).toEqual([])
  })
})
