import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { MappedList } from "../../../../controller/support/incremental/mapped-list.ts"
import { compareText } from "../../../../controller/support/order.ts"

interface Item {
  readonly name: string
}

const byName = (a: Item, b: Item) => compareText(a.name, b.name)
const items = fc.uniqueArray(fc.string({ maxLength: 2 }), { maxLength: 40 })

/** Sorted items of these names, the same objects as in `known` where it has them. */
function sorted(names: readonly string[], known: ReadonlyMap<string, Item> = new Map()): readonly Item[] {
  return [...names].sort(compareText).map((name) => known.get(name) ?? { name })
}

const byNames = (list: readonly Item[]) => new Map(list.map((item) => [item.name, item]))

describe("what was made of the same objects before", () => {
  test("is handed on, and of other objects is not", () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 5 }), fc.boolean(), (rounds, keepsObjects) => {
        const list = new MappedList<Item, Item>(byName)
        let last: readonly Item[] = []
        for (const names of rounds) {
          const before = new Set(last)
          const now = sorted(names, keepsObjects ? byNames(last) : new Map())
          const isKnown: boolean[] = []
          list.map(now, (item, old) => {
            isKnown.push(old !== undefined)
            return item
          })
          expect(isKnown).toEqual(now.map((item) => before.has(item)))
          last = now
        }
      }),
    )
  })

  test("is the same list if all of it is the same", () => {
    const list = new MappedList<Item, number>(byName)
    const items = sorted(["a", "b"])
    const first = list.map(items, ({ name }) => name.length)
    expect(list.map([...items], (_, before) => before ?? 0)).toBe(first)
    expect(list.map(items.slice(1), (_, before) => before ?? 0)).toEqual([1])
  })

  test("stays with all items of the list before, where only new ones are asked for", () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 5 }), (rounds) => {
        const list = new MappedList<Item, { readonly of: Item }>(byName)
        const made = new Map<Item, { readonly of: Item }>()
        const known = new Map<string, Item>()
        for (const names of rounds) {
          const now = sorted(names, known)
          const results = list.mapNew(now, (of) => ({ of }))
          expect(results.map(({ of }) => of)).toEqual(now)
          expect(now.map((item, at) => made.get(item) ?? results[at])).toEqual(results)
          made.clear()
          known.clear()
          now.forEach((item, at) => {
            known.set(item.name, item)
            made.set(item, results[at] as { readonly of: Item })
          })
          expect(list.mapNew([...now], (of) => ({ of }))).toBe(results)
        }
      }),
    )
  })

  test("stays where other items stand in the place of their like, and is made of those", () => {
    fc.assert(
      fc.property(items, items, fc.array(fc.nat(40)), (names, others, replaced) => {
        const list = new MappedList<Item, { readonly of: Item }>(byName)
        const [first, unlike] = [sorted(names), sorted(others)]
        const before = list.mapNew(first, (of) => ({ of }))
        const next = first.map((item, at) => (replaced.includes(at) ? { ...item } : item))
        const results = list.mapNew(next, (of) => ({ of }))
        expect(results.map(({ of }) => of)).toEqual(next)
        results.forEach((result, at) => void expect(result === before[at]).toBe(next[at] === first[at]))
        expect(first.map((_, at) => before[at]?.of)).toEqual(first)
        expect(list.mapNew(unlike, (of) => ({ of })).map(({ of }) => of)).toEqual(unlike)
      }),
    )
  })

  test("is made anew at named places only", () => {
    fc.assert(
      fc.property(items, fc.array(fc.nat(40)), (names, places) => {
        const list = new MappedList<Item, number>(byName)
        const first = list.map(sorted(names), () => 0)
        const next = list.remap(places, (_, before) => before + 1)
        const isNamed = (at: number) => places.includes(at)
        expect(next.map((result) => result > 0)).toEqual(names.map((_, at) => isNamed(at)))
        expect(list.remap(places, (_, before) => before)).toBe(next)
        expect(first.every((result) => result === 0)).toBe(true)
      }),
    )
  })
})
