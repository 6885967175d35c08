/** The shared slots of a zone (docs/abi.md): four cells and a gauge each, by key and id. A process is any object. */

const GAUGE = 4

type Slot = { cells: BigUint64Array; running: Map<object, bigint> }

export class Slots {
  /** By the number that the filter is told, which is never used again. */
  readonly #slots = new Map<bigint, Slot>()
  /** Per key: numbers by id. */
  readonly #keys = new Map<string, Map<bigint, bigint>>()
  readonly #most: number
  #lastNumber = 0xabc_0000_0000n

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#slots.size
  }

  /** The numbers for these ids, which are the only ones of the key from now on; nothing if there are not enough. */
  open(key: string, ids: readonly bigint[]): bigint[] | undefined {
    const before = this.#keys.get(key) ?? new Map<bigint, bigint>()
    const wanted = new Set(ids)
    const added = [...wanted].filter((id) => !before.has(id))
    if (this.#slots.size + added.length > this.#most) return undefined
    for (const [id, number] of before) if (!wanted.has(id)) this.#slots.delete(number)
    const numbers = new Map([...wanted].map((id) => [id, before.get(id) ?? this.#take()]))
    this.#keys.set(key, numbers)
    return ids.map((id) => numbers.get(id) as bigint)
  }

  /** The number that the key has for an id; 0 if it has none. */
  find(key: string, id: bigint): bigint {
    return this.#keys.get(key)?.get(id) ?? 0n
  }

  /** The key was deleted. */
  release(key: string): void {
    this.open(key, [])
    this.#keys.delete(key)
  }

  /** The key's slots in the order in which they were opened. */
  numbersOf(key: string): bigint[] {
    return [...(this.#keys.get(key)?.values() ?? [])]
  }

  /** 0 of a slot that was released. */
  get(number: bigint, cell: number): bigint {
    const slot = this.#slots.get(number)
    if (!slot) return 0n
    return cell === GAUGE ? sum(slot.running) : (slot.cells[cell] as bigint)
  }

  /** The sum; nothing if the slot was released. */
  add(process: object, number: bigint, cell: number, by: bigint): bigint | undefined {
    const slot = this.#slots.get(number)
    if (!slot) return undefined
    if (cell === GAUGE) {
      const part = (slot.running.get(process) ?? 0n) + BigInt.asIntN(64, by)
      slot.running.set(process, part < 0n ? 0n : part)
    } else {
      slot.cells[cell] = (slot.cells[cell] as bigint) + by
    }
    return this.get(number, cell)
  }

  /** What the cell held before, which is what was expected if it was written; nothing if the slot was released. */
  swap(number: bigint, cell: number, expected: bigint, wanted: bigint): bigint | undefined {
    const slot = this.#slots.get(number)
    const present = slot?.cells[cell]
    if (slot && present === expected) slot.cells[cell] = wanted
    return present
  }

  /** A process was killed. */
  forget(process: object): void {
    for (const { running } of this.#slots.values()) running.delete(process)
  }

  #take(): bigint {
    this.#lastNumber += 0x1_0000_0001n
    this.#slots.set(this.#lastNumber, { cells: new BigUint64Array(4), running: new Map() })
    return this.#lastNumber
  }
}

function sum(parts: Map<object, bigint>): bigint {
  return [...parts.values()].reduce((a, b) => a + b, 0n)
}
