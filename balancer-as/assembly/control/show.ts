/** The GETs: what is in force, read from the zones and written as JSON. */
import * as answer from "./answer"
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import { DEFAULT_SERVER } from "./host-record"
import * as generation from "./generation"
import * as host from "../host"
import { HOSTS } from "./kinds"
import { Kind } from "./kind"
import * as keys from "./keys"
import * as listing from "./listing"
import { List } from "./list"
import { LISTS } from "./lists"
import * as page from "./page"
import * as query from "./query"
import * as writer from "../json/writer"

const out: Buffer = answer.out
const FOLDER: string = "/configuration/"
/** Records are larger than names: it is looked more often whether there is room. */
const KEYS_AT_ONCE: u64 = 32

/** The list that is shown. */
let list: List = LISTS[0]

/** Does the path name a list? `get` shows that one then. */
export function isList(): bool {
  if (!bytes.startsWith(query.path, query.pathLength, FOLDER)) return false
  const name = query.path + FOLDER.length
  const length = query.pathLength - FOLDER.length
  for (let i = 0; i < LISTS.length; i++) {
    list = LISTS[i]
    if (bytes.is(name, length, list.kind.list)) return true
  }
  return false
}

export function getChanges(): void {
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  out.u8(0x7d)
  answer.send(200)
}

/** `?<argument>=N`: one thing. `?limit=K&cursor=C`: some of all. */
export function get(): void {
  if (!query.find(list.argument)) return getAll()
  if (list.kind == HOSTS) putPlace()
  out.u8(0x5b)
  show(query.at, query.length)
  out.u8(0x5d)
  answer.send(200)
}

/** `?host=H&server=S`: of the server block `main` if none is named. */
function putPlace(): void {
  const name = query.at
  const nameLength = query.length
  const isNamed = query.find("server")
  const serverLength = isNamed ? query.length : <usize>DEFAULT_SERVER.length
  const place = arena.allocate(serverLength + 1 + nameLength)
  if (isNamed) memory.copy(place, query.at, serverLength)
  else bytes.put(place, DEFAULT_SERVER)
  store<u8>(place + serverLength, 0x2f)
  memory.copy(place + serverLength + 1, name, nameLength)
  query.set(place, serverLength + 1 + nameLength)
}

/** Where there is more, the answer's header `x-wick-next` has the cursor to go on with. */
function getAll(): void {
  if (!page.begin()) return
  const isFurther = query.find("cursor")
  if (isFurther && !query.readNumber(0)) return answer.sendError(400, "There is no such cursor")
  out.u8(0x5b)
  const isAll = page.walk(list.kind.prefix, isFurther ? query.number : 0, KEYS_AT_ONCE, writeListed)
  out.u8(0x5d)
  if (!isAll) answer.goesOnAt(listing.cursor)
  page.end(isAll)
}

function writeListed(): bool {
  return show(listing.at, listing.length)
}

/** Writes one thing; false if it is not there. A record that we cannot read is shown as such. */
function show(name: usize, length: usize): bool {
  const mark = arena.mark()
  const isThere = find(list.kind, name, length)
  const before = out.length
  if (isThere && !list.show(out, name, length, host.at, host.length)) {
    out.length = before
    showDamaged(name, length)
  }
  arena.release(mark)
  return isThere
}

/** Finds the record of a thing; host.ts has it then. */
export function find(kind: Kind, name: usize, length: usize): bool {
  keys.make(kind, name, length)
  return host.sharedData(keys.key.at, keys.key.length)
}

function showDamaged(name: usize, length: usize): void {
  out.literal('{"name":')
  writer.text(out, name, length)
  out.literal(',"error":"This filter cannot read the record"}')
}
