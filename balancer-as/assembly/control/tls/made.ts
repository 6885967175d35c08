/** The record of the zones `certificates` and `passthroughs` that is made: a thing of TLS is made of one after the other. */
import { Buffer } from "../../buffer"
import { Kind } from "../kind"
import * as record from "../../record"
import * as writes from "../writes"

export const value: Buffer = new Buffer()

export function begin(version: u8): void {
  record.begin(value, version)
}

/** Adds the write that sets it. */
export function set(kind: Kind, name: usize, nameLength: usize): void {
  record.end(value)
  writes.set(kind, name, nameLength, value)
}

/** Gives back what making took. */
export function drop(): void {
  value.drop()
}
