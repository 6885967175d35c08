/** The JSON text that is read: where it begins and ends. Knows where an address is in it, which a failure is told with. */
import * as error from "./error"

let start: usize = 0
let end: usize = 0

export function set(at: usize, bytes: usize): void {
  start = at
  end = at + bytes
}

export function isEnd(at: usize): bool {
  return at == end
}

/** Bytes from the start. */
export function offsetOf(at: usize): usize {
  return at - start
}

/** The text ends, or what stands at this address is not what is expected. */
export function failAt(at: usize, sentence: string): void {
  error.fail(offsetOf(at), at >= end ? "The JSON text ends too early" : sentence)
}
