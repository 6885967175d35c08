/**
 * What a choice leaves behind for the rest of the request: end of the hash of the backend's name (u32) · how the attempt was
 * counted (2 bits) · the endpoint's place (30 bits). It holds over a rebuilt instance and a list that changed: the hash finds
 * the same backend, and the attempt's tag the same endpoint.
 */
import * as attempt from "./attempt"
import { Backend } from "./backend"

const PLACE_BITS: u32 = 30
const PLACES: u32 = (1 << PLACE_BITS) - 1

export function leave(backend: Backend, index: u32, counted: u32): void {
  const place = index | (counted << PLACE_BITS)
  attempt.leaveNote(((<u64>(<u32>backend.hash)) << 32) | place)
}

export function backendHash(): u32 {
  return <u32>(attempt.note() >> 32)
}

/** Where the endpoint stood in the list. */
export function index(): u32 {
  return (<u32>attempt.note()) & PLACES
}

/** See `Counted` of running.ts. */
export function counted(): u32 {
  return (<u32>attempt.note()) >> PLACE_BITS
}
