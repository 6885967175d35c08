/** The attempt record of a policy: in its memory if it has one there, else the host's own, which `wick_get_attempt` shows. Endpoints are places in the list. */
import { Flag, none, recordBytes } from "../../harness/abi.ts"
import { AttemptRecord } from "../guest/attempt-record.ts"
import type { Asked, Ended, Note } from "./attempts.ts"
import { noNote } from "./attempts.ts"
import type { List } from "./backend.ts"
import { Fault } from "./fault.ts"
import type { Guest } from "./guest.ts"

const nothing: readonly number[] = []

export class PolicyRecord {
  readonly #record: AttemptRecord

  /** @param at its address in the policy's memory, if there is one @throws Fault when there is none at that address */
  constructor(memory: Guest, at: number | undefined) {
    this.#record = at === undefined ? ownRecord() : recordAt(memory, at)
    this.#record.tellHost()
  }

  /** Before select. */
  ask({ tried = nothing, note: [low, high] = noNote, key }: Asked, list: List, nowNs: number): void {
    const places = tried.length === 0 ? nothing : tried.map((slot) => list.places.get(slot) ?? none)
    this.#record.beforeSelect(places, low, high)
    this.#record.setFlags(tried.length > 0 ? Flag.avoids : 0)
    this.#record.setNow(nowNs)
    this.#record.setKey(key === undefined ? undefined : Buffer.from(key))
  }

  /** Before info. */
  tell({ slot, attempt, outcome, status, firstByteNs, note }: Ended, list: List, nowNs: number): void {
    const [noteLow, noteHigh] = note
    const tag = list.places.get(slot) ?? none
    this.#record.beforeInfo({ attempt, tag, noteLow, noteHigh, outcome, status, firstByteNs }, 0)
    this.#record.setNow(nowNs)
  }

  /** What select left. */
  get tag(): number {
    return this.#record.tag
  }

  get note(): Note {
    const { noteLow, noteHigh } = this.#record
    return noteLow === 0 && noteHigh === 0 ? noNote : [noteLow, noteHigh]
  }

  /** A copy. */
  get bytes(): Uint8Array {
    return this.#record.bytes
  }
}

function ownRecord(): AttemptRecord {
  const bytes = recordBytes.filter
  return new AttemptRecord({ u32: new Uint32Array(bytes / 4) }, 0, bytes)
}

function recordAt(memory: Guest, at: number): AttemptRecord {
  if (at % 8 !== 0 || !memory.has(at, 4)) throw new Fault(`wick_attempt is ${at}: no address of a record`)
  const bytes = memory.load(at)
  if (bytes % 4 !== 0 || !memory.has(at, bytes))
    throw new Fault(`The attempt record says that it has ${bytes} bytes`)
  return new AttemptRecord(memory, at, bytes)
}
