/** Records of the zones `certificates` and `passthroughs`: the one that is made, and how all of them begin. */
import { Buffer } from "../../buffer"

/** The record that is made. */
export const value: Buffer = new Buffer()

/** Begins a record with a head of zeros. */
export function begin(version: u8, headBytes: usize): void {
  value.clear()
  memory.fill(value.extend(headBytes), 0, headBytes)
  store<u8>(value.at, version)
}

/** Is this a record of this version, with a whole head? */
export function isRecord(version: u8, at: usize, length: usize, headBytes: usize): bool {
  return length >= headBytes && load<u8>(at) == version
}

/** Gives back what making took. */
export function drop(): void {
  value.drop()
}
