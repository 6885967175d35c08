// The core of all hosts in Node: a guest's memory, its attempt record and the names of foreign functions.
import { describe, expect, test } from "vitest"
import { at, maxTags, none, recordBytes, Status } from "../../harness/abi.ts"
import { AttemptRecord } from "../../lab/guest/attempt-record.ts"
import { Memory } from "../../lab/guest/memory.ts"
import { Names } from "../../lab/guest/names.ts"

/** A guest of one page that gives memory from here on, and grows first if it shall. */
function guest(gives: number, pages = 0) {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const view = new Memory()
  view.attach({
    memory,
    proxy_on_memory_allocate: () => {
      if (pages > 0) memory.grow(pages)
      return gives
    },
  })
  return view
}

describe("memory", () => {
  test("a value is handed over where the guest wants it, also when its memory grew for it", () => {
    for (const pages of [0, 1]) {
      const memory = guest(1024, pages)
      expect(memory.give(Buffer.from("wick"), 101, 107)).toBe(Status.ok)
      expect([memory.load(101), memory.load(107)]).toEqual([1024, 4])
      expect(memory.text(1024, 4)).toBe("wick")
    }
  })

  test.each([
    ["its address outside", 1024, 65_533, 100],
    ["its length outside", 1024, 100, 65_533],
    ["no memory for it", 0, 100, 104],
    ["memory outside for it", 65_533, 100, 104],
  ])("a value is refused with %s", (_, gives, address, length) => {
    expect(guest(gives).give(Buffer.from("wick"), address, length)).toBe(Status.invalidMemoryAccess)
  })

  test("what is no piece of it is not read", () => {
    const memory = guest(0)
    expect(() => memory.bytes(65_535, 2)).toThrow(RangeError)
    expect(() => memory.text(65_535, 2)).toThrow(RangeError)
    expect(memory.has(65_535, 1)).toBe(true)
  })
})

describe("the attempt record", () => {
  const word = (memory: Memory, place: number) => memory.load(4096 + place)

  test("is written where the table of the ABI says", () => {
    const memory = guest(0)
    const record = new AttemptRecord(memory, 4096, recordBytes.filter)
    record.beforeSelect([7, 8], 5, 6)
    record.setNow(2 ** 40 + 3)
    record.setKey(Buffer.from("shop"))
    expect([at.attempt, at.tag, at.tried].map((place) => word(memory, place))).toEqual([2, none, 2])
    expect([at.tags, at.tags + 4].map((place) => word(memory, place))).toEqual([7, 8])
    expect([at.note, at.note + 4, at.now, at.now + 4].map((place) => word(memory, place))).toEqual([
      5, 6, 3, 256,
    ])
    expect([record.now, word(memory, at.keyLength)]).toEqual([2 ** 40 + 3, 4])
    expect(memory.text(4096 + at.key, 4)).toBe("shop")
  })

  test("tells times that are not known with all bits set, and the latest tags only", () => {
    const memory = guest(0)
    const record = new AttemptRecord(memory, 4096, recordBytes.filter)
    record.beforeSelect(
      Array.from({ length: 20 }, (_, tag) => tag),
      0,
      0,
    )
    expect([word(memory, at.tried), word(memory, at.tags)]).toEqual([maxTags, 20 - maxTags])
    const ended = { attempt: 0, tag: 1, noteLow: 0, noteHigh: 0, outcome: 1, status: 0 }
    record.beforeInfo({ ...ended, firstByteNs: undefined }, 0)
    const times = [at.connectTime, at.firstByteTime, at.firstByteTime + 4]
    expect(times.map((place) => word(memory, place))).toEqual([0, none, none])
  })

  test("is not written beyond what the guest knows", () => {
    const memory = guest(0)
    const record = new AttemptRecord(memory, 4096, 20)
    record.beforeSelect([1, 2, 3], 9, 9)
    record.setKey(Buffer.from("shop"))
    expect(word(memory, at.tags)).toBe(1)
    expect(memory.bytes(4096 + 20, 200).some((byte) => byte !== 0)).toBe(false)
    expect([record.wants, record.bytes.length]).toEqual([0, 20])
  })
})

describe("names", () => {
  const names = new Names({ wick_get: 1, wick_set: 2, wick_pick: 3 })
  const find = (name: string) => names.find(Buffer.from(`--${name}--`), 2, name.length)

  test("are found in memory, and others are not", () => {
    expect(["wick_get", "wick_set", "wick_pick"].map(find)).toEqual([1, 2, 3])
    expect(["wick_xet", "wick_got", "wick_ge", ""].map(find)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test("that nothing tells apart are refused", () => {
    expect(() => new Names({ ab: 1, aa: 2, bb: 3, ba: 4 })).toThrow("tells these names apart")
  })
})
