/** The writes of one change, collected while its text is read and applied together at the end, or never. */
import { Buffer } from "../buffer"
import { Kind } from "./kind"
import { PARTS } from "./kinds"
import * as keys from "./keys"

/** Cas number for a key that must be absent. */
export const ABSENT: u32 = 0xffffffff
/** Cas number for a key in any state. */
export const ANY: u32 = 0
/** Length of a value that deletes the key. */
export const DELETE: u32 = 0xffffffff
/** Write: u32 key length · u32 value length · u32 cas · key · value. */
export const HEAD_BYTES: usize = 12

/** In the order in which readers should see them (kinds.ts). */
const parts: StaticArray<Buffer> = new StaticArray<Buffer>(PARTS)
for (let i = 0; i < PARTS; i++) parts[i] = new Buffer()

/** How many there are. */
export let count: u32 = 0
/** All of them, as `wick_set_shared_data_many` takes them: u32 count, then the writes. */
export const packed: Buffer = new Buffer()

export function drop(): void {
  for (let i = 0; i < parts.length; i++) parts[i].drop()
  packed.drop()
  count = 0
}

/** Sets the record of the thing of this name. */
export function set(kind: Kind, name: usize, nameLength: usize, value: Buffer): void {
  keys.make(kind, name, nameLength)
  write(kind.setPart, keys.key.at, keys.key.length, value.at, <u32>value.length, ANY)
}

/** Removes it. */
export function remove(kind: Kind, name: usize, nameLength: usize): void {
  keys.make(kind, name, nameLength)
  write(kind.removePart, keys.key.at, keys.key.length, 0, DELETE, ANY)
}

export function write(
  part: i32,
  key: usize,
  keyLength: usize,
  value: usize,
  valueLength: u32,
  cas: u32,
): void {
  const out = parts[part]
  out.u32(<u32>keyLength)
  out.u32(valueLength)
  out.u32(cas)
  out.bytes(key, keyLength)
  if (valueLength != DELETE) out.bytes(value, valueLength)
  count++
}

/** Joins the parts. */
export function pack(): void {
  packed.drop()
  packed.u32(count)
  for (let i = 0; i < parts.length; i++) {
    packed.bytes(parts[i].at, parts[i].length)
    parts[i].drop()
  }
}
