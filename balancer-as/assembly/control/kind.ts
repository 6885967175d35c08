/** What kinds.ts consists of. */
import { Name } from "../host"

/** A kind of things in the zones, and what sets it apart from the others. What is read and shown of each: lists.ts. */
export class Kind {
  /** Keys begin with it; the name stands behind. */
  readonly prefix: Name

  constructor(
    /** The part of writes.ts for what is set: readers should see it in this order, so that nothing names what is not there yet. */
    readonly setPart: i32,
    /** That for what is removed, in the reverse order: nothing names what is not there any more. */
    readonly removePart: i32,
    /** What its list is called. */
    readonly list: string,
    prefix: string,
    /** How a sentence about one begins. */
    readonly noun: string,
  ) {
    this.prefix = new Name(prefix)
  }
}

/** Those with a text as name; the others' names in keys and in names.ts are `<server>/<host>`. */
export class NamedKind extends Kind {
  constructor(
    setPart: i32,
    removePart: i32,
    list: string,
    prefix: string,
    noun: string,
    /** The sentence if no text stands where the name should. */
    readonly wanted: string,
    /** The sentence if it cannot be a name. */
    readonly rule: string,
    readonly isName: (at: usize, length: usize) => bool,
  ) {
    super(setPart, removePart, list, prefix, noun)
  }
}
