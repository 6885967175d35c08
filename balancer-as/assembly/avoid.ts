/**
 * Which endpoints an attempt keeps away from: those that this request has tried, those that are left out (ejection.ts), and
 * those that are not warm yet, by luck (slow-start.ts). An algorithm asks for each endpoint that it would take, unless
 * `isNeeded` says that there is nothing to ask; `leftover` is for when it finds none.
 */
import * as attempt from "./attempt"
import * as bytes from "./bytes"
import * as ejection from "./ejection"
import * as random from "./random"
import * as slowStart from "./slow-start"
import { Backend } from "./backend"

let areSomeTried: bool = false
let areSomeOut: bool = false
let areSomeWarming: bool = false
/** What decides about warming endpoints, the same for all of an attempt. */
let luck: u32 = 0

/** May `from` say yes in this attempt? Mostly not. */
export let isNeeded: bool = false

/** An attempt at this backend begins. */
// @ts-ignore: decorator
@inline
export function begin(backend: Backend): void {
  isNeeded = attempt.number() > 0
  if ((backend.ejections | backend.warming) != 0 || isNeeded) lookAround(backend)
}

function lookAround(backend: Backend): void {
  areSomeTried = attempt.number() > 0
  areSomeOut = backend.ejections != 0 && ejection.begin(backend)
  areSomeWarming = backend.warming != 0 && slowStart.begin(backend)
  isNeeded = areSomeTried || areSomeOut || areSomeWarming
  luck = <u32>random.bits()
}

/** The request's key decides about warming endpoints instead of luck: so each key moves once while they warm up. */
export function decideBy(key: u64): void {
  luck = <u32>(bytes.mix(key) >> 32)
}

/** This attempt may go where the request has been. */
export function forgetTried(): void {
  areSomeTried = false
  isNeeded = areSomeOut || areSomeWarming
}

/** Is this endpoint left out for a while? */
export function isOut(backend: Backend, index: u32): bool {
  return areSomeOut && ejection.isOut(backend, index)
}

/** Should this attempt keep away from this endpoint? */
export function from(backend: Backend, index: u32): bool {
  return (
    isTried(backend, index) ||
    isOut(backend, index) ||
    (areSomeWarming && slowStart.holdsBack(backend, index, luck))
  )
}

function isTried(backend: Backend, index: u32): bool {
  return areSomeTried && attempt.wasTried(backend.endpoint(index).tag)
}

/** Is this endpoint warming up? A share of its own is due to it, no matter how idle it is. */
export function isWarming(backend: Backend, index: u32): bool {
  return areSomeWarming && slowStart.isWarming(backend, index)
}

/**
 * The endpoint to take if the algorithm found none: one of those that `from` spares, else one that was not tried, else any;
 * looked for from a random place on.
 */
export function leftover(backend: Backend): u32 {
  const start = random.below(backend.count)
  let untried = start
  for (let i = backend.count; i > 0; i--) {
    const index = (start + i) % backend.count
    if (!from(backend, index)) return index
    if (!isTried(backend, index)) untried = index
  }
  return untried
}
