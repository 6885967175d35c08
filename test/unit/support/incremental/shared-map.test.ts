import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { changedSince, SharedMap } from "../../../../controller/support/incremental/shared-map.ts"

describe("views", () => {
  test("are the same object while nothing changes, and stay as they were", () => {
    const map = new SharedMap<number>()
    map.put("a", 1)
    const before = map.view()
    expect(map.view()).toBe(before)
    map.put("a", undefined)
    expect([[...before], [...map.view()]]).toEqual([[["a", 1]], []])
  })

  test("have what was put, however much of it, and stay as they were when there is a copy", () => {
    const map = new SharedMap<number>()
    const expected = new Map<string, number>()
    const views = Array.from({ length: 300 }, (_, at) => {
      map.put(`key ${at % 170}`, at)
      expected.set(`key ${at % 170}`, at)
      return { view: map.view(), size: expected.size, last: at }
    })
    for (const { view, size, last } of views)
      expect([view.size, view.get(`key ${last % 170}`), new Map(view).size]).toEqual([size, last, size])
    expect(new Map(map.view())).toEqual(expected)
  })

  test("know which keys were put between them", () => {
    const map = new SharedMap<number>()
    const empty = map.view()
    map.put("a", 1)
    const first = map.view()
    map.put("b", 2)
    map.put("a", undefined)
    const last = map.view()
    const changed = [changedSince(empty, first), changedSince(first, last), changedSince(empty, last)]
    expect(changed).toEqual([new Set(["a"]), new Set(["b", "a"]), new Set(["a", "b"])])
    expect(changedSince(last, last)).toEqual(new Set())
  })

  test.each([
    ["of two maps", new SharedMap<number>().view(), new SharedMap<number>().view()],
    ["and a plain map", new SharedMap<number>().view(), new Map<string, number>()],
  ])("%s say nothing of each other", (_, before, after) => {
    expect([changedSince(before, after), changedSince(after, before)]).toEqual([undefined, undefined])
  })

  test("forget what is long ago, and do not look back", () => {
    const map = new SharedMap<number>()
    const views = Array.from({ length: 40 }, (_, at) => {
      map.put("a", at)
      return map.view()
    })
    const last = map.view()
    const known = views.map((view) => changedSince(view, last) !== undefined)
    expect(known).toEqual([...Array(40 - 17).fill(false), ...Array(17).fill(true)])
    expect(changedSince(last, views[38] ?? last)).toBeUndefined()
  })

  test("forget which keys were put when those are most of them", () => {
    const map = new SharedMap<number>()
    const put = (keys: number) => {
      for (let key = 0; key < keys; key += 1) map.put(`key ${key}`, keys)
      return map.view()
    }
    const [first, few] = [put(200), put(100)]
    expect(changedSince(first, few)?.size).toBe(100)
    const [most, last] = [put(101), put(1)]
    expect([changedSince(few, most), changedSince(first, last)]).toEqual([undefined, undefined])
    expect(changedSince(most, last)).toEqual(new Set(["key 0"]))
  })

  test("never miss a difference", () => {
    const put = fc.tuple(fc.constantFrom("a", "b", "c"), fc.option(fc.nat(2), { nil: undefined }))
    fc.assert(
      fc.property(fc.array(fc.array(put, { maxLength: 3 }), { maxLength: 20 }), (rounds) => {
        const map = new SharedMap<number>()
        const views = rounds.map((puts) => {
          for (const [key, value] of puts) map.put(key, value)
          return map.view()
        })
        for (const [at, after] of views.entries())
          for (const before of views.slice(0, at)) {
            const changed = changedSince(before, after) ?? new Set(["a", "b", "c"])
            const differing = ["a", "b", "c"].filter((key) => before.get(key) !== after.get(key))
            expect(differing.filter((key) => !changed.has(key))).toEqual([])
          }
      }),
    )
  })
})
