/**
 * What the host calls. Each backend that uses the policy is a root context with its own list and configuration; an instance serves them all. What is the
 * policy's own, `pick`, `report` and `prepare`, is called by entry.ts.
 */
import "./runtime"
import * as arena from "./lib/arena"
import * as choices from "./choices"
import * as hashing from "./hashing"
import * as heap from "./lib/heap"
import * as host from "./host"
import * as needs from "./needs"
import * as random from "./lib/random"
import * as record from "./record"
import { Attempt } from "./attempt"
import { Endpoints } from "./endpoints"
import { Foreign } from "./foreign"
import { POLICY_VERSION } from "./lib/abi"
import { Request } from "./request"
import { Status } from "./abi"
import { destroy } from "./lib/ring/ring"

const GET_ENDPOINTS: host.Name = new host.Name(Foreign.GET_ENDPOINTS)
const GET_AVOIDED: host.Name = new host.Name(Foreign.GET_AVOIDED)
const ARGS: usize = memory.data(8, 4)

/** Where the host finds the attempt record. */
export const wick_attempt: usize = record.RECORD

export function wick_abi_version(): i32 {
  return POLICY_VERSION
}

export function wick_policy_needs(): i32 {
  return <i32>needs.sum()
}

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return arena.allocate(size)
}

/** Backends by root context: u32 address of the first of each bucket, 0 if it is empty. Ids are never used again, so they are no places of a list. */
const BUCKETS: usize = memory.data(256 * 4, 4)
let isSeeded: bool = false

/** The attempt that is asked about; only in its callback. */
export let endpoints: Endpoints = changetype<Endpoints>(0)
export const request: Request = changetype<Request>(record.RECORD)
export const attempt: Attempt = changetype<Attempt>(record.RECORD)

export function proxy_on_vm_start(root: i32, size: i32): i32 {
  return 1
}

export function proxy_on_context_create(context: i32, root: i32): void {
  if (root != 0) return
  if (!isSeeded) random.begin(host.seed())
  isSeeded = true
  add(context)
}

/** False is a refusal. */
export function proxy_on_configure(root: i32, size: i32): i32 {
  arena.reset()
  const backend = find(root)
  if (backend == null) return 0
  if (backend.text != 0) __unpin(backend.text)
  // Not the empty one: it is the module's own and pinned already, once another backend has it.
  backend.text = size == 0 ? 0 : __pin(changetype<usize>(host.configuration(size)))
  return 1
}

export function proxy_on_delete(context: i32): void {
  const gone = find(context)
  if (gone == null) return
  unlink(gone)
  const ring = gone.ring
  if (ring != null) destroy(ring)
  if (gone.kept != 0) __unpin(gone.kept)
  if (gone.text != 0) __unpin(gone.text)
  gone.drop()
  heap.free(changetype<usize>(gone))
}

/** Reads the list of a backend again. True if there is something for `prepare`. */
export function takeEndpoints(root: i32): bool {
  arena.reset()
  const backend = find(root)
  if (backend == null) return false
  endpoints = backend
  store<u64>(ARGS, 0xffffffff_00000000)
  const isThere = host.foreign(GET_ENDPOINTS, ARGS, 8) == Status.OK && host.length >= 4
  backend.take(isThere ? load<i32>(host.at) : 0, host.at + 4)
  if (backend.count > 0) choices.beginTurns(backend)
  if (backend.count > 0) hashing.prepare(backend)
  return backend.count > 0
}

/** An endpoint is wanted. False if none is known. */
export function begin(root: i32): bool {
  arena.reset()
  const backend = find(root)
  if (backend == null || backend.count == 0) return false
  endpoints = backend
  backend.avoided = 0
  if (record.isCareful() && host.foreign(GET_AVOIDED, 0, 0) == Status.OK) backend.avoided = host.at
  return true
}

/** What the policy has chosen. */
export function choose(index: i32): void {
  record.choose(<u32>index)
}

/** An attempt has ended. False if its endpoint is gone. */
export function end(root: i32): bool {
  arena.reset()
  const backend = find(root)
  if (backend == null || record.tag() >= <u32>backend.count) return false
  endpoints = backend
  backend.avoided = 0
  return true
}

function find(context: i32): Endpoints | null {
  let backend = load<u32>(bucketOf(context))
  while (backend != 0 && changetype<Endpoints>(<usize>backend).context != context) {
    backend = changetype<Endpoints>(<usize>backend).following
  }
  return changetype<Endpoints | null>(<usize>backend)
}

function add(context: i32): void {
  const at = heap.allocate(offsetof<Endpoints>())
  memory.fill(at, 0, offsetof<Endpoints>())
  const backend = changetype<Endpoints>(at)
  backend.context = context
  backend.next = -1
  backend.round = u32.MAX_VALUE
  backend.following = load<u32>(bucketOf(context))
  store<u32>(bucketOf(context), <u32>at)
}

function unlink(gone: Endpoints): void {
  let place = bucketOf(gone.context)
  while (load<u32>(place) != <u32>changetype<usize>(gone)) {
    place = <usize>load<u32>(place) + offsetof<Endpoints>("following")
  }
  store<u32>(place, gone.following)
}

function bucketOf(context: i32): usize {
  return BUCKETS + ((<usize>(context & 255)) << 2)
}
