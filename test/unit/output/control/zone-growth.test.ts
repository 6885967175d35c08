import { describe, expect, test } from "vitest"
import type { ZoneFill } from "../../../../controller/model/zone-fill.ts"
import type { Refusal } from "../../../../controller/output/control/refusal.ts"
import { ZoneGrowth } from "../../../../controller/output/control/zone-growth.ts"
import { kinds } from "../../../../wire/kinds.ts"

const max = 1000

function growthOf(...zones: Partial<ZoneFill>[]): ZoneGrowth {
  const body = JSON.stringify(zones.map((zone) => ({ size: 100, used: 0, free: 100, keys: 0, ...zone })))
  return new ZoneGrowth({ get: async () => ({ status: 200, body }) })
}

const noRoom: Refusal = {
  item: { kind: "routeParts", verb: "set", name: "x", json: "" },
  status: 507,
  reason: "full",
}

describe("a zone", () => {
  test("that is fuller than four fifths gets twice its size, others stay", async () => {
    const growth = growthOf({ name: "routes", used: 81, free: 19 }, { name: "backends", used: 80, free: 20 })
    expect(await growth.look(max, [])).toEqual({ routes: { bytes: 200, slots: 0 } })
    expect(growth.grown).toEqual({ routes: { bytes: 200, slots: 0 } })
  })

  test("that had no room for something grows, however full it is", async () => {
    const growth = growthOf({ name: "routes", used: 10, free: 90 }, { name: "backends" })
    expect(await growth.look(max, [noRoom])).toEqual({ routes: { bytes: 200, slots: 0 } })
  })

  test.each(kinds)("that had no room for one of $list is the zone where they lie", async ({
    model,
    prefix,
  }) => {
    const names = ["backends", "routes", "certificates", "passthroughs"]
    const growth = growthOf(...names.map((name) => ({ name })))
    const refusal = { ...noRoom, item: { ...noRoom.item, kind: model } as Refusal["item"] }
    expect(Object.keys(await growth.look(max, [refusal]))).toEqual([prefix.split("/")[0]])
  })

  test("grows up to the limit, and no further", async () => {
    const full = { name: "routes", used: 99, free: 1 }
    expect(await growthOf({ ...full, size: 600 }).look(max, [])).toEqual({ routes: { bytes: max, slots: 0 } })
    expect(await growthOf({ ...full, size: max }).look(max, [noRoom])).toEqual({})
    expect(await growthOf({ ...full, size: 2 * max }).look(max, [noRoom])).toEqual({})
  })

  test("gets twice as many slots when few are left", async () => {
    const growth = growthOf({ name: "backends", slots: 1000, slots_used: 801 })
    expect(await growth.look(max, [])).toEqual({ backends: { bytes: 100, slots: 2000 } })
    const most = growthOf({ name: "backends", slots: 2 ** 20, slots_used: 2 ** 20 })
    expect(await most.look(max, [])).toEqual({})
  })

  test("that nginx does not make larger is not tried again", async () => {
    const growth = growthOf({ name: "routes", used: 81, free: 19 })
    const before = growth.grown
    growth.takeBack(await growth.look(max, []), before)
    expect(growth.grown).toEqual({})
    expect(await growth.look(max, [noRoom])).toEqual({})
  })

  test("that was found running keeps its size", async () => {
    const growth = growthOf({ name: "routes", size: 300 }, { name: "others", size: 300 })
    await growth.adopt()
    expect(growth.grown).toEqual({ routes: { bytes: 300, slots: 0 } })
  })

  test("of which nothing is known stays", async () => {
    for (const answer of [async () => ({ status: 404, body: "" }), () => Promise.reject(new Error("lost"))]) {
      const growth = new ZoneGrowth({ get: answer })
      await growth.adopt()
      expect(await growth.look(max, [noRoom])).toEqual({})
    }
  })
})
