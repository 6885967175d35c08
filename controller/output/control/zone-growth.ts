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

/** What the module takes. */
const maxSlots = 2 ** 20

export class ZoneGrowth {
  readonly #client: Pick<ControlClient, "get">
  #grown: GrownZones = {}
  /** nginx did not take larger ones: they stay as they are until nginx is started anew */
  readonly #stuck = new Set<string>()

  constructor(client: Pick<ControlClient, "get">) {
    this.#client = client
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

  /** Notes the sizes of an nginx that was found running: it is not to lose what it has. */
  async adopt(): Promise<void> {
    const zones = (await readZones(this.#client)).filter(isOurs)
    this.#grown = Object.fromEntries(
      zones.map(({ name, size, slots = 0 }) => [name, { bytes: size, slots }] as const),
    )
  }

  /**
   * Looks whether zones have to be larger than they are; `grown` says how large then.
   *
   * @param maxBytes no zone grows beyond
   * @param refusals those for want of room
   * @returns the zones that have to grow
   */
  async look(maxBytes: number, refusals: readonly Refusal[]): Promise<GrownZones> {
    const full = new Set(refusals.flatMap(({ item, status }) => (status === 507 ? [zoneOf(item.kind)] : [])))
    const zones = (await readZones(this.#client)).filter(isOurs)
    const larger = Object.fromEntries(
      zones.flatMap((zone) => {
        const wanted = this.#wanted(zone, maxBytes, full.has(zone.name))
        return wanted === undefined ? [] : [[zone.name, wanted] as const]
      }),
    )
    this.#grown = { ...this.#grown, ...larger }
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
