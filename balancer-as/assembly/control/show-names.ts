/** `GET /configuration/names`: what is in force by name alone, the backends first. */
import * as answer from "./answer"
import { Buffer } from "../buffer"
import * as generation from "./generation"
import * as keys from "./keys"
import * as listing from "./listing"
import * as page from "./page"
import * as query from "./query"
import { showPlace } from "./host-record"
import * as writer from "../json/writer"

const KEYS_AT_ONCE: u64 = 512
/** First letter of a cursor: which list it goes on with. */
const BACKENDS: u8 = 0x62
const ROUTES: u8 = 0x72
/** Nothing is left. */
const NOTHING: u8 = 0

const out: Buffer = answer.out

/** What comes next. */
let list: u8 = BACKENDS
let from: u64 = 0

export function getNames(): void {
  if (!page.begin()) return
  if (!readCursor()) return answer.sendError(400, "There is no such cursor")
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  out.literal(',"backends":[')
  if (list == BACKENDS) goOn(page.walk(keys.BACKENDS, from, KEYS_AT_ONCE, writeBackend), ROUTES)
  out.literal('],"routes":[')
  if (list == ROUTES) goOn(page.walk(keys.ROUTES, from, KEYS_AT_ONCE, writeHost), NOTHING)
  out.literal('],"next":')
  writeCursor()
  page.end(list == NOTHING)
}

function readCursor(): bool {
  list = BACKENDS
  from = 0
  if (!query.find("cursor")) return true
  if (!query.readNumber(1)) return false
  list = load<u8>(query.at)
  from = query.number
  return list == BACKENDS || list == ROUTES
}

/** The list that was walked is done, or is gone on with next time. */
function goOn(isDone: bool, next: u8): void {
  from = isDone ? 0 : listing.cursor
  if (isDone) list = next
}

function writeCursor(): void {
  if (list == NOTHING) return out.literal("null}")
  out.u8(0x22)
  out.u8(list)
  out.number(from)
  out.literal('"}')
}

function writeBackend(): bool {
  writer.text(out, listing.at, listing.length)
  return true
}

function writeHost(): bool {
  showPlace(out, listing.at, listing.length)
  return true
}
