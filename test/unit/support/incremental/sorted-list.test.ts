import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { SortedList, withItems } from "../../../../controller/support/incremental/sorted-list.ts"
import { compareText } from "../../../../controller/support/order.ts"

interface Item {
  readonly name: string
}

const byName = (a: Item, b: Item) => compareText(a.name, b.name)
const names = fc.uniqueArray(fc.string({ maxLength: 2 }), { maxLength: 40 })

describe("a sorted list", () => {
  test("is at any time what is sorted from scratch", () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 5 }), (rounds) => {
        const list = new SortedList<Item>(byName)
        const all = new Map<string, Item>()
        for (const toggled of rounds) {
          for (const name of toggled) {
            const item = all.get(name) ?? { name }
            if (all.delete(name)) list.remove(item)
            else {
              all.set(name, item)
              list.add(item)
            }
          }
          expect(list.items()).toEqual([...all.values()].sort(byName))
        }
      }),
    )
  })

  test("is the same array while nothing changes, and never changes one that it gave", () => {
    const [a, b] = [{ name: "a" }, { name: "b" }]
    const list = new SortedList<Item>(byName)
    list.add(b)
    const before = list.items()
    list.remove(b)
    list.add(b)
    expect(list.items()).toBe(before)
    list.add(a)
    expect([list.items(), before]).toEqual([[a, b], [b]])
  })

  test("takes another thing in the place of one with the same name", () => {
    const [old, fresh] = [{ name: "a" }, { name: "a" }]
    const list = new SortedList<Item>(byName)
    list.add(old)
    list.items()
    list.remove(old)
    list.add(fresh)
    expect(list.items()[0]).toBe(fresh)
    expect(list.items()).toHaveLength(1)
  })
})

test("a list with more items is the one that is sorted from scratch", () => {
  fc.assert(
    fc.property(names, names, (before, more) => {
      const list = before.map((name) => ({ name })).sort(byName)
      const added = more.filter((name) => !before.includes(name)).map((name) => ({ name }))
      expect(withItems(list, added, byName)).toEqual([...list, ...added].sort(byName))
    }),
  )
})
