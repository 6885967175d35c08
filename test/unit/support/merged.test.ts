import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { Channel } from "../../../controller/support/channel.ts"
import { merged } from "../../../controller/support/merged.ts"

async function* counting(name: string, end: number, log: string[] = []) {
  try {
    for (let count = 1; count <= end; count += 1) {
      log.push(`${name}${count}`)
      yield `${name}${count}`
    }
  } finally {
    log.push(`${name} closed`)
  }
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const taken: T[] = []
  for await (const value of values) taken.push(value)
  return taken
}

describe("several sources in one", () => {
  test("come in turns, each in its order, and end together", async () => {
    expect(await all(merged([counting("a", 3), counting("b", 1), counting("c", 2)]))).toEqual([
      "a1",
      "b1",
      "c1",
      "a2",
      "c2",
      "a3",
    ])
    expect(await all(merged([]))).toEqual([])
  })

  test("a source does not run ahead of what is done with its values", async () => {
    const log: string[] = []
    for await (const value of merged([counting("a", 2, log)])) {
      await turn()
      log.push(`used ${value}`)
    }
    expect(log).toEqual(["a1", "used a1", "a2", "used a2", "a closed"])
  })

  test("one that has nothing to say keeps nobody waiting", async () => {
    const quiet = new Channel<string>()
    const values = merged([quiet, counting("a", 1)])
    expect((await values.next()).value).toBe("a1")
    quiet.send("late")
    quiet.close()
    expect(await all(values)).toEqual(["late"])
  })

  test("an error of one is the end; what came before is delivered", async () => {
    const broken = async function* () {
      yield "first"
      throw new Error("broken")
    }
    const taken: string[] = []
    const reading = (async () => {
      for await (const value of merged([broken(), counting("a", 1)])) taken.push(value)
    })()
    await expect(reading).rejects.toThrow("broken")
    expect(taken).toEqual(["first", "a1"])
  })

  test("are closed when nobody reads on", async () => {
    const log: string[] = []
    for await (const _ of merged([counting("a", 9, log), counting("b", 9, log)])) break
    await turn()
    expect(log.sort()).toEqual(["a closed", "a1", "b closed", "b1"])
  })
})
