/** Power of two choices: of two endpoints drawn at random the less busy one, attempts over all workers counted. */
import * as slots from "../slots"
import * as two from "./two"
import { Backend } from "../backend"

export function prepare(backend: Backend, before: Backend | null): void {}

/** The first of the two if they are equally busy. */
export function pick(backend: Backend): u32 {
  two.draw(backend)
  const a = two.a
  const b = two.b
  if (a == b) return a
  slots.getTwo(backend, a, b, slots.GAUGE)
  return isLessBusy(backend, b, a) ? b : a
}

/** In relation to their weights, if each got this attempt. */
function isLessBusy(backend: Backend, a: u32, b: u32): bool {
  const weightA = <u64>backend.endpoint(a).weight
  const weightB = <u64>backend.endpoint(b).weight
  return (slots.value(backend, a) + 1) * weightB < (slots.value(backend, b) + 1) * weightA
}
