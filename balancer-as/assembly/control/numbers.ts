/** Numbers and switches: tables.ts says what each may be, and how many bytes it has in a record. */
import { Buffer } from "../buffer"
import { NUMBERS } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { Type } from "../ids"

/** Is this type a number, or a switch, which is one of a byte? */
export function isNumber(type: i32): bool {
  return type < NUMBERS.length || type == Type.FLAG || type == Type.MARK
}

/** Reads the number that is next. */
export function read(type: i32): u64 {
  if (type >= NUMBERS.length) return reader.readBool() ? 1 : 0
  const number = NUMBERS[type]
  return reader.readInteger(number.min, number.max, number.wanted)
}

/** Reads the number that is next into a field. */
export function readField(out: Buffer, tag: u32, type: i32): void {
  const number = read(type)
  // Of a mark, what is false is absent.
  if (type != Type.MARK || number != 0)
    putField(out, tag, type < NUMBERS.length ? NUMBERS[type].bytes : 1, number)
}

export function putField(out: Buffer, tag: u32, length: u32, number: u64): void {
  out.u32(record.fieldHead(tag, length))
  store<u64>(out.extend(8), number)
  out.length -= 8 - length
}

/** Writes the number of a field as JSON. */
export function show(out: Buffer, type: i32, field: usize): void {
  const number = ofField(field)
  if (type >= NUMBERS.length) out.literal(number == 0 ? "false" : "true")
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
