/** A backend that uses a policy, as all workers see it: its endpoints, its configuration, its numbers. */
import type { ZoneName } from "./abi.ts"
import { zones } from "./abi.ts"
import { Numbers } from "./numbers.ts"

export interface Endpoint {
  /** `10.0.0.1:8080` */
  readonly address: string
  /** 1 to 100; 1 if absent. */
  readonly weight?: number
  readonly zone?: ZoneName
}

/** The list as the policy gets it. */
export interface List {
  readonly endpoints: readonly Endpoint[]
  /** Entries of `wick_get_endpoints`. */
  readonly entries: Uint8Array
  /** By place: where an endpoint's numbers are. */
  readonly slots: Int32Array
  /** By slot: the place; undefined if the endpoint is gone. */
  readonly places: ReadonlyMap<number, number>
}

export class Backend {
  readonly config: string
  readonly numbers = new Numbers()
  /** Moves with each change of the list. */
  version = 0
  list: List

  constructor(endpoints: readonly Endpoint[], config = "") {
    this.config = config
    this.list = this.#listOf(endpoints)
  }

  change(endpoints: readonly Endpoint[]): void {
    this.list = this.#listOf(endpoints)
    this.version++
  }

  #listOf(endpoints: readonly Endpoint[]): List {
    this.numbers.keep(new Set(endpoints.map(({ address }) => address)))
    const slots = Int32Array.from(endpoints, ({ address }) => this.numbers.slot(address))
    const places = new Map(Array.from(slots, (slot, place) => [slot, place] as const))
    return { endpoints, entries: entriesOf(endpoints), slots, places }
  }
}

function entriesOf(endpoints: readonly Endpoint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(endpoints.length * 16))
  for (const [i, { address, weight = 1, zone = "none" }] of endpoints.entries()) {
    view.setBigUint64(i * 16, idOf(address), true)
    view.setUint32(i * 16 + 8, weight, true)
    view.setUint32(i * 16 + 12, zones[zone], true)
  }
  return new Uint8Array(view.buffer)
}

/** FNV-1a: any number will do that is the same for the same address and port. */
function idOf(address: string): bigint {
  let id = 0xcbf29ce484222325n
  for (let i = 0; i < address.length; i++) {
    id = BigInt.asUintN(64, (id ^ BigInt(address.charCodeAt(i))) * 0x100000001b3n)
  }
  return id
}
