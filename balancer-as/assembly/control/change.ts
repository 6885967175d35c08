/** `POST /configuration/changes`: reads the whole change, then applies it, or says why not (docs/wire.md 1). */
import * as answer from "./answer"
import * as error from "../json/error"
import { Field, Fields, nextField } from "./fields"
import * as generation from "./generation"
import * as keys from "./keys"
import { ANY, Part } from "./writes"
import { answerConflict, applyAndAnswer } from "./outcome"
import { readBackend, readBackendName } from "./backend"
import { readHost, readHostRemoval } from "./host-record"
import * as reader from "../json/reader"
import * as writes from "./writes"

const BASE: i32 = 0
const GENERATION: i32 = 1
const BACKENDS: i32 = 2
const ROUTES: i32 = 3
const CHANGE: Fields = [
  new Field("base", BASE, true),
  new Field("generation", GENERATION, true),
  new Field("backends", BACKENDS),
  new Field("routes", ROUTES),
]

const SET: i32 = 0
const REMOVE: i32 = 1
const LISTS: Fields = [new Field("set", SET), new Field("remove", REMOVE)]

const MOST_GENERATION_BYTES: usize = 64

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
  writes.write(Part.GENERATION, key.at, key.length, next, <u32>nextLength, base == 0 ? ANY : generation.cas)
  applyAndAnswer(next, nextLength)
}

function readChange(): void {
  let seen: u32 = 0
  base = 0
  reader.enterObject()
  for (let place = nextField(CHANGE, seen); place >= 0; place = nextField(CHANGE, seen)) {
    seen |= 1 << place
    if (place == BASE) readBase()
    else if (place == GENERATION) readNext()
    else readLists(place)
  }
}

function readBase(): void {
  if (reader.next() == 0x6e) return reader.skip()
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
  let isGeneration = reader.length > 0 && reader.length <= MOST_GENERATION_BYTES
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

/** `set` and `remove` of the backends or of the hosts. */
function readLists(kind: i32): void {
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(LISTS, seen); place >= 0; place = nextField(LISTS, seen)) {
    seen |= 1 << place
    reader.enterArray()
    while (reader.nextItem()) readItem(kind, place)
  }
}

function readItem(kind: i32, list: i32): void {
  if (kind == ROUTES) return list == SET ? readHost() : readHostRemoval()
  if (list == SET) return readBackend()
  readBackendName()
  if (error.failed) return
  keys.ofBackend(reader.text, reader.length)
  writes.remove(Part.REMOVE_BACKENDS)
}
