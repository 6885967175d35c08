/**
 * Which endpoints an attempt keeps away from: those that this request has tried. An algorithm asks for each endpoint that
 * it would take, unless `isNeeded` says that there is nothing to ask; `leftover` is for when it finds none.
 */
import * as attempt from "./attempt"
import * as random from "./random"
import { Backend } from "./backend"

/** May `from` say yes in this attempt? Mostly not. */
// @ts-ignore: decorator
@inline
export function isNeeded(): bool {
  return attempt.number() > 0
}

/** Should this attempt keep away from this endpoint? */
export function from(backend: Backend, index: u32): bool {
  return attempt.wasTried(backend.endpoint(index).tag)
}

/** Some endpoint of those that are left, looked for from a random place on; if none is left, any. */
export function leftover(backend: Backend): u32 {
  const start = random.below(backend.count)
  for (let i: u32 = 0; i < backend.count; i++) {
    const index = (start + i) % backend.count
    if (!from(backend, index)) return index
  }
  return start
}
