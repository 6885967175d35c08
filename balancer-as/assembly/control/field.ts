/** What tables.ts consists of. */
import { CRITICAL } from "../record"

export class Field {
  constructor(
    readonly name: string,
    /** How the value is read and shown: a `Type` of ids.ts. */
    readonly type: i32,
    readonly isRequired: bool,
    /** A reader that does not know it must not serve without it. */
    readonly isCritical: bool,
    /** Id in a record, or bit of a flag that shares a field; 0: it is in none, or not by itself. */
    readonly id: u32,
  ) {}

  /** What its field in a record begins with. */
  get tag(): u32 {
    return this.isCritical ? this.id | CRITICAL : this.id
  }
}

/** At most 32 fields. */
export type Fields = StaticArray<Field>

/** A whole number. */
export class NumberType {
  constructor(
    /** In a record. */
    readonly bytes: u32,
    readonly min: u64,
    readonly max: u64,
    /** The sentence if it is none. */
    readonly wanted: string,
  ) {}
}

/** One word of several: u8 in a record, the word's place and `first`. */
export class WordType {
  constructor(
    readonly words: StaticArray<string>,
    readonly first: u32,
    /** The sentence if it is none. */
    readonly wanted: string,
  ) {}
}
