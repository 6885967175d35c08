/** What all algorithms do with a ring of endpoints. */
import * as avoid from "../avoid"
import * as crc32 from "../../../policy-as/assembly/lib/crc32"
import * as make from "../../../policy-as/assembly/lib/ring/make"
import * as name from "./name"
import { Backend, Endpoint } from "../backend"
import { MAX_WEIGHT } from "../../../policy-as/assembly/lib/ring/points"
import { Member, MEMBER_BYTES, Ring, find, findNext } from "../../../policy-as/assembly/lib/ring/ring"

/** So many points are looked at for an endpoint not to keep away from. While a few are left it is found long before. */
const MAX_STEPS: i32 = 256

const NAME: usize = memory.data(64, 8)

/** The ring of a backend's endpoints, see `make`. */
export function ringOf(backend: Backend, before: Backend | null): Ring {
  const members = make.list(backend.count)
  for (let i: u32 = 0; i < backend.count; i++) {
    const member = changetype<Member>(members + <usize>i * MEMBER_BYTES)
    member.base = baseOf(backend.endpoint(i))
    member.points = min(<u32>backend.endpoint(i).weight, MAX_WEIGHT)
  }
  return make.make(members, backend.count, handOver(before))
}

/** Takes over the ring of the list before, to make the next one of it. */
export function handOver(before: Backend | null): Ring | null {
  if (before == null) return null
  const ring = before.ring
  before.ring = null
  return ring
}

function baseOf(endpoint: Endpoint): u32 {
  return crc32.checksum(NAME, name.put(endpoint, NAME) - NAME)
}

/**
 * The endpoint to which a hash belongs; if the attempt keeps away from it, the next one on the ring: that to which the hash
 * would belong if it were not there. So all requests of a key go to the same other endpoint.
 */
export function choose(backend: Backend, ring: Ring, hash: u32): u32 {
  let index = find(ring, hash)
  if (!avoid.isNeeded) return index
  avoid.decideBy(hash)
  for (let left = MAX_STEPS; left > 0; left--) {
    if (!avoid.from(backend, index)) return index
    index = findNext(ring)
  }
  return avoid.leftover(backend)
}
