/**
 * Which endpoints of a new list were in the list before, and where. Lists mostly come in the same order with few changes,
 * so they are walked side by side; a table of the old list is only made for what does not stand where it is expected.
 */
import * as arena from "../../policy-as/assembly/lib/arena"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import { Backend, Endpoint } from "./backend"

/** The place of an endpoint that was not there before. */
export const NEW: u32 = 0xffffffff

/** Per endpoint u32 place in the old list; 0 as long as nobody asked. */
let places: usize = 0

/** Per bucket u32 place in the old list + 1, 0 for free; as many buckets as `mask` says. */
let table: usize = 0
let mask: u32 = 0

/** Another pair of lists comes. */
export function forget(): void {
  places = 0
}

/**
 * The place in the list of `before` of an endpoint of `backend`, or `NEW`. It is the same endpoint when address and port
 * are the same; its weight may differ.
 */
export function placeBefore(backend: Backend, before: Backend, index: u32): u32 {
  if (places == 0) findAll(backend, before)
  return load<u32>(places + ((<usize>index) << 2))
}

function findAll(backend: Backend, before: Backend): void {
  places = arena.allocate((<usize>backend.count) << 2)
  table = 0
  let expected: u32 = 0
  for (let i: u32 = 0; i < backend.count; i++) {
    const place = find(backend.endpoint(i), before, expected)
    store<u32>(places + ((<usize>i) << 2), place)
    if (place != NEW) expected = place + 1
  }
}

function find(endpoint: Endpoint, before: Backend, expected: u32): u32 {
  if (before.count == 0) return NEW
  if (expected < before.count && isSame(endpoint, before.endpoint(expected))) return expected
  if (table == 0) makeTable(before)
  let bucket = firstBucket(endpoint)
  while (true) {
    const place = load<u32>(bucketAt(bucket)) - 1
    if (place == NEW || isSame(endpoint, before.endpoint(place))) return place
    bucket++
  }
}

function isSame(a: Endpoint, b: Endpoint): bool {
  const isAlike = a.tag == b.tag && a.port == b.port && a.length == b.length
  return isAlike && bytes.equal(a.text, b.text, a.length)
}

function makeTable(before: Backend): void {
  const buckets: u32 = 1 << (33 - clz(before.count))
  mask = buckets - 1
  table = arena.allocate((<usize>buckets) << 2)
  memory.fill(table, 0, (<usize>buckets) << 2)
  for (let i: u32 = 0; i < before.count; i++) {
    let bucket = firstBucket(before.endpoint(i))
    while (load<u32>(bucketAt(bucket)) != 0) bucket++
    store<u32>(bucketAt(bucket), i + 1)
  }
}

/** The tags of one subnet differ in few bits: all of them are mixed. */
function firstBucket(endpoint: Endpoint): u32 {
  return <u32>bytes.mix(endpoint.tag)
}

function bucketAt(bucket: u32): usize {
  return table + ((<usize>(bucket & mask)) << 2)
}
