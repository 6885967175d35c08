/**
 * A backend as this instance knows it: its record, decoded for picking. What belongs to it lies in blocks of the heap, so
 * that a backend that changes a million times takes no more memory than its largest list.
 */
import * as address from "./address"
import { NO_TAG } from "./attempt"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as record from "./record"
import { Setting } from "./ids"
import { Ring, destroy } from "../../policy-as/assembly/lib/ring/ring"

/** Longest text that `putText` writes: an IPv6 literal in brackets. */
const MAX_TEXT_BYTES: usize = address.MAX_TEXT_BYTES + 2

/** One endpoint, 16 bytes. 0: u32 address of its text · 4: u32 tag · 8: u16 port · 10: u16 weight · 12: u8 length of the text */
@unmanaged
export class Endpoint {
  /** An IP literal without port, IPv6 in brackets. Eight bytes more may be read: see bytes.ts. */
  text: usize
  /** By this the host tells on a retry that it was tried. Unique in a backend whose endpoints share a port. */
  tag: u32
  port: u16
  weight: u16
  length: u8
}

const ENDPOINT_BYTES: usize = 16
/** `backends/` */
const PREFIX_BYTES: u32 = 9
/** The place of no endpoint. */
export const NOWHERE: u32 = 0xffffffff


@unmanaged
export class Backend {
  /** The next one in the same bucket of the table. */
  next: Backend | null
  /** Hash of its name. */
  hash: u64
  /** Key of its record, `backends/<name>`, right behind this object. */
  keyLength: u32
  /** What `wick_shared_data_version` said before the record was read. */
  version: u64
  hasVersion: bool
  /** When that was last compared, in changes that this instance was told of. */
  checked: u64
  /** Asked for since the table was last swept here. */
  wasUsed: bool
  /** Hash of the record; 0 if there is none. */
  fingerprint: u64
  /** Number of its algorithm, see pick.ts. */
  algorithm: u8
  /** What is needed for each attempt, see need.ts. */
  needs: u32
  count: u32
  /** Head and settings of its record, kept: the functions of record.ts up to `firstEndpoint` take this address. */
  head: usize
  endpoints: usize
  /** The first setting that names an alternative, see canary.ts; 0 if none does. */
  alternatives: usize
  /** Memory of slots.ts, 0 if no numbers are kept. */
  slots: usize
  /** Memory of running.ts, 0 if nothing is counted there. */
  running: usize
  /** Memory of ejection.ts and of slow-start.ts, 0 if the record does not ask for them. */
  ejections: usize
  warming: usize
  /** Memory of the algorithm. */
  state: usize
  /** That of an algorithm that hashes; null when the next list has taken it over. */
  ring: Ring | null


  @inline get key(): usize {
    return changetype<usize>(this) + offsetof<Backend>()
  }


  @inline get name(): usize {
    return this.key + PREFIX_BYTES
  }


  @inline get nameLength(): usize {
    return this.keyLength - PREFIX_BYTES
  }


  @inline endpoint(index: u32): Endpoint {
    return changetype<Endpoint>(this.endpoints + <usize>index * ENDPOINT_BYTES)
  }

  greatestWeight(): u32 {
    let greatest: u32 = 1
    for (let i: u32 = 0; i < this.count; i++) greatest = max(greatest, <u32>this.endpoint(i).weight)
    return greatest
  }

  /** The place of the endpoint with this tag, which was `hint` once; `NOWHERE` if it is gone. */
  indexOf(tag: u32, hint: u32): u32 {
    if (hint < this.count && this.endpoint(hint).tag == tag) return hint
    for (let i: u32 = 0; i < this.count; i++) if (this.endpoint(i).tag == tag) return i
    return NOWHERE
  }
}

/** What a backend held before it took the present record. There is one at a time. */
const BEFORE: Backend = create(0, 0, 0)

