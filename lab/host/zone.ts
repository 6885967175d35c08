/** The zone `backends` of a host in Node: keys with values, the versions they move, and the shared slots of the keys. */
import { Slots } from "./slots.ts"

/** What a write demands of its key: nothing, that it is absent, or this cas number. */
const ANY = 0
const ABSENT = 0xffffffff

/** `value` null deletes. */
export interface Write {
  readonly key: string
  readonly value: Uint8Array | null
  readonly cas: number
}
interface Entry {
  readonly value: Uint8Array
  readonly cas: number
}

/** Keys are Latin-1 strings of their bytes. Several hosts that share a zone stand for the workers of one nginx. */
export class Zone {
  /** Moves with each write. */
  version = 0
  readonly slots: Slots
  readonly #entries = new Map<string, Entry>()
  readonly #versions = new Map<string, number>()

  constructor(slots = 1 << 16) {
    this.slots = new Slots(slots)
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Moves whenever this key is written or deleted. */
  versionOf(key: string): number {
    return this.#versions.get(key) ?? 0
  }

  /** All of the writes, or none: the index of the one whose demand is not met. */
  write(writes: readonly Write[]): number | undefined {
    const refused = writes.findIndex((write) => !this.#isAllowed(write))
    if (refused >= 0) return refused
    for (const write of writes) this.#apply(write)
    return undefined
  }

  #isAllowed({ key, cas }: Write): boolean {
    const present = this.#entries.get(key)
    if (cas === ABSENT) return present === undefined
    return cas === ANY || present?.cas === cas
  }

  #apply({ key, value }: Write): void {
    this.version++
    this.#versions.set(key, this.version)
    if (value) {
      this.#entries.set(key, { value, cas: this.version })
    } else {
      this.#entries.delete(key)
      this.slots.release(key)
    }
  }
}
