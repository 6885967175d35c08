/** The attempt record (docs/abi.md) as its host writes it: in the guest's memory, or in the host's own for a guest that has none. */
import { hostVersion, maxTags, none, at as places, Want } from "../../harness/abi.ts"

/** Places in 32-bit words, as views of a memory count them. */
const ATTEMPT = places.attempt / 4
const TAG = places.tag / 4
const TRIED = places.tried / 4
const TAGS = places.tags / 4
const WANTS = places.wants / 4
const OUTCOME = places.outcome / 4
const STATUS = places.status / 4
const VERSION = places.version / 4
const NOTE = places.note / 4
const NOW = places.now / 4
const CONNECT_TIME = places.connectTime / 4
const FIRST_BYTE_TIME = places.firstByteTime / 4
const KEY_LENGTH = places.keyLength / 4
const KEY = places.key / 4

const TWO_32 = 0x100000000

/** An attempt that has ended, as the guest is told. */
export interface Ended {
  /** 0 for the first one of its request. */
  readonly attempt: number
  /** What select left in the record. */
  readonly tag: number
  readonly noteLow: number
  readonly noteHigh: number
  readonly outcome: number
  readonly status: number
  /** Nanoseconds from the choice to the head, or to the failure; absent: not known. */
  readonly firstByteNs: number | undefined
}

export class AttemptRecord {
  readonly #memory: { readonly u32: Uint32Array }
  /** The first word. */
  readonly #at: number
  readonly #words: number

  /** @param at its address, a multiple of four @param bytes as many as the guest knows, which it has in its memory */
  constructor(memory: { readonly u32: Uint32Array }, at: number, bytes: number) {
    this.#memory = memory
    this.#at = at >> 2
    this.#words = bytes >> 2
  }

  /** This host has the functions of docs/abi.md. */
  tellHost(): void {
    this.#set(VERSION, hostVersion)
  }

  /** Before select. `tried` are the tags of this request's earlier attempts, the note is that of the latest one. */
  beforeSelect(tried: readonly number[], noteLow: number, noteHigh: number): void {
    const from = Math.max(0, tried.length - maxTags)
    this.#set(ATTEMPT, tried.length)
    this.#set(TAG, none)
    this.#set(TRIED, tried.length - from)
    for (let i = from; i < tried.length; i++) this.#set(TAGS + i - from, tried[i] as number)
    this.#set(WANTS, Want.info | Want.times)
    this.#set(NOTE, noteLow)
    this.#set(NOTE + 1, noteHigh)
  }

  /** In a policy's select: bits of `Flag`. */
  setFlags(flags: number): void {
    this.#set(OUTCOME, flags)
  }

  /** Nanoseconds, below 2^53. */
  setNow(nanoseconds: number): void {
    this.#setTime(NOW, nanoseconds)
  }

  /** The value that the configuration names as key. */
  setKey(key: Uint8Array | undefined): void {
    const fits = key !== undefined && key.length <= (this.#words - KEY) * 4
    this.#set(KEY_LENGTH, fits ? key.length : none)
    if (fits) new Uint8Array(this.#memory.u32.buffer).set(key, (this.#at + KEY) << 2)
  }

  /** Before info. @param connectNs nanoseconds from the choice until the connection stood; absent: not known */
  beforeInfo(ended: Ended, connectNs: number | undefined): void {
    this.#set(ATTEMPT, ended.attempt)
    this.#set(TAG, ended.tag)
    this.#set(NOTE, ended.noteLow)
    this.#set(NOTE + 1, ended.noteHigh)
    this.#set(OUTCOME, ended.outcome)
    this.#set(STATUS, ended.status)
    this.#setTime(CONNECT_TIME, connectNs)
    this.#setTime(FIRST_BYTE_TIME, ended.firstByteNs)
  }

  /** What select left. */
  get tag(): number {
    return this.#word(TAG)
  }
  get wants(): number {
    return this.#word(WANTS)
  }
  get noteLow(): number {
    return this.#word(NOTE)
  }
  get noteHigh(): number {
    return this.#word(NOTE + 1)
  }

  /** What the guest was told last. */
  get now(): number {
    return this.#word(NOW + 1) * TWO_32 + this.#word(NOW)
  }

  /** A copy. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory.u32.slice(this.#at, this.#at + this.#words).buffer)
  }

  #word(word: number): number {
    return word < this.#words ? (this.#memory.u32[this.#at + word] as number) : 0
  }

  #set(word: number, value: number): void {
    if (word < this.#words) this.#memory.u32[this.#at + word] = value
  }

  #setTime(word: number, nanoseconds: number | undefined): void {
    this.#set(word, nanoseconds ?? none)
    this.#set(word + 1, nanoseconds === undefined ? none : nanoseconds / TWO_32)
  }
}