export function create(hash: u64, key: usize, keyLength: usize): Backend {
  // Eight bytes more: see bytes.ts.
  const backend = changetype<Backend>(heap.allocate(offsetof<Backend>() + keyLength + 8))
  memory.fill(changetype<usize>(backend), 0, offsetof<Backend>())
  backend.hash = hash
  backend.keyLength = <u32>keyLength
  memory.copy(backend.key, key, keyLength)
  return backend
}

/** Empties the backend and returns what it held, which the caller frees with `discard`. */
export function retire(backend: Backend): Backend {
  memory.copy(changetype<usize>(BEFORE), changetype<usize>(backend), offsetof<Backend>())
  backend.fingerprint = 0
  backend.needs = 0
  backend.count = 0
  backend.head = 0
  backend.endpoints = 0
  backend.alternatives = 0
  backend.slots = 0
  backend.running = 0
  backend.ejections = 0
  backend.warming = 0
  backend.state = 0
  backend.ring = null
  return BEFORE
}

/** Frees what a backend held. */
export function discard(before: Backend): void {
  if (before.head != 0) heap.free(before.head)
  if (before.slots != 0) heap.free(before.slots)
  if (before.running != 0) heap.free(before.running)
  if (before.ejections != 0) heap.free(before.ejections)
  if (before.warming != 0) heap.free(before.warming)
  if (before.state != 0) heap.free(before.state)
  const ring = before.ring
  if (ring != null) destroy(ring)
}

/** Takes a record that passed `isBackend` into a backend that is empty. */
export function decode(backend: Backend, at: usize): void {
  const count = record.count(at)
  const headBytes = (record.firstEndpoint(at) - at + 7) & ~7
  const head = heap.allocate(headBytes + <usize>count * ENDPOINT_BYTES + textBytes(at) + 8)
  memory.copy(head, at, record.firstEndpoint(at) - at)
  backend.head = head
  backend.endpoints = head + headBytes
  backend.alternatives = record.setting(head, Setting.ALTERNATIVE)
  backend.count = count
  decodeEndpoints(backend, at)
}

function decodeEndpoints(backend: Backend, at: usize): void {
  let from = record.firstEndpoint(at)
  let text = backend.endpoints + <usize>backend.count * ENDPOINT_BYTES
  for (let i: u32 = 0; i < backend.count; i++) {
    text = decodeEndpoint(backend.endpoint(i), from, text)
    from = record.nextEndpoint(from)
  }
}

/** Room that is enough for all texts. */
function textBytes(at: usize): usize {
  let sum: usize = 0
  let endpoint = record.firstEndpoint(at)
  for (let left = record.count(at); left > 0; left--) {
    sum += record.kind(endpoint) == 4 ? 15 : MAX_TEXT_BYTES
    endpoint = record.nextEndpoint(endpoint)
  }
  return sum
}

/** Returns the address behind the endpoint's text. */
function decodeEndpoint(endpoint: Endpoint, from: usize, text: usize): usize {
  const end = putText(from, text)
  endpoint.text = text
  endpoint.length = <u8>(end - text)
  endpoint.port = record.port(from)
  endpoint.weight = record.weight(from)
  endpoint.tag = tagOf(from)
  return end
}

/** IPv6 in brackets: so no host can take its last group for a port. */
function putText(endpoint: usize, to: usize): usize {
  if (record.kind(endpoint) == 4) return address.print(4, record.address(endpoint), to)
  store<u8>(to, 0x5b)
  const end = address.print(6, record.address(endpoint), to + 1)
  store<u8>(end, 0x5d)
  return end + 1
}

function tagOf(endpoint: usize): u32 {
  const host = record.address(endpoint)
  const port = <u32>record.port(endpoint) * 0x9e3779b1
  const tag = port ^ (record.kind(endpoint) == 4 ? load<u32>(host) : <u32>bytes.hash(host, 16))
  return tag == NO_TAG ? 0 : tag
}
