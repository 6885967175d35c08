import { isDeepStrictEqual } from "node:util"
import { expect, test } from "vitest"
import { CountedList } from "../../../../controller/support/incremental/counted-list.ts"

const thing = (id: string, text = id) => ({ id, text })
const newList = () => new CountedList<{ id: string; text: string }>(({ id }) => id, isDeepStrictEqual)

test("a thing is there once, as long as somebody uses it", () => {
  const list = newList()
  const one = thing("b")
  list.add(one)
  list.add(thing("b"))
  list.add(thing("a"))
  expect(list.items()).toEqual([thing("a"), one])
  expect(list.items()[1]).toBe(one)
  list.remove(one)
  expect(list.items()).toHaveLength(2)
  list.remove(thing("b"))
  expect(list.items()).toEqual([thing("a")])
})

test("a thing that somebody else uses before it is gone is the same", () => {
  const list = newList()
  const one = thing("a")
  list.add(one)
  const before = list.items()
  list.add(one)
  list.remove(one)
  expect(list.items()).toBe(before)
})

test("two things with one id are a bug or an attack", () => {
  const list = newList()
  list.add(thing("a"))
  expect(() => list.add(thing("a", "b"))).toThrow('Two different things have the name "a"')
})
