/**
 * The filter's callbacks, for hosts of Proxy-Wasm 0.2.1 with upstream selection. One instance has two roles: where its
 * configuration says `role=control` it answers the control API and writes records into the shared zones; everywhere else
 * it chooses the endpoint of each attempt from them. It knows neither Kubernetes nor nginx.
 */
import { Action } from "./abi"
import * as api from "./control/api"
import * as arena from "../../policy-as/assembly/lib/arena"
import { RECORD } from "./attempt"
import * as backends from "./backends"
import * as contexts from "./contexts"
import * as host from "./host"
import { learn } from "./learn"
import * as random from "./random"
import { select } from "./select"

export * from "./unasked"

/** For hosts that tell of no change: how often all backends are looked at again. */
const TICK_MS: i32 = 1000

/** Where the host finds the attempt record (docs/abi.md). */
export const wick_attempt: usize = RECORD

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return arena.allocate(size)
}

export function proxy_on_context_create(context: i32, root: i32): void {
  if (root != 0) contexts.create(context, root)
}

export function proxy_on_delete(context: i32): void {
  contexts.remove(context)
}

export function proxy_on_vm_start(root: i32, size: i32): i32 {
  return 1
}

export function proxy_on_configure(root: i32, size: i32): i32 {
  arena.reset()
  random.start()
  if (!contexts.configure(root, size)) return 0
  if (!backends.hostTellsVersions()) host.tickEvery(TICK_MS)
  return 1
}

export function proxy_on_shared_data_changed(root: i32): void {
  backends.onChange()
}

export function proxy_on_tick(root: i32): void {
  backends.onChange()
}

export function proxy_on_upstream_select(context: i32): void {
  arena.reset()
  select()
}

export function proxy_on_upstream_info(context: i32, hasFailed: i32): void {
  arena.reset()
  learn()
}

export function proxy_on_request_headers(context: i32, count: i32, isEnd: i32): i32 {
  arena.reset()
  if (!contexts.isControl(context)) return Action.CONTINUE
  return api.onHeaders(isEnd != 0)
}

/** The host waits with this until it has all of the body (docs/abi.md); others call it for each part that comes. */
export function proxy_on_request_body(context: i32, size: i32, isEnd: i32): i32 {
  arena.reset()
  if (!contexts.isControl(context)) return Action.CONTINUE
  return isEnd != 0 ? api.onBody(size) : Action.PAUSE
}
