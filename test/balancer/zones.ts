/**
 * The shared zones of a fake host: what several instances have in common. Keys are Latin-1 strings of their bytes.
 * Versions as in nginx/kv: one per zone, and one per stripe of keys.
 */

import { Slots } from "./slots.ts"

/** What a write demands of the key: nothing, that it is absent, or a cas number. */
const ANY = 0
const ABSENT = 0xffffffff

/** As in nginx/kv. */
const SMALL_VALUE_BYTES = 16

export type Write = { key: string; value: Uint8Array | null; cas: number }
export type WriteFailure = { index: number; kind: "full" | "mismatch" | "no zone" | "malformed" }
type Entry = { value: Uint8Array; cas: number }

/** Hashes of keys that `list` looks at in one of 64 parts. */
const PART = 2 ** 26

class Zone {
  readonly entries = new Map<string, Entry>()
  version = 0n
  lastCas = 0
  usedBytes = 0

  /** How many bytes of keys and values fit; */
  roomBytes: number
  /** and how many more for small values. */
  reserveBytes = 0
  /** Nothing if the zone has none. */
  readonly slots: Slots | undefined

  constructor(roomBytes: number, slots: number) {
    this.roomBytes = roomBytes
    this.slots = slots > 0 ? new Slots(slots) : undefined
  }
}

export class Zones {
  readonly #zones: Map<string, Zone>
  readonly #stripes: BigUint64Array
  /** How many parts of the keys' hashes `list` looks at before it returns what it has: all of them, unless a test says less. */
  partsAtOnce = 64
  /** The clock that all processes share, in nanoseconds. It stands still unless a test moves it. */
  now = 3_600_000_000_000n

  /**
   * Sizes in bytes by the name of the zone. One stripe makes every write move the version of every key. `slots` is how many
   * the zone of the backends has.
   */
  constructor(
    sizes: Record<string, number> = {
      backends: 64 << 20,
      routes: 32 << 20,
      certificates: 128 << 20,
      passthroughs: 4 << 20,
    },
    stripes = 1024,
    slots = 65_536,
  ) {
    const zone = (name: string, bytes: number) => new Zone(bytes, name === "backends" ? slots : 0)
    this.#zones = new Map(Object.entries(sizes).map(([name, bytes]) => [name, zone(name, bytes)]))
    this.#stripes = new BigUint64Array(stripes)
  }

  /** Sets how many bytes of keys and values fit. */
  limit(name: string, roomBytes: number, reserveBytes = 0): void {
    const zone = this.#zones.get(name)
    if (zone) Object.assign(zone, { roomBytes, reserveBytes })
  }

  usedBytes(name: string): number {
    return this.#zones.get(name)?.usedBytes ?? 0
  }

  /** All keys and values of all zones. */
  *all(): Generator<readonly [string, Uint8Array]> {
    for (const { entries } of this.#zones.values())
      for (const [key, { value }] of entries) yield [key, value] as const
  }

  zoneOf(key: string): Zone | undefined {
    const slash = key.indexOf("/")
    return this.#zones.get(slash < 0 ? "*" : key.slice(0, slash))
  }

  /** Slots of the zone of the backends. */
  get slots(): Slots {
    const slots = this.#zones.get("backends")?.slots
    if (!slots) throw new Error("This zone has no slots")
    return slots
  }

  passMs(ms: number): void {
    this.now += BigInt(Math.round(ms * 1e6))
  }

  get(key: string): Entry | undefined {
    return this.zoneOf(key)?.entries.get(key)
  }

  /** Sum of all zones' versions: moves with each write. */
  get version(): bigint {
    return [...this.#zones.values()].reduce((sum, zone) => sum + zone.version, 0n)
  }

  keyVersion(key: string): bigint {
    return this.#stripes[this.#stripe(key)] ?? 0n
  }

  /** All of the writes, or none and the reason. */
  write(writes: readonly Write[]): WriteFailure | undefined {
    const failure = this.#check(writes)
    if (!failure) for (const write of writes) this.#apply(write)
    return failure
  }

  /** Keys in an order of their own that no write changes, as the host's walk has it. */
  list(prefix: string, cursor: number, most: number): { keys: string[]; next: number } {
    const zone = this.zoneOf(prefix)
    const all = [...(zone?.entries.keys() ?? [])].filter((key) => key.startsWith(prefix))
    const ordered = all.map((key) => ({ key, hash: hash(key) })).sort((a, b) => a.hash - b.hash)
    const end = (Math.floor(cursor / PART) + this.partsAtOnce) * PART
    const rest = ordered.filter(({ hash }) => hash >= cursor && hash < end)
    const last = rest[most]?.hash ?? (end < 2 ** 32 ? end : undefined)
    const part = last === undefined ? rest : rest.filter(({ hash }) => hash < last)
    return { keys: part.map(({ key }) => key), next: last ?? 0 }
  }

  #stripe(key: string): number {
    return hash(key) % this.#stripes.length
  }

  #check(writes: readonly Write[]): WriteFailure | undefined {
    const added = new Map<Zone, number>()
    const seen = new Set<string>()
    for (const [index, { key, value, cas }] of writes.entries()) {
      const zone = this.zoneOf(key)
      if (!zone) return { index, kind: "no zone" }
      if (seen.has(key)) return { index, kind: "malformed" }
      seen.add(key)
      const present = zone.entries.get(key)
      if (cas === ABSENT ? present : cas !== ANY && present?.cas !== cas) return { index, kind: "mismatch" }
      const isSmall = value !== null && value.length <= SMALL_VALUE_BYTES
      const bytes = (added.get(zone) ?? 0) + (value ? key.length + value.length : 0)
      added.set(zone, bytes)
      const roomBytes = zone.roomBytes + (isSmall ? zone.reserveBytes : 0)
      if (zone.usedBytes + bytes > roomBytes && !writes.every((write) => this.#takesNoMore(write)))
        return { index, kind: "full" }
    }
    return undefined
  }

  /** Old and new need room side by side, but for writes that all take no more than what they replace. */
  #takesNoMore({ key, value }: Write): boolean {
    const present = this.get(key)
    return value === null || (present !== undefined && value.length <= present.value.length)
  }

  #apply({ key, value }: Write): void {
    const zone = this.zoneOf(key)
    if (!zone) throw new Error(`no zone for ${key}`)
    const before = zone.entries.get(key)
    if (before) zone.usedBytes -= key.length + before.value.length
    if (value) {
      zone.lastCas++
      zone.usedBytes += key.length + value.length
      zone.entries.set(key, { value: value.slice(), cas: zone.lastCas })
    } else {
      zone.entries.delete(key)
      zone.slots?.release(key)
    }
    const stripe = this.#stripe(key)
    this.#stripes[stripe] = (this.#stripes[stripe] ?? 0n) + 1n
    zone.version++
  }
}

/** FNV-1a, never 0. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193) >>> 0
  return sum === 0 ? 1 : sum
}
