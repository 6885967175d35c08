/**
 * Attempts that run on endpoints, each counted once from its choice to its end: over all workers in the gauges of slots.ts, or
 * those of this instance alone, which costs no call.
 */
import * as heap from "../../policy-as/assembly/lib/heap"
import * as slots from "./slots"
import * as survivors from "./survivors"
import { Backend } from "./backend"
import { Need } from "./need"

/** The backend has taken a record: what runs on the endpoints that are still there goes on. */
export function take(backend: Backend, before: Backend): void {
  if ((backend.needs & Need.RUNNING_HERE) == 0) return
  backend.running = heap.allocate((<usize>backend.count) << 2)
  for (let i: u32 = 0; i < backend.count; i++) {
    const place = before.running == 0 ? survivors.NEW : survivors.placeBefore(backend, before, i)
    store<u32>(counterOf(backend, i), place == survivors.NEW ? 0 : here(before, place))
  }
}

/** How an attempt was counted, for the end of it. */
export namespace Counted {
  export const NOT: u32 = 0
  export const HERE: u32 = 1
  export const BY_ALL: u32 = 2
}

/** An attempt begins; says how it was counted. */
export function begin(backend: Backend, index: u32): u32 {
  if ((backend.needs & Need.RUNNING) == Need.RUNNING) {
    slots.add(backend, index, slots.GAUGE, 1)
    return Counted.BY_ALL
  }
  if (backend.running == 0) return Counted.NOT
  store<u32>(counterOf(backend, index), here(backend, index) + 1)
  return Counted.HERE
}

/** An attempt ends. It may have begun under another record, or in another instance. */
export function end(backend: Backend, index: u32, counted: u32): void {
  if (counted == Counted.BY_ALL && backend.slots != 0) slots.add(backend, index, slots.GAUGE, -1)
  if (counted != Counted.HERE || backend.running == 0) return
  store<u32>(counterOf(backend, index), max(here(backend, index), 1) - 1)
}

/** How many attempts of this instance run on an endpoint. */
// @ts-ignore: decorator
@inline
export function here(backend: Backend, index: u32): u32 {
  return load<u32>(counterOf(backend, index))
}

// @ts-ignore: decorator
@inline
function counterOf(backend: Backend, index: u32): usize {
  return backend.running + ((<usize>index) << 2)
}
