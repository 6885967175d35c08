/**
 * Which endpoints an attempt keeps away from: those that this request has tried, those that are left out (ejection.ts), and
 * those that are not warm yet, by luck (slow-start.ts). An algorithm asks for each endpoint that it would take, unless
 * `isNeeded` says that there is nothing to ask; `leftover` is for when it finds none.
 */
import * as attempt from "./attempt"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as ejection from "./ejection"
import * as random from "./random"
import * as slowStart from "./slow-start"
import { Backend } from "./backend"

let areSomeTried: bool = false
let areSomeOut: bool = false
let areSomeWarming: bool = false
/** Decides about warming endpoints instead of luck; 0: it does not. */
let key: u64 = 0

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
  key = 0
}

/** A request's key decides about warming endpoints instead of luck: so it moves to such an endpoint once, and stays. */
export function decideBy(hash: u32): void {
  key = ((<u64>1) << 32) | hash
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
    (areSomeWarming && slowStart.holdsBack(backend, index, luckOf(backend, index)))
  )
}

function isTried(backend: Backend, index: u32): bool {
  return areSomeTried && attempt.wasTried(backend.endpoint(index).tag)
}

function luckOf(backend: Backend, index: u32): u32 {
  return <u32>(key == 0 ? random.bits() : bytes.mix(key ^ ((<u64>backend.endpoint(index).tag) << 33)))
}

/** How far the endpoint is on its way to the weight that it has: 1 is as warm as any if none is warming up. */
export function warmth(backend: Backend, index: u32): u64 {
  return areSomeWarming ? slowStart.warmth(backend, index) : 1
}

/** Is this endpoint less warm than others? */
export function isWarming(backend: Backend, index: u32): bool {
  return areSomeWarming && slowStart.isWarming(backend, index)
}

/** The endpoint to take if the algorithm found none: any of those that `from` spares, else one that was not tried, else any. */
export function leftover(backend: Backend): u32 {
  let spared: u32 = 0
  let untried: u32 = 0
  let chosen = random.below(backend.count)
  for (let index: u32 = 0; index < backend.count; index++) {
    if (!from(backend, index)) {
      if (random.below(++spared) == 0) chosen = index
    } else if (spared == 0 && !isTried(backend, index)) {
      if (random.below(++untried) == 0) chosen = index
    }
  }
  return chosen
}
