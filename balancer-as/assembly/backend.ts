/**
 * A backend as this instance knows it: its record, decoded for picking. Name and endpoints lie in blocks of the heap, so
 * that a backend that changes a million times takes no more memory than its largest list.
 */
import * as address from "./address"
import { NO_TAG } from "./attempt"
import * as bytes from "./bytes"
import * as heap from "./heap"
import * as record from "./record"

/** Longest text that `putText` writes: an IPv6 literal in brackets. */
const MOST_TEXT_BYTES: usize = address.MOST_TEXT_BYTES + 2

/** One endpoint, 16 bytes. 0: u32 address of its text · 4: u32 tag · 8: u16 port · 10: u16 weight · 12: u8 length of the text */
@unmanaged
export class Endpoint {
  text: usize
  /** By this the host tells on a retry that it was tried. Unique in a backend whose endpoints share a port. */
  tag: u32
  port: u16
  weight: u16
  length: u8
}

export const ENDPOINT_BYTES: usize = 16


@unmanaged
export class Backend {
  /** The next one in the same bucket of the table. */
  next: Backend | null
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
  algorithm: u8
  count: u32
  /** The endpoints, then their texts. */
  endpoints: usize
  /** Memory of the algorithm. */
  state: usize


  @inline get key(): usize {
    return changetype<usize>(this) + offsetof<Backend>()
  }


  @inline endpoint(index: u32): Endpoint {
    return changetype<Endpoint>(this.endpoints + <usize>index * ENDPOINT_BYTES)
  }
}

export function create(hash: u64, key: usize, keyLength: usize): Backend {
  // Eight bytes more: see bytes.ts.
  const backend = changetype<Backend>(heap.allocate(offsetof<Backend>() + keyLength + 8))
  memory.fill(changetype<usize>(backend), 0, offsetof<Backend>())
  backend.hash = hash
  backend.keyLength = <u32>keyLength
  memory.copy(backend.key, key, keyLength)
  return backend
}

/** The backend is not there any more. */
export function empty(backend: Backend): void {
  if (backend.endpoints != 0) heap.free(backend.endpoints)
  if (backend.state != 0) heap.free(backend.state)
  backend.endpoints = 0
  backend.state = 0
  backend.count = 0
  backend.fingerprint = 0
}

export function destroy(backend: Backend): void {
  empty(backend)
  heap.free(changetype<usize>(backend))
}

/** Takes the endpoints of a record that passed `isBackend`. The algorithm's state is not touched. */
export function decode(backend: Backend, at: usize): void {
  const count = record.count(at)
  if (backend.endpoints != 0) heap.free(backend.endpoints)
  backend.algorithm = record.algorithm(at)
  backend.count = count
  backend.endpoints = heap.allocate(<usize>count * ENDPOINT_BYTES + textBytes(at))
  let from = record.firstEndpoint(at)
  let text = backend.endpoints + <usize>count * ENDPOINT_BYTES
  for (let i: u32 = 0; i < count; i++) {
    text = decodeEndpoint(backend.endpoint(i), from, text)
    from = record.nextEndpoint(from)
  }
}

/** Room that is enough for all texts. */
function textBytes(at: usize): usize {
  let sum: usize = 0
  let endpoint = record.firstEndpoint(at)
  for (let left = record.count(at); left > 0; left--) {
    sum += record.kind(endpoint) == 4 ? 15 : MOST_TEXT_BYTES
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
