/** Names of backends and hosts: what may be one, and which the change had so far. Each may come once, be it set or removed. */
import * as error from "../json/error"
import { KeySet } from "../key-set"
import * as reader from "../json/reader"

const BACKEND: u32 = 0
const HOST: u32 = 1

const MOST_BACKEND_BYTES: usize = 253
/** The sentence if it is none. A name with a colon in front would be a key of ours. */
export const NAME_RULE: string = "A backend's name has 1 to 253 bytes and does not begin with a colon"

const names: KeySet = new KeySet()

export function isBackendName(at: usize, length: usize): bool {
  return length > 0 && length <= MOST_BACKEND_BYTES && load<u8>(at) != 0x3a
}

/** The name stays where it is until the callback ends. */
export function claimBackend(at: usize, length: usize): void {
  if (!names.add(BACKEND, at, length)) {
    error.failNaming(reader.offset, "The backend ", at, length, " is named twice")
  }
}

/** `at` is `<server>/<host>`; `offset` where the host stands in the body. */
export function claimHost(at: usize, length: usize, offset: usize): void {
  if (!names.add(HOST, at, length)) error.failNaming(offset, "The host ", at, length, " is named twice")
}

export function hasBackend(at: usize, length: usize): bool {
  return names.has(BACKEND, at, length)
}

export function drop(): void {
  names.drop()
}
