/** Which algorithm chooses a backend's endpoints, and what it is told. */
import * as custom from "./pick/custom"
import * as policyNeeds from "./policy-needs"
import * as record from "./record"
import { Algorithm } from "./algorithm"
import { ALGORITHMS } from "./algorithms"
import { Backend } from "./backend"
import * as ids from "./ids"

/**
 * The number of the algorithm by which a record's endpoints are chosen: that of the record. If we do not know it, as
 * something newer wrote it, or if it lacks its setting, they are served in turn, as ingress-nginx does.
 */
export function numberOf(at: usize): u8 {
  const number = record.algorithm(at)
  if (<i32>number >= ALGORITHMS.length) return ids.Algorithm.ROUND_ROBIN
  const required = ALGORITHMS[number].requires
  return required != 0 && record.setting(at, required) == 0 ? ids.Algorithm.ROUND_ROBIN : number
}

// @ts-ignore: decorator
@inline
function algorithm(backend: Backend): Algorithm {
  return ALGORITHMS[backend.algorithm]
}

/** What a record's algorithm needs: of a policy, what the record says. */
export function needsOf(at: usize): u32 {
  const number = numberOf(at)
  return number == ids.Algorithm.CUSTOM ? policyNeeds.needsOf(at) : ALGORITHMS[number].needs
}

/** The backend took a record; `before` is what it held until now. */
export function prepare(backend: Backend, before: Backend): void {
  backend.algorithm = numberOf(backend.head)
  const isSame = before.state != 0 && before.algorithm == backend.algorithm
  if (backend.count > 0) algorithm(backend).prepare(backend, isSame ? before : null)
}

/** What a backend held goes, and `backend` holds something else, or nothing. */
export function forget(backend: Backend, before: Backend): void {
  if (before.state == 0 || before.algorithm != ids.Algorithm.CUSTOM) return
  if (backend.state == 0 || backend.algorithm != ids.Algorithm.CUSTOM) custom.drop(before)
}

/** Chooses an endpoint, by its place in the list; the backend has at least one. */
export function pick(backend: Backend): u32 {
  return algorithm(backend).pick(backend)
}

/** An attempt with this endpoint has ended. */
export function report(backend: Backend, index: u32): void {
  algorithm(backend).report(backend, index)
}
