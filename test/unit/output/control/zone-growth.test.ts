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
    expect(await growth.look(max, [], 0)).toEqual({ routes: { bytes: 200, slots: 0 } })
    expect(growth.grown).toEqual({ routes: { bytes: 200, slots: 0 } })
  })

  test("that had no room for something grows, however full it is", async () => {
    const growth = growthOf({ name: "routes", used: 10, free: 90 }, { name: "backends" })
    expect(await growth.look(max, [noRoom], 0)).toEqual({ routes: { bytes: 200, slots: 0 } })
  })

  test.each(kinds)("that had no room for one of $list is the zone where they lie", async ({
    model,
    prefix,
  }) => {
    const names = ["backends", "routes", "certificates", "passthroughs"]
    const growth = growthOf(...names.map((name) => ({ name })))
    const refusal = { ...noRoom, item: { ...noRoom.item, kind: model } as Refusal["item"] }
    expect(Object.keys(await growth.look(max, [refusal], 0))).toEqual([prefix.split("/")[0]])
  })

  test("grows up to the limit, and no further", async () => {
    const full = { name: "routes", used: 99, free: 1 }
    expect(await growthOf({ ...full, size: 600 }).look(max, [], 0)).toEqual({
      routes: { bytes: max, slots: 0 },
    })
    expect(await growthOf({ ...full, size: max }).look(max, [noRoom], 0)).toEqual({})
    expect(await growthOf({ ...full, size: 2 * max }).look(max, [noRoom], 0)).toEqual({})
  })

  test("gets twice as many slots when few are left", async () => {
    const growth = growthOf({ name: "backends", slots: 1000, slots_used: 801 })
    expect(await growth.look(max, [], 0)).toEqual({ backends: { bytes: 100, slots: 2000 } })
    const most = growthOf({ name: "backends", slots: 2 ** 20, slots_used: 2 ** 20 })
    expect(await most.look(max, [], 0)).toEqual({})
  })

  test("that nginx does not make larger is not tried again", async () => {
    const growth = growthOf({ name: "routes", used: 81, free: 19 })
    const before = growth.grown
    growth.takeBack(await growth.look(max, [], 0), before)
    expect(growth.grown).toEqual({})
    expect(await growth.look(max, [noRoom], 0)).toEqual({})
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
      expect(await growth.look(max, [noRoom], 0)).toEqual({})
    }
  })

  describe("with room", () => {
    /** Counts how often nginx is asked. */
    function counted(zone: Partial<ZoneFill>, now = () => 0) {
      let asked = 0
      const body = JSON.stringify([{ name: "routes", size: 2000, used: 0, free: 2000, keys: 0, ...zone }])
      const get = async () => {
        asked += 1
        return { status: 200, body }
      }
      const growth = new ZoneGrowth({ get }, now)
      return { growth, asked: () => asked }
    }

    test("is looked at again when an eighth of it may be taken", async () => {
      const { growth, asked } = counted({ used: 800, free: 1200 })
      await growth.look(max, [], 5000)
      await growth.look(max, [], 5099)
      expect(asked()).toBe(1)
      await growth.look(max, [], 5100)
      expect(asked()).toBe(2)
    })

    test("is looked at again when its slots may be taken", async () => {
      const { growth, asked } = counted({ slots: 10, slots_used: 6 })
      await growth.look(max, [], 0)
      await growth.look(max, [], 31)
      expect(asked()).toBe(1)
      await growth.look(max, [], 32)
      expect(asked()).toBe(2)
    })

    test("is looked at again some seconds later: requests take slots, too", async () => {
      let nowMs = 0
      const { growth, asked } = counted({ slots: 1000 }, () => nowMs)
      await growth.look(max, [], 0)
      nowMs = 4999
      await growth.look(max, [], 0)
      expect(asked()).toBe(1)
      nowMs = 5000
      await growth.look(max, [], 0)
      expect(asked()).toBe(2)
    })

    test("is looked at when something had none, and after a reload", async () => {
      const { growth, asked } = counted({})
      await growth.look(max, [], 0)
      await growth.look(max, [noRoom], 0)
      expect(asked()).toBe(2)
      growth.reloaded()
      await growth.look(max, [], 0)
      expect(asked()).toBe(3)
    })

    test("is looked at each time when it is full and may not be larger", async () => {
      const { growth, asked } = counted({ used: 1900, free: 100 })
      for (let times = 0; times < 3; times += 1) await growth.look(max, [], times)
      expect(asked()).toBe(3)
    })
  })
})
