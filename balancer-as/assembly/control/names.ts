/** Names of things: reading them, and which the change had so far. Each may come once of its kind, be it set or removed. */
import * as error from "../json/error"
import { Kind, NamedKind } from "./kind"
import { KeySet } from "../key-set"
import * as reader from "../json/reader"

const names: KeySet = new KeySet()

/** Reads the name of a thing that the change sets or removes; reader.ts has it then. */
export function readName(kind: NamedKind): void {
  if (!reader.readText(kind.wanted)) return
  if (!kind.isName(reader.text, reader.length)) return error.fail(reader.offset, kind.rule)
  add(kind, reader.text, reader.length, reader.offset)
}

/** The name stays where it is until the callback ends; `offset` is where it stands in the body. */
export function add(kind: Kind, at: usize, length: usize, offset: usize): void {
  if (!names.add(<u32>kind.setPart, at, length))
    error.failNaming(offset, kind.noun, at, length, " is named twice")
}

export function has(kind: Kind, at: usize, length: usize): bool {
  return names.has(<u32>kind.setPart, at, length)
}

export function drop(): void {
  names.drop()
}
