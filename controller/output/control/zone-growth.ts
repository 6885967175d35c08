import { type ZoneName, zoneNames } from "../../model/http/processes.ts"
import type { LiveKind } from "../../model/model.ts"
import type { ZoneFill } from "../../model/zone-fill.ts"
import type { GrownZone, GrownZones } from "../render/site.ts"
import type { ControlClient } from "./client.ts"
import { readZones } from "./counters.ts"
import type { Refusal } from "./refusal.ts"

// The zones of shared memory follow what is in them: one that gets full is given twice its size. That takes a reload, which keeps all records.

/** A zone that is fuller grows: what is replaced needs room beside what it replaces. */
const maxFill = 0.8

/** A record is shorter than its JSON, and its place at most twice as long; the one before keeps its own until nobody reads it. */
const roomForJson = 1 / 8

/** The shortest thing that has a slot of its own is longer as JSON. */
const minJsonBytes = 16

/** What the module takes. */
const maxSlots = 2 ** 20

/** Slots are taken when requests come, not when endpoints are posted: nobody relies for longer on what nginx said. */
const maxAgeMs = 5000

export class ZoneGrowth {
  readonly #client: Pick<ControlClient, "get">
  #grown: GrownZones = {}
  /** nginx did not take larger ones: they stay as they are until nginx is started anew */
  readonly #stuck = new Set<string>()
  readonly #now: () => number
  /** nginx is asked when so much has been posted, or so late: before that no zone can be full */
  #due = atOnce

  /** @param now a clock in milliseconds that never goes back */
  constructor(client: Pick<ControlClient, "get">, now: () => number = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  /** What is printed: at least so much. */
  get grown(): GrownZones {
    return this.#grown
  }

  /** Bytes that zones may come to have. @param sizes at the start; @param maxBytes no zone grows beyond */
  largest(sizes: Readonly<Record<ZoneName, number>>, maxBytes: number): Readonly<Record<ZoneName, number>> {
    const largest = zoneNames.map((name) => {
      const now = Math.max(sizes[name], this.#grown[name]?.bytes ?? 0)
      return [name, this.#stuck.has(name) ? now : Math.max(now, maxBytes)]
    })
    return Object.fromEntries(largest)
  }

  /** nginx has another configuration, in which zones may be smaller. */
  reloaded(): void {
    this.#due = atOnce
  }

  /** Notes the sizes of an nginx that was found running: it is not to lose what it has. */
  async adopt(): Promise<void> {
    const zones = (await readZones(this.#client)).filter(isOurs)
    this.#grown = Object.fromEntries(
      zones.map(({ name, size, slots = 0 }) => [name, { bytes: size, slots }] as const),
    )
  }

  /**
   * Looks whether zones have to be larger than they are; `grown` says how large then. Does not ask nginx as long as what was posted since the last
   * time is little beside the room that there was, and that was a moment ago: the next change waits for the answer.
   *
   * @param maxBytes no zone grows beyond
   * @param refusals those for want of room
   * @param postedBytes all that was posted so far
   * @returns the zones that have to grow
   */
  async look(maxBytes: number, refusals: readonly Refusal[], postedBytes: number): Promise<GrownZones> {
    const now = this.#now()
    if (refusals.length === 0 && postedBytes < this.#due.postedBytes && now < this.#due.atMs) return {}
    const full = new Set(refusals.flatMap(({ item, status }) => (status === 507 ? [zoneOf(item.kind)] : [])))
    const zones = (await readZones(this.#client)).filter(isOurs)
    const larger = Object.fromEntries(
      zones.flatMap((zone) => {
        const wanted = this.#wanted(zone, maxBytes, full.has(zone.name))
        return wanted === undefined ? [] : [[zone.name, wanted] as const]
      }),
    )
    this.#grown = { ...this.#grown, ...larger }
    this.#due = { postedBytes: postedBytes + roomBytes(zones), atMs: now + maxAgeMs }
    return larger
  }

  /** nginx does not take these: they stay as they were. */
  takeBack(larger: GrownZones, before: GrownZones): void {
    for (const name of Object.keys(larger)) this.#stuck.add(name)
    this.#grown = before
  }

  /** Undefined when it is large enough, or may not be larger. */
  #wanted(zone: OurZone, maxBytes: number, isRefused: boolean): GrownZone | undefined {
    const { name, size, used, free, slots = 0, slots_used = 0 } = zone
    if (this.#stuck.has(name)) return undefined
    const isFull = isRefused || used > maxFill * (used + free)
    const bytes = isFull ? Math.max(size, Math.min(2 * size, maxBytes)) : size
    const more = slots_used > maxFill * slots ? Math.min(2 * slots, maxSlots) : slots
    return bytes > size || more > slots ? { bytes, slots: more } : undefined
  }
}

const atOnce = { postedBytes: 0, atMs: 0 }

/** JSON that can be posted before one of them may have to grow; 0 when nginx has not said anything of them. */
function roomBytes(zones: readonly OurZone[]): number {
  return zones.length === 0 ? 0 : Math.min(...zones.map(roomOf))
}

function roomOf({ used, free, slots = 0, slots_used = 0 }: OurZone): number {
  const bytes = roomForJson * (maxFill * (used + free) - used)
  return slots === 0 ? bytes : Math.min(bytes, minJsonBytes * (maxFill * slots - slots_used))
}

type OurZone = ZoneFill & { readonly name: ZoneName }

function isOurs(zone: ZoneFill): zone is OurZone {
  return (zoneNames as readonly string[]).includes(zone.name)
}

/** The zone that things of a kind lie in, which their keys begin with. Source: `prefix` in wire/kinds.ts. */
function zoneOf(kind: LiveKind | "routeParts"): ZoneName {
  switch (kind) {
    case "backends":
      return "backends"
    case "hosts":
    case "routeParts":
    case "addressLists":
    case "userLists":
    case "streams":
      return "routes"
    case "certificates":
    case "authorities":
    case "staples":
    case "tlsHosts":
      return "certificates"
    case "passthroughs":
      return "passthroughs"
    default:
      return kind satisfies never
  }
}
