/** `GET /configuration/names`: what is in force by name alone, list by list. */
import * as answer from "./answer"
import { Buffer } from "../buffer"
import * as generation from "./generation"
import * as listing from "./listing"
import { LISTS } from "./lists"
import * as page from "./page"
import * as query from "./query"
import * as writer from "../json/writer"

const KEYS_AT_ONCE: u64 = 512

const out: Buffer = answer.out

/** Which list comes next, and from where on; behind the last one nothing is left. */
let at: i32 = 0
let from: u64 = 0

export function getNames(): void {
  if (!page.begin()) return
  if (!readCursor()) return answer.sendError(400, "There is no such cursor")
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  for (let i = 0; i < LISTS.length; i++) {
    writer.member(out, LISTS[i].kind.list)
    out.u8(0x5b)
    if (i == at) goOn(page.walk(LISTS[i].kind.prefix, from, KEYS_AT_ONCE, writeName))
    out.u8(0x5d)
  }
  out.literal(',"next":')
  writeCursor()
  page.end(at == LISTS.length)
}

/** A letter for the list, then where to go on in it. */
function readCursor(): bool {
  at = 0
  from = 0
  if (!query.find("cursor")) return true
  if (!query.readNumber(1)) return false
  while (at < LISTS.length && LISTS[at].letter != load<u8>(query.at)) at++
  from = query.number
  return at < LISTS.length
}

/** The list that was walked is done, or is gone on with next time. */
function goOn(isDone: bool): void {
  from = isDone ? 0 : listing.cursor
  if (isDone) at++
}

function writeCursor(): void {
  if (at == LISTS.length) return out.literal("null}")
  out.u8(0x22)
  out.u8(LISTS[at].letter)
  out.number(from)
  out.literal('"}')
}

function writeName(): bool {
  LISTS[at].showName(out, listing.at, listing.length)
  return true
}
