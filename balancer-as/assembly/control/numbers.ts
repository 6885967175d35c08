/** The numbers of a route: what each kind may be, and how many bytes it has in a record. */
import { Buffer } from "../buffer"
import * as reader from "../json/reader"
import * as record from "../record"

class Range {
  constructor(
    readonly bytes: u32,
    readonly min: u64,
    readonly max: u64,
    /** The sentence if it is none. */
    readonly wanted: string,
  ) {}
}

/** Kinds of fields, by their places in `RANGES`. */
export const STATUS: i32 = 0
export const REDIRECT_CODE: i32 = 1
export const MILLISECONDS: i32 = 2
/** 0: no limit. */
export const MILLISECONDS_OR_NONE: i32 = 3
/** 0: no limit. */
export const TRIES_OR_NONE: i32 = 4
export const BYTES_OR_NONE: i32 = 5
export const BUFFER_BYTES: i32 = 6
export const BUFFERS: i32 = 7
export const FLAG: i32 = 8
/** Kinds that are no numbers come after these. */
export const COUNT: i32 = 9

const MAX_NUMBER: u64 = i32.MAX_VALUE
const RANGES: StaticArray<Range> = [
  new Range(2, 400, 599, "A status from 400 to 599 is expected"),
  new Range(2, 300, 308, "A status from 300 to 308 is expected"),
  new Range(8, 1, MAX_NUMBER, "Milliseconds from 1 to 2147483647 are expected"),
  new Range(8, 0, MAX_NUMBER, "Milliseconds from 0 to 2147483647 are expected"),
  new Range(8, 0, MAX_NUMBER, "A number of tries from 0 to 2147483647 is expected"),
  new Range(8, 0, 1 << 53, "A number of bytes from 0 to 2^53 is expected"),
  new Range(8, 1, MAX_NUMBER, "A number of bytes from 1 to 2147483647 is expected"),
  new Range(8, 1, MAX_NUMBER, "A number of buffers from 1 to 2147483647 is expected"),
  new Range(1, 0, 1, ""),
]

export function isNumber(kind: i32): bool {
  return kind < COUNT
}

/** Reads the number that is next. */
export function read(kind: i32): u64 {
  if (kind == FLAG) return reader.readBool() ? 1 : 0
  const range = RANGES[kind]
  return reader.readInteger(range.min, range.max, range.wanted)
}

/** Reads the number that is next into a field. */
export function readField(out: Buffer, id: u32, kind: i32): void {
  putField(out, id, RANGES[kind].bytes, read(kind))
}

export function putField(out: Buffer, id: u32, length: u32, number: u64): void {
  out.u32(record.fieldHead(id, length))
  store<u64>(out.extend(8), number)
  out.length -= 8 - length
}

/** Writes the number of a field as JSON. */
export function show(out: Buffer, kind: i32, field: usize): void {
  const number = ofField(field)
  if (kind == FLAG) out.literal(number == 0 ? "false" : "true")
  else out.number(number)
}

/** Little endian; of a longer field the first eight bytes. */
export function ofField(field: usize): u64 {
  const at = record.fieldValue(field)
  const length = min(record.fieldLength(field), 8)
  let number: u64 = 0
  for (let i: usize = 0; i < length; i++) number |= (<u64>load<u8>(at + i)) << (i << 3)
  return number
}
