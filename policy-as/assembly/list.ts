import * as heap from "./lib/heap"
import * as host from "./host"
import { Need, need } from "./needs"
import { Ring } from "./lib/ring/ring"
import { Foreign } from "./foreign"

// @ts-ignore: decorator
@lazy const ZONES: bool = need(Need.ZONES)

/** One endpoint, 16 bytes: u64 id · u32 weight · u32 zone. */
export const ENTRY_BYTES: usize = 16
const GET_ADDRESS: host.Name = new host.Name(Foreign.GET_ENDPOINT_ADDRESS)
const INDEX: usize = memory.data(4, 4)

/** Where an endpoint is, seen from this nginx. */
export enum Zone {
  UNKNOWN,
  OURS,
  ANOTHER,
}

/** The endpoints of one backend, and what this package keeps for it. Its memory is the heap's: it lives as long as the backend. */
@unmanaged
export class List {
  /** How many endpoints there are. Never 0 in `pick` and `prepare`. */
  count: i32
  /** The backend, for the host. */
  context: i32
  /** The next backend in the bucket of callbacks.ts, by its address. */
  following: u32
  entries: usize
  /** Arguments of calls: 8 bytes for their head, then for each endpoint u64 index · u64 value. */
  numbers: usize
  /** A bit for each endpoint that this attempt is to keep away from; 0: none is. */
  avoided: usize
  greatestWeight: u32
  /** Whose turn is next, and in which round (lib/turns.ts). */
  next: i32
  round: u32
  /** Of policies that hash (hashing.ts). */
  ring: Ring | null
  /** Objects of AssemblyScript, pinned: what the policy remembers, and the text of its configuration. */
  kept: usize
  text: usize

  /** The place of an endpoint changes when the list does; its id stays as long as its address and port. */
  id(index: i32): u64 {
    return load<u64>(this.at(index))
  }

  /** 1 to 100. */
  weight(index: i32): i32 {
    return load<i32>(this.at(index), 8)
  }

  zone(index: i32): Zone {
    ZONES
    return <Zone>load<u32>(this.at(index), 12)
  }

  /** `10.0.0.1:8080` or `[2001:db8::1]:8080`. It is asked of the host: read what you need of it in `prepare`. */
  address(index: i32): string {
    store<i32>(INDEX, index)
    return host.foreign(GET_ADDRESS, INDEX, 4) == 0 ? host.text() : ""
  }

  port(index: i32): i32 {
    const address = this.address(index)
    return <i32>parseInt(address.slice(address.lastIndexOf(":") + 1))
  }

  /**
   * Should this attempt keep away from the endpoint? The request has tried it, it is left out after failures, or it is not warm yet. If such an
   * endpoint is chosen while another is left, wick's round robin chooses instead.
   */
  isAvoided(index: i32): bool {
    return (
      this.avoided != 0 && ((load<u8>(this.avoided + ((<usize>index) >> 3)) >> (<u8>(index & 7))) & 1) != 0
    )
  }

  /** The text of `wick.dev/policy-config`; empty if the Ingress has none. */
  get config(): string {
    return this.text == 0 ? "" : changetype<string>(this.text)
  }

  at(index: i32): usize {
    if (<u32>index >= <u32>this.count) unreachable()
    return this.entries + <usize>index * ENTRY_BYTES
  }

  /** Takes the list that the host brought. */
  take(count: i32, entries: usize): void {
    this.drop()
    const bytes = <usize>count * ENTRY_BYTES
    this.count = count
    this.avoided = 0
    this.entries = heap.allocate(2 * bytes + 8)
    this.numbers = this.entries + bytes
    memory.copy(this.entries, entries, bytes)
    this.greatestWeight = 1
    for (let i = 0; i < count; i++) {
      this.greatestWeight = max(this.greatestWeight, <u32>this.weight(i))
      store<u64>(this.numbers + 8 + <usize>i * 16, i)
    }
  }

  /** Gives the memory of the list back. */
  drop(): void {
    if (this.entries != 0) heap.free(this.entries)
    this.entries = 0
    this.count = 0
  }
}
