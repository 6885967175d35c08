/** What lists.ts consists of. */
import { Buffer } from "../buffer"
import { Kind } from "./kind"

/** The things of one kind in a change and in what is in force: how they are read and shown. */
export class List {
  constructor(
    readonly kind: Kind,
    /** Of a cursor of the names: it goes on with this list. */
    readonly letter: u8,
    /** The argument of a GET that asks for one thing by its name. */
    readonly argument: string,
    /** Reads a thing and adds the write that sets it. */
    readonly read: () => void,
    /** Writes a thing as it is in force; false if its record, `length` bytes at `at`, is damaged. */
    readonly show: (out: Buffer, name: usize, nameLength: usize, at: usize, length: usize) => bool,
    readonly showName: (out: Buffer, name: usize, nameLength: usize) => void,
  ) {}
}
