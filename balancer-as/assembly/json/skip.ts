/** Reads past values of which nothing is wanted, as strictly as all others. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "./error"
import { failAt } from "./input"
import { KeySet } from "../key-set"
import * as reader from "./reader"
import { readNumber } from "./number"

const keys: KeySet = new KeySet()
/** Objects so far: the keys of each are a set of their own. */
let scopes: u32 = 0

/** Forgets the keys of all objects; called when a text has been read. */
export function forgetKeys(): void {
  keys.drop()
  scopes = 0
}

export function skipValue(): void {
  if (error.failed) return
  switch (reader.next()) {
    case 0x7b:
      return skipObject()
    case 0x5b:
      return skipArray()
    case 0x22: {
      reader.readText("")
      return
    }
    default:
      return skipScalar()
  }
}

function skipObject(): void {
  const object = newScope()
  reader.enterObject()
  while (reader.nextKey()) {
    if (!isNew(object)) return failTwice()
    skipValue()
  }
}

/** Of the keys of one object, or the items of one list: none may come twice. */
export function newScope(): u32 {
  return scopes++
}

/** Notes the text that was read last; false if the scope has it already. */
export function isNew(scope: u32): bool {
  return keys.add(scope, reader.text, reader.length)
}

/** The key that was read last is there twice. */
export function failTwice(): void {
  error.failNaming(reader.offset, "The key ", reader.text, reader.length, " is there twice")
}

function skipArray(): void {
  reader.enterArray()
  while (reader.nextItem()) skipValue()
}

function skipScalar(): void {
  const at = reader.cursor
  const behind = readWord(at)
  if (behind == 0) failAt(at, "A value is expected")
  else reader.goOn(behind)
}

function readWord(at: usize): usize {
  if (bytes.startsWith(at, 4, "true") || bytes.startsWith(at, 4, "null")) return at + 4
  if (bytes.startsWith(at, 5, "false")) return at + 5
  return readNumber(at)
}
