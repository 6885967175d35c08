import { describe, expect, test } from "vitest"
import { leaveOutCulprits } from "../../../controller/sync/trial.ts"

describe("items that are refused", () => {
  /** An nginx that refuses these, and these two together; it counts how often it is asked. */
  function nginx(bad: readonly number[], together: readonly number[] = []) {
    const asked: number[] = []
    const check = async (items: readonly number[]) => {
      asked.push(items.length)
      const found = items.find((item) => bad.includes(item))
      if (found !== undefined) return { reason: `${found} is bad` }
      const areTogether = together.length > 0 && together.every((item) => items.includes(item))
      return areTogether ? { reason: "they are bad together" } : "taken"
    }
    return { asked, check }
  }
  const many = Array.from({ length: 64 }, (_, at) => at)

  test("are found with their reasons", async () => {
    const culprits = await leaveOutCulprits([], many, nginx([7, 50]).check)
    expect([...culprits]).toEqual([
      [7, "7 is bad"],
      [50, "50 is bad"],
    ])
  })

  test("are found by halves", async () => {
    const { asked, check } = nginx([7])
    await leaveOutCulprits([], many, check)
    expect(asked.length).toBeLessThanOrEqual(13)
  })

  test("are none when all are good, which is one question", async () => {
    const { asked, check } = nginx([])
    expect((await leaveOutCulprits([1], [2, 3], check)).size).toBe(0)
    expect(asked).toEqual([3])
  })

  test("is the later one of two that are bad together, also with one that is good", async () => {
    expect([...(await leaveOutCulprits([], many, nginx([], [3, 40]).check)).keys()]).toEqual([40])
    expect([...(await leaveOutCulprits([3], [40, 41], nginx([], [3, 40]).check)).keys()]).toEqual([40])
  })
})
