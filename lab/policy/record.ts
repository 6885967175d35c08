/** The attempt record: in the policy's memory if it has one there, else the host's own, which `wick_get_attempt` shows. */
import { Flag, hostVersion, maxTags, none, recordBytes, Want } from "../abi.ts"
import * as record from "../host/attempt.ts"
import type { Asked, Ended, Note } from "./attempts.ts"
import { noNote } from "./attempts.ts"
import type { List } from "./backend.ts"
import { Fault } from "./fault.ts"
import type { Guest } from "./guest.ts"

const TWO_32 = 0x100000000
const nothing: readonly number[] = []

export class AttemptRecord {
  readonly #guest: Guest
  readonly #own = new Uint32Array(recordBytes.filter / 4)
  readonly #isOwn: boolean
  /** The first word. */
  readonly #at: number
  readonly #words: number

  /** @param at its address in the policy's memory, if there is one @throws Fault when there is none at that address */
  constructor(guest: Guest, at: number | undefined) {
    this.#guest = guest
    this.#isOwn = at === undefined
    if (at !== undefined && (at % 8 !== 0 || !guest.has(at, 4))) {
      throw new Fault(`wick_attempt is ${at}: no address of a record`)
    }
    const bytes = at === undefined ? recordBytes.filter : guest.load(at)
    if (at !== undefined && (bytes % 4 !== 0 || !guest.has(at, bytes))) {
      throw new Fault(`The attempt record says that it has ${bytes} bytes`)
    }
    this.#at = (at ?? 0) >> 2
    this.#words = bytes >> 2
    this.#set(record.VERSION, hostVersion)
  }

  /** Before select. */
  ask({ tried = nothing, note = noNote, key }: Asked, list: List, nowNs: number): void {
    this.#set(record.ATTEMPT, tried.length)
    this.#set(record.TAG, none)
    const first = Math.max(0, tried.length - maxTags)
    this.#set(record.TRIED, tried.length - first)
    for (let i = first; i < tried.length; i++) {
      this.#set(record.TAGS + i - first, list.places.get(tried[i] as number) ?? none)
    }
    this.#set(record.WANTS, Want.info | Want.times)
    this.#set(record.OUTCOME, tried.length > 0 ? Flag.avoids : 0)
    this.#setNote(note)
    this.#setTime(record.NOW, nowNs)
    this.#setKey(key)
  }

  /** Before info. */
  tell({ slot, attempt, outcome, status, firstByteNs, note }: Ended, list: List, nowNs: number): void {
    this.#set(record.ATTEMPT, attempt)
    this.#set(record.TAG, list.places.get(slot) ?? none)
    this.#setNote(note)
    this.#set(record.OUTCOME, outcome)
    this.#set(record.STATUS, status)
    this.#setTime(record.NOW, nowNs)
    this.#setTime(record.CONNECT_TIME, 0)
    this.#setTime(record.FIRST_BYTE_TIME, firstByteNs)
  }

  /** What select left. */
  get tag(): number {
    return this.#word(record.TAG)
  }

  get note(): Note {
    const [low, high] = [this.#word(record.NOTE), this.#word(record.NOTE + 1)]
    return low === 0 && high === 0 ? noNote : [low, high]
  }

  /** A copy. */
  get bytes(): Uint8Array {
    const words = this.#memory.slice(this.#at, this.#at + this.#words)
    return new Uint8Array(words.buffer)
  }

  get #memory(): Uint32Array {
    return this.#isOwn ? this.#own : this.#guest.u32
  }

  #word(word: number): number {
    return word < this.#words ? (this.#memory[this.#at + word] as number) : 0
  }

  #set(word: number, value: number): void {
    if (word < this.#words) this.#memory[this.#at + word] = value
  }

  #setNote([low, high]: Note): void {
    this.#set(record.NOTE, low)
    this.#set(record.NOTE + 1, high)
  }

  #setTime(word: number, nanoseconds: number): void {
    this.#set(word, nanoseconds)
    this.#set(word + 1, nanoseconds / TWO_32)
  }

  #setKey(key: string | undefined): void {
    const bytes = key === undefined ? undefined : Buffer.from(key)
    const fits = bytes !== undefined && bytes.length <= (this.#words - record.KEY) * 4
    this.#set(record.KEY_LENGTH, fits ? bytes.length : none)
    if (fits) new Uint8Array(this.#memory.buffer).set(bytes, (this.#at + record.KEY) << 2)
  }
}
