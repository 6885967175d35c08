import { expect, test } from "vitest"
import { Parts } from "../../../controller/run/parts.ts"

let diary: string[]

/** A part that gives its name, and says when it is started and stopped. */
function part<const Name extends string>(name: Name) {
  return async (_: object, stops: AsyncDisposableStack) => {
    await Promise.resolve()
    diary.push(`start ${name}`)
    stops.defer(() => void diary.push(`stop ${name}`))
    return { [name]: name } as Readonly<Record<Name, Name>>
  }
}

test("parts are started from left to right with what is there already, and stopped from right to left", async () => {
  diary = []
  {
    await using stops = new AsyncDisposableStack()
    const { all } = await Parts.with({ world: "w" }, stops)
      .and(part("a"))
      .and(part("b"))
      .and(({ world, a, b }) => ({ all: world + a + b }))
      .started()
    expect(all).toBe("wab")
  }
  expect(diary).toEqual(["start a", "start b", "stop b", "stop a"])
})

test("behind a part that cannot be started none is, and those before it are stopped", async () => {
  diary = []
  const run = async () => {
    await using stops = new AsyncDisposableStack()
    const fails = (): object => {
      throw new Error("it cannot")
    }
    await Parts.with({}, stops).and(part("a")).and(fails).and(part("b")).started()
  }
  await expect(run()).rejects.toThrow("it cannot")
  expect(diary).toEqual(["start a", "stop a"])
})
