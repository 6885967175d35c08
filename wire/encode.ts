import type { Field } from "./field.ts"
import { type Type, types, type ValueType } from "./types.ts"

// Values as a record has them, for fixtures and tests: written by nobody who reads them.

/** One field. @param tag the id, and 128 if it is critical */
export function field(tag: number, value: Uint8Array): Buffer {
  return Buffer.concat([u32(tag + value.length * 256), value])
}

/** A record of fields, of any kind but a backend's. */
export function recordOf(version: number, ...fields: readonly Uint8Array[]): Buffer {
  return field(version, Buffer.concat(fields))
}

/** What a field of this row begins with. */
export function tagOf({ id = 0, isCritical }: Pick<Field, "id" | "isCritical">): number {
  return id + (isCritical === true ? 128 : 0)
}

/** @throws Error when this type has a form of its own */
export function encoded(type: Type, value: unknown): Buffer {
  const known: ValueType = types[type]
  switch (known.kind) {
    case "number":
      return number(Number(value)).subarray(0, known.bytes)
    case "word":
      return Buffer.of(known.words.indexOf(String(value)) + known.first)
    case "words":
      return u32(bitsOf(known.words, String(value)))
    default:
      if (known.json === "boolean") return Buffer.of(Number(value))
      if (known.json === "string") return Buffer.from(String(value))
      throw new Error(`Cannot write "${type}" in one way`)
  }
}

function bitsOf(words: readonly string[], text: string): number {
  return text.split(" ").reduce((sum, word) => sum + 2 ** words.indexOf(word), 0)
}

export function u16(value: number): Buffer {
  return number(value).subarray(0, 2)
}

export function u32(value: number): Buffer {
  return number(value).subarray(0, 4)
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
