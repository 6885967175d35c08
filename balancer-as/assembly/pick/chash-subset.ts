/**
 * Consistent hashing to a few endpoints: the list is cut into subsets of one size, the last one filled up from the start; a
 * key belongs to a subset, and any endpoint of it serves. The subsets are called as in ingress-nginx, so that keys stay.
 */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as avoid from "../avoid"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as crc32 from "../../../policy-as/assembly/lib/crc32"
import * as hashKey from "./hash-key"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as make from "../../../policy-as/assembly/lib/ring/make"
import * as name from "./name"
import * as onRing from "./on-ring"
import * as random from "../random"
import * as record from "../record"
import { Setting } from "../ids"
import { Backend } from "../backend"
import { Member, MEMBER_BYTES, find } from "../../../policy-as/assembly/lib/ring/ring"

const DEFAULT_SIZE: u32 = 3


@unmanaged
class State {
  template: usize
  /** Endpoints of each subset: not more than there are. */
  size: u32
}

function stateOf(backend: Backend): State {
  return changetype<State>(backend.state)
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<State>())
  const state = stateOf(backend)
  state.template = hashKey.templateOf(backend)
  state.size = min(wantedSize(backend), backend.count)
  const subsets = (backend.count + state.size - 1) / state.size
  backend.ring = make.make(membersOf(subsets), subsets, onRing.handOver(before))
}

function wantedSize(backend: Backend): u32 {
  const setting = record.setting(backend.head, Setting.SUBSET_SIZE)
  const size = setting == 0 ? 0 : load<u32>(record.fieldValue(setting))
  return size == 0 ? DEFAULT_SIZE : size
}

/** They are called `set1`, `set2` … */
function membersOf(subsets: u32): usize {
  const members = make.list(subsets)
  const text = arena.allocate(name.MAX_BYTES)
  const number = bytes.put(text, "set")
  for (let i: u32 = 0; i < subsets; i++) {
    const member = changetype<Member>(members + <usize>i * MEMBER_BYTES)
    member.base = crc32.checksum(text, name.decimal(i + 1, number) - text)
    member.points = 1
  }
  return members
}

/** When all of the subset are to be kept away from, any other endpoint is better. */
export function pick(backend: Backend): u32 {
  const state = stateOf(backend)
  if (!hashKey.read(backend, state.template)) return avoid.leftover(backend)
  const first = find(backend.ring!, hashKey.hash) * state.size
  const start = random.below(state.size)
  for (let i: u32 = 0; i < state.size; i++) {
    const index = (first + ((start + i) % state.size)) % backend.count
    if (!avoid.isNeeded || !avoid.from(backend, index)) return index
  }
  return avoid.leftover(backend)
}
