import { describe, expect, test } from "vitest"
import { noChange } from "../../../../controller/core/plan/change.ts"
import { emptyLive, type Fixed } from "../../../../controller/model/model.ts"
import { MemoryPlane } from "../../../support/memory-plane.ts"
import { planeContract, type Tried } from "../../../support/plane-contract.ts"
import { backend, host, live } from "../control/live.ts"
import { fixed } from "../render/site.ts"

planeContract(async (): Promise<Tried> => {
  const plane = new MemoryPlane()
  const bad = new Set<Fixed>()
  plane.refuses = (fixed) => bad.has(fixed)
  return {
    plane,
    flags: [],
    die: async () => plane.die(),
    refused: (fixed) => {
      const other = { ...fixed }
      bad.add(other)
      return other
    },
    async [Symbol.asyncDispose]() {},
  }
})

describe("in memory it is an error", () => {
  const shop = live([backend("a", 1)], [host("shop.test", "a", "p1")])
  const withLocation = { ...fixed, locations: [{ name: "p1" }] }

  test("to post a change that does not lead to what is wanted", async () => {
    const plane = new MemoryPlane()
    await plane.prepare(withLocation)
    await plane.post(emptyLive, noChange)
    await expect(plane.post(shop, noChange)).rejects.toThrow("does not lead to what is wanted")
  })

  test("to post routes whose location is not loaded", async () => {
    const plane = new MemoryPlane()
    await plane.prepare({ ...fixed, locations: [] })
    await expect(plane.post(shop, noChange)).rejects.toThrow("locations that are not loaded")
  })
})
