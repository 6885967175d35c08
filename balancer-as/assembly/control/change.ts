/** `POST /configuration/changes`: reads the whole change, then applies it, or says why not (docs/wire.md 1). */
import * as answer from "./answer"
import * as error from "../json/error"
import { Field, Fields } from "./field"
import { nextField } from "./fields"
import * as generation from "./generation"
import * as keys from "./keys"
import { GENERATION_PART, HOSTS } from "./kinds"
import { Kind, NamedKind } from "./kind"
import { List } from "./list"
import { LISTS } from "./lists"
import { answerConflict, applyAndAnswer } from "./outcome"
import { ANY } from "./writes"
import { readHostRemoval } from "./host-record"
import { readName } from "./names"
import * as reader from "../json/reader"
import { skipValue } from "../json/skip"
import * as writes from "./writes"

const BASE: i32 = 0
const GENERATION: i32 = 1
const LIST: i32 = 2

/** The lists stand behind the others, in the order of lists.ts. */
const CHANGE: Fields = new StaticArray<Field>(LIST + LISTS.length)
CHANGE[BASE] = new Field("base", BASE, true, false, 0)
CHANGE[GENERATION] = new Field("generation", GENERATION, true, false, 0)
for (let i = 0; i < LISTS.length; i++) CHANGE[LIST + i] = new Field(LISTS[i].kind.list, LIST, false, false, 0)

const SET: i32 = 0
const REMOVE: i32 = 1
const SET_AND_REMOVE: Fields = [
  new Field("set", SET, false, false, 0),
  new Field("remove", REMOVE, false, false, 0),
]

const MAX_GENERATION_BYTES: usize = 64

/** What was read. A base of 0 builds on whatever is there. */
let base: usize = 0
let baseLength: usize = 0
let next: usize = 0
let nextLength: usize = 0

export function postChange(body: usize, length: usize): void {
  reader.begin(body, length)
  readChange()
  reader.finish()
  if (error.failed) return answer.sendRefusal()
  generation.read()
  if (base != 0 && !generation.is(base, baseLength)) return answerConflict()
  const key = keys.GENERATION
  writes.write(GENERATION_PART, key.at, key.length, next, <u32>nextLength, base == 0 ? ANY : generation.cas)
  applyAndAnswer(next, nextLength)
}

function readChange(): void {
  let seen: u64 = 0
  base = 0
  reader.enterObject()
  for (let place = nextField(CHANGE, seen); place >= 0; place = nextField(CHANGE, seen)) {
    seen |= (<u64>1) << place
    if (place == BASE) readBase()
    else if (place == GENERATION) readNext()
    else readList(LISTS[place - LIST])
  }
}

function readBase(): void {
  if (reader.next() == 0x6e) return skipValue()
  readGeneration()
  base = reader.text
  baseLength = reader.length
}

function readNext(): void {
  readGeneration()
  next = reader.text
  nextLength = reader.length
}

function readGeneration(): void {
  if (!reader.readText("A generation in quotes is expected")) return
  let isGeneration = reader.length > 0 && reader.length <= MAX_GENERATION_BYTES
  for (let i: usize = 0; i < reader.length; i++) {
    isGeneration = isGeneration && isGenerationByte(load<u8>(reader.text + i))
  }
  if (!isGeneration)
    error.fail(reader.offset, "A generation has 1 to 64 bytes of A-Z, a-z, 0-9, dot, dash and underscore")
}

function isGenerationByte(byte: u8): bool {
  const letter = byte | 0x20
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte == 0x2d ||
    byte == 0x2e ||
    byte == 0x5f
  )
}

function readList(list: List): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(SET_AND_REMOVE, seen); place >= 0; place = nextField(SET_AND_REMOVE, seen)) {
    seen |= (<u64>1) << place
    reader.enterArray()
    while (reader.nextItem()) {
      if (place == SET) list.read()
      else readRemoval(list.kind)
    }
  }
}

function readRemoval(kind: Kind): void {
  if (kind == HOSTS) return readHostRemoval()
  readName(<NamedKind>kind)
  if (!error.failed) writes.remove(kind, reader.text, reader.length)
}
