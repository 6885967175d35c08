/** Which backends and hosts the change has named so far: each may come once, be it set or removed. */
import * as error from "../json/error"
import { KeySet } from "../key-set"
import * as reader from "../json/reader"

const BACKEND: u32 = 0
const HOST: u32 = 1

const names: KeySet = new KeySet()

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
