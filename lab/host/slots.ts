/**
 * Shared slots (docs/abi.md) for hosts in Node. What is called for each attempt takes 64-bit numbers as pairs of words in the
 * filter's memory, given by the index of the low one: BigInt would cost more than the filter that is measured.
 */

const CELLS = 5
/** The cell that is a gauge. */
const GAUGE = 4
const WORDS = 2 * CELLS
const TWO_32 = 0x100000000

/** What one process has added to each slot's gauge. */
export type Parts = Float64Array

/** A slot's number: its index in the low word, in the high one how often this place was given away. */
export class Slots {
  readonly #words: Uint32Array
  readonly #generations: Uint32Array
  readonly #free: number[]
  /** Key → the filter's id → index of its slot. */
  readonly #open = new Map<string, Map<bigint, number>>()
  readonly #parts: Parts[] = []

  constructor(count: number) {
    this.#words = new Uint32Array(count * WORDS)
    // From 1, so that the number 0 is never a slot.
    this.#generations = new Uint32Array(count).fill(1)
    this.#free = Array.from({ length: count }, (_, i) => count - 1 - i)
  }

  /** A process begins. */
  join(): Parts {
    const parts = new Float64Array(this.#generations.length)
    this.#parts.push(parts)
    return parts
  }

  /** The key has slots for these ids, whose places take their numbers; false, and nothing changed, if none is free. */
  open(key: string, ids: BigUint64Array): boolean {
    const before = this.#open.get(key) ?? new Map<bigint, number>()
    const wanted = new Set(ids)
    let missing = 0
    for (const id of wanted) if (!before.has(id)) missing++
    if (missing > this.#free.length) return false
    const now = new Map<bigint, number>()
    for (const id of wanted) now.set(id, before.get(id) ?? this.#take())
    for (const [id, index] of before) if (!now.has(id)) this.#give(index)
    this.#open.set(key, now)
    for (const [i, id] of ids.entries()) ids[i] = this.#number(now.get(id) ?? 0)
    return true
  }

  /** The key is gone. */
  release(key: string): void {
    for (const index of this.#open.get(key)?.values() ?? []) this.#give(index)
    this.#open.delete(key)
  }

  /** `count` pairs of slot and value: fills in the values. */
  get(cell: number, memory: Uint32Array, at: number, count: number): void {
    for (let i = at; i < at + 4 * count; i += 4) {
      const word = this.#find(memory, i, cell)
      memory[i + 2] = word < 0 ? 0 : (this.#words[word] as number)
      memory[i + 3] = word < 0 ? 0 : (this.#words[word + 1] as number)
    }
  }

  /** Slot and what to add, in whose place the sum comes; false if the slot was released. */
  add(cell: number, memory: Uint32Array, at: number, parts: Parts): boolean {
    const word = this.#find(memory, at, cell)
    if (word < 0) return false
    if (cell === GAUGE) this.#gauge(word, memory, at, parts)
    else this.#sum(word, memory, at)
    return true
  }

  /** Slot, expected and wanted value. True: swapped. False: the cell's own value took the place of the expected one.
   * Nothing: the slot was released. */
  swap(cell: number, memory: Uint32Array, at: number): boolean | undefined {
    const word = this.#find(memory, at, cell)
    if (word < 0) return undefined
    const words = this.#words
    const isExpected = words[word] === memory[at + 2] && words[word + 1] === memory[at + 3]
    if (isExpected) {
      words[word] = memory[at + 4] as number
      words[word + 1] = memory[at + 5] as number
    } else {
      memory[at + 2] = words[word] as number
      memory[at + 3] = words[word + 1] as number
    }
    return isExpected
  }

  /** The low word of a slot's cell, -1 if the slot was released. */
  #find(memory: Uint32Array, at: number, cell: number): number {
    const index = memory[at] as number
    return this.#generations[index] === memory[at + 1] ? index * WORDS + 2 * cell : -1
  }

  #sum(word: number, memory: Uint32Array, at: number): void {
    const words = this.#words
    const low = (words[word] as number) + (memory[at + 2] as number)
    words[word] = low
    words[word + 1] = (words[word + 1] as number) + (memory[at + 3] as number) + (low >= TWO_32 ? 1 : 0)
    memory[at + 2] = words[word] as number
    memory[at + 3] = words[word + 1] as number
  }

  /** A process's part does not go below 0. */
  #gauge(word: number, memory: Uint32Array, at: number, parts: Parts): void {
    const words = this.#words
    const index = memory[at] as number
    const before = parts[index] as number
    const after = Math.max(0, before + ((memory[at + 3] as number) | 0) * TWO_32 + (memory[at + 2] as number))
    parts[index] = after
    const sum = (words[word] as number) + after - before
    words[word] = sum
    memory[at + 2] = sum
    memory[at + 3] = 0
  }

  #take(): number {
    const index = this.#free.pop() as number
    this.#generations[index] = (this.#generations[index] as number) + 1
    this.#words.fill(0, index * WORDS, (index + 1) * WORDS)
    for (const parts of this.#parts) parts[index] = 0
    return index
  }

  #give(index: number): void {
    this.#generations[index] = (this.#generations[index] as number) + 1
    this.#free.push(index)
  }

  #number(index: number): bigint {
    return (BigInt(this.#generations[index] as number) << 32n) | BigInt(index)
  }
}
