/** The GETs: what is in force, read from the zones and written as JSON. */
import * as answer from "./answer"
import * as arena from "../arena"
import * as bytes from "../bytes"
import { Buffer } from "../buffer"
import { DEFAULT_SERVER } from "./host-record"
import * as generation from "./generation"
import * as host from "../host"
import { isBackend } from "../record"
import * as keys from "./keys"
import * as listing from "./listing"
import * as page from "./page"
import * as query from "./query"
import { showBackend } from "./backend"
import { showHost } from "./host-record"
import * as writer from "../json/writer"

const out: Buffer = answer.out
/** Records are larger than names: it is looked more often whether there is room. */
const KEYS_AT_ONCE: u64 = 32

/** The zone that is listed. */
let zone: host.Name = keys.BACKENDS

export function getChanges(): void {
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  out.u8(0x7d)
  answer.send(200)
}

/** `?name=N`: one backend. `?limit=K&cursor=C`: some of all. */
export function getBackends(): void {
  if (!query.find("name")) return getAll(keys.BACKENDS)
  getOne(keys.BACKENDS, query.at, query.length)
}

/** `?host=H&server=S`: one host, of the server block `main` if none is named. `?limit=K&cursor=C`: some
 * of all. */
export function getRoutes(): void {
  if (!query.find("host")) return getAll(keys.ROUTES)
  const name = query.at
  const nameLength = query.length
  const isNamed = query.find("server")
  const serverLength = isNamed ? query.length : <usize>DEFAULT_SERVER.length
  const place = arena.allocate(serverLength + 1 + nameLength)
  if (isNamed) memory.copy(place, query.at, serverLength)
  else bytes.put(place, DEFAULT_SERVER)
  store<u8>(place + serverLength, 0x2f)
  memory.copy(place + serverLength + 1, name, nameLength)
  getOne(keys.ROUTES, place, serverLength + 1 + nameLength)
}

function getOne(prefix: host.Name, name: usize, length: usize): void {
  out.u8(0x5b)
  show(prefix, name, length)
  out.u8(0x5d)
  answer.send(200)
}

/** Where there is more, the answer's header `x-wick-next` has the cursor to go on with. */
function getAll(prefix: host.Name): void {
  if (!page.begin()) return
  const isFurther = query.find("cursor")
  if (isFurther && !query.readNumber(0)) return answer.sendError(400, "There is no such cursor")
  out.u8(0x5b)
  zone = prefix
  const isAll = page.walk(prefix, isFurther ? query.number : 0, KEYS_AT_ONCE, writeListed)
  out.u8(0x5d)
  if (!isAll) answer.goesOnAt(listing.cursor)
  page.end(isAll)
}

function writeListed(): bool {
  return show(zone, listing.at, listing.length)
}

/** Writes one backend or host; false if it is not there. A record that we cannot read is shown as such. */
function show(prefix: host.Name, name: usize, length: usize): bool {
  const mark = arena.mark()
  if (prefix == keys.BACKENDS) keys.ofBackend(name, length)
  else keys.ofHost(name, length)
  const isThere = host.sharedData(keys.key.at, keys.key.length)
  if (isThere && !showRecord(prefix, name, length)) showDamaged(name, length)
  arena.release(mark)
  return isThere
}

function showRecord(prefix: host.Name, name: usize, length: usize): bool {
  const before = out.length
  if (prefix == keys.ROUTES) {
    if (showHost(out, name, length, host.at, host.length)) return true
    out.length = before
    return false
  }
  if (!isBackend(host.at, host.length)) return false
  showBackend(out, name, length, host.at)
  return true
}

function showDamaged(name: usize, length: usize): void {
  out.literal('{"name":')
  writer.text(out, name, length)
  out.literal(',"error":"This filter cannot read the record"}')
}
