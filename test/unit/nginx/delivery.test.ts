import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import type { Fixed, Live } from "../../../controller/model/model.ts"
import { Delivery } from "../../../controller/nginx/delivery.ts"
import type { DriverState } from "../../../controller/nginx/driver.ts"
import { layoutOf } from "../../../controller/nginx/files.ts"
import type { NginxProcess } from "../../../controller/nginx/process.ts"
import { liveChange } from "../../../controller/plan/change.ts"
import type { Conf } from "../../../controller/render/render.ts"
import { fixed as someFixed } from "../render/site.ts"
import { backend, host, live, nothing } from "./live.ts"

const layout = layoutOf(mkdtempSync(join(tmpdir(), "wick-delivery-")))
afterAll(() => rmSync(layout.dir, { recursive: true }))

const policies = (...names: readonly string[]): Fixed => ({
  ...someFixed,
  policies: names.map((name) => ({ name, proxyHttpVersion: "1.1" })),
})
const render = (fixed: Fixed): Conf => ({ text: "", hash: JSON.stringify(fixed), workers: 1 })

/** An nginx that takes everything. */
class FakeDriver {
  state: DriverState = { kind: "stopped" }
  masterPid: number | undefined
  loaded: Fixed[] = []

  run(pid: number, hash: string | undefined): void {
    this.masterPid = pid
    this.state = { kind: "serving", nginx: {} as NginxProcess, hash }
  }
  async adopt() {
    return this.masterPid !== undefined
  }
  async apply(conf: Conf, fixed: Fixed) {
    const applied = this.masterPid === undefined ? "started" : "reloaded"
    this.loaded.push(fixed)
    this.run(this.masterPid ?? 100 + this.loaded.length, conf.hash)
    return applied as "started" | "reloaded"
  }
}

/** Zones that take everything. */
class FakeControl {
  isInStep = false
  forget() {
    this.isInStep = false
  }
  async apply(_running: Live, wanted: Live) {
    this.isInStep = true
    return { inForce: wanted, refusals: [] }
  }
  async removeDue() {
    return undefined
  }
}

let driver: FakeDriver
let control: FakeControl
let delivery: Delivery

beforeEach(() => {
  driver = new FakeDriver()
  control = new FakeControl()
  delivery = new Delivery({ driver, control, layout, render })
  rmSync(layout.fixed, { force: true })
})

const shop = (policy: string) => live([backend("a", 1)], [host("shop.test", "a", policy)])
const names = () => driver.loaded.at(-1)?.policies.map(({ name }) => name)

function post(wanted: Live) {
  return delivery.post(wanted, liveChange(delivery.running?.live ?? nothing, wanted))
}

describe("what is in force", () => {
  test("is what was loaded and posted", async () => {
    expect(delivery.running).toBeUndefined()
    await delivery.load(policies("p1"))
    await post(shop("p1"))
    expect(delivery.running).toEqual({ fixed: policies("p1"), live: shop("p1") })
  })

  test("is nothing once that nginx is gone, also when another one runs", async () => {
    await delivery.load(policies("p1"))
    driver.masterPid = undefined
    expect(delivery.running).toBeUndefined()
    driver.masterPid = 7
    expect(delivery.running).toBeUndefined()
  })

  test("begins empty in an nginx that was started, whatever the one before had", async () => {
    await delivery.load(policies("p1"))
    await post(shop("p1"))
    driver.masterPid = undefined
    await delivery.load(policies("p1"))
    expect(delivery.running?.live).toEqual(nothing)
    expect(control.isInStep).toBe(false)
  })
})

describe("a policy that is not wanted any more", () => {
  test("stays through the reload as long as routes in force name it, and goes with the next", async () => {
    await delivery.load(policies("p1", "p2"))
    await post(shop("p1"))
    await delivery.load(policies("p3"))
    expect(names()).toEqual(["p1", "p3"])
    await post(shop("p3"))
    await delivery.load(policies("p3", "p4"))
    expect(names()).toEqual(["p3", "p4"])
  })

  test("stays when it is not known which routes are in force", async () => {
    await delivery.load(policies("p1", "p2"))
    await delivery.load(policies("p3"))
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
    const same = policies("p1", "p2")
    expect(await find(same, render(same).hash)).toBe(true)
    expect(delivery.running).toEqual({ fixed: same, live: nothing })
  })

  test("is loaded anew when it would not, and routes in force keep their policies", async () => {
    await find(policies("p1"), "what an older controller printed")
    expect(delivery.running).toBeUndefined()
    await delivery.load(policies("p2"))
    expect(names()).toEqual(["p1", "p2"])
  })

  test("is taken over without a note of what its configuration came from", async () => {
    driver.run(7, "some hash")
    expect(await delivery.adopt()).toBe(true)
    expect(delivery.running).toBeUndefined()
  })
})
