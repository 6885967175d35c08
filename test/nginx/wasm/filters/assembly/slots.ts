// The probe's commands on shared slots. A slot is named by its key and its place among the ids with which that was opened.
import * as abi from "./abi"

const opened = new Map<string, StaticArray<u64>>()
/** The version that the next `slot-open` claims to have read. */
let seen: u64 = 0

export function command(words: string[]): string {
  const name = words[0]
  if (name == "slot-see") return see(words[1])
  if (name == "slot-open") return open(words[1], words.slice(2))
  if (name == "slot-numbers") return opened.get(words[1]).join(",")
  if (name == "slot-get") return get(<u32>parseInt(words[1]), words[2])
  if (name == "slot-storm") storm(words[1], <i32>parseInt(words[2]))
  const cell = <u32>parseInt(words[1])
  const slot = opened.get(words[2])[<i32>parseInt(words[3])]
  if (name == "slot-add") return shown(change("wick_add_slot", cell, slot, [I64.parseInt(words[4])]))
  if (name == "slot-swap") {
    return shown(change("wick_swap_slot", cell, slot, [I64.parseInt(words[4]), I64.parseInt(words[5])]))
  }
  if (name == "slot-count") return count(cell, slot, <i32>parseInt(words[4]))
  return `unknown:${name}`
}

function version(key: string): u64 {
  return load<u64>(changetype<usize>(abi.foreign("wick_shared_data_version", abi.utf8(key)).bytes))
}

function see(key: string): string {
  seen = version(key)
  return ""
}

function open(key: string, ids: string[]): string {
  const text = abi.utf8(key)
  const args = new ArrayBuffer(16 + ids.length * 8 + text.byteLength)
  const at = changetype<usize>(args)
  store<u64>(at, seen != 0 ? seen : version(key))
  store<u32>(at, ids.length, 8)
  store<u32>(at, text.byteLength, 12)
  for (let i = 0; i < ids.length; i++) store<u64>(at + 16 + i * 8, U64.parseInt(ids[i]))
  memory.copy(at + 16 + ids.length * 8, changetype<usize>(text), text.byteLength)
  seen = 0
  const status = abi.foreign("wick_open_slots", args).status
  if (status != 0) return status.toString()
  const numbers = new StaticArray<u64>(ids.length)
  memory.copy(changetype<usize>(numbers), at + 16, ids.length * 8)
  opened.set(key, numbers)
  return "0"
}

/** The cell of all slots that were opened for the key. */
function get(cell: u32, key: string): string {
  if (!opened.has(key)) return "none"
  const slots = opened.get(key)
  const args = new ArrayBuffer(8 + slots.length * 16)
  const at = changetype<usize>(args)
  store<u32>(at, cell)
  store<u32>(at, slots.length, 4)
  for (let i = 0; i < slots.length; i++) store<u64>(at + 8 + i * 16, slots[i])
  const status = abi.foreign("wick_get_slots", args).status
  if (status != 0) return status.toString()
  const values: string[] = []
  for (let i = 0; i < slots.length; i++) values.push(load<u64>(at + 16 + i * 16).toString())
  return values.join(",")
}

class Changed {
  constructor(
    public status: i32,
    public value: u64,
  ) {}
}

/** Calls a function that takes a slot and some words, the first of which it replaces. */
function change(name: string, cell: u32, slot: u64, words: i64[]): Changed {
  const args = new ArrayBuffer(16 + words.length * 8)
  const at = changetype<usize>(args)
  store<u32>(at, cell)
  store<u64>(at, slot, 8)
  for (let i = 0; i < words.length; i++) store<i64>(at + 16 + i * 8, words[i])
  const status = abi.foreign(name, args).status
  return new Changed(status, load<u64>(at, 16))
}

function shown(changed: Changed): string {
  return `${changed.status}:${changed.value}`
}

/** Counts a cell up by compare-and-swap, `times` times; says how often somebody else was faster. */
function count(cell: u32, slot: u64, times: i32): string {
  let lost = 0
  let expected: u64 = 0
  for (let i = 0; i < times; i++) {
    while (true) {
      const swapped = change("wick_swap_slot", cell, slot, [expected, expected + 1])
      if (swapped.status == 0) break
      if (swapped.status != 8) return swapped.status.toString()
      expected = swapped.value
      lost++
    }
    expected++
  }
  return `lost${lost}`
}

/** For ever: writes the key, opens as many slots as there are ids at most, writes to them, deletes the key. */
function storm(key: string, most: i32): void {
  const ids: string[] = []
  for (let round = 0; ; round++) {
    abi.setSharedData(key, abi.utf8("x"))
    ids.length = 0
    for (let i = 0; i < (round * 7) % most; i++) ids.push((round + i).toString())
    open(key, ids)
    const slots = opened.has(key) ? opened.get(key) : new StaticArray<u64>(0)
    for (let i = 0; i < slots.length; i++) change("wick_add_slot", 0, slots[i], [1])
    if (round % 3 == 0) abi.deleteSharedData(key)
  }
}
