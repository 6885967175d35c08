import { expect, test } from "vitest"
import { Lanes, limit } from "../../../controller/support/lanes.ts"

/** Tasks that end when the test says so. */
class Tasks {
  readonly started: string[] = []
  readonly #lanes: Lanes
  readonly #ends = new Map<string, PromiseWithResolvers<void>>()

  constructor(maxAtOnce: number, maxOfOne: number) {
    this.#lanes = new Lanes(maxAtOnce, maxOfOne)
  }

  begin(...names: readonly string[]): void {
    for (const name of names) {
      const end = Promise.withResolvers<void>()
      this.#ends.set(name, end)
      const task = () => {
        this.started.push(name)
        return end.promise
      }
      this.#lanes.run(name[0] ?? "", task).catch(() => {})
    }
  }

  async end(name: string, error?: Error): Promise<void> {
    const end = this.#ends.get(name)
    if (error) end?.reject(error)
    else end?.resolve()
    await turn()
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test("so many run at once, and the next one when one has ended", async () => {
  const tasks = new Tasks(2, 2)
  tasks.begin("a1", "b1", "c1")
  await turn()
  expect(tasks.started).toEqual(["a1", "b1"])
  await tasks.end("b1")
  expect(tasks.started).toEqual(["a1", "b1", "c1"])
})

test("a lane has no more than its share, and no other one waits for it", async () => {
  const tasks = new Tasks(4, 2)
  tasks.begin("a1", "a2", "a3", "a4", "b1", "b2")
  await turn()
  expect(tasks.started).toEqual(["a1", "a2", "b1", "b2"])
  await tasks.end("b1")
  expect(tasks.started).toHaveLength(4)
  await tasks.end("a2")
  expect(tasks.started.at(-1)).toBe("a3")
})

test("lanes take turns", async () => {
  const tasks = new Tasks(1, 1)
  tasks.begin("a1", "a2", "a3", "b1", "c1")
  for (const name of ["a1", "b1", "c1", "a2", "a3"]) await tasks.end(name)
  expect(tasks.started).toEqual(["a1", "b1", "c1", "a2", "a3"])
})

test("a task that fails gives its place to the next", async () => {
  const tasks = new Tasks(1, 1)
  tasks.begin("a1", "a2")
  await tasks.end("a1", new Error("no"))
  expect(tasks.started).toEqual(["a1", "a2"])
})

test("what a task gives is what comes back", async () => {
  const lanes = new Lanes(1, 1)
  expect(await lanes.run("a", async () => 7)).toBe(7)
  await expect(lanes.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
})

test("a limit without lanes keeps the order", async () => {
  const started: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const limited = limit(2)
  const all = ends.map((end, at) =>
    limited(() => {
      started.push(at)
      return end.promise
    }),
  )
  await turn()
  expect(started).toEqual([0, 1])
  ends[1]?.resolve(7)
  await turn()
  expect(started).toEqual([0, 1, 2])
  expect(await all[1]).toBe(7)
  for (const end of ends) end.resolve(0)
  await Promise.all(all)
})
