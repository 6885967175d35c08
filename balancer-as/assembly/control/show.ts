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
import * as query from "./query"
import { showBackend } from "./backend"
import { showHost, showPlace } from "./host-record"
import * as writer from "../json/writer"

const out: Buffer = answer.out
const CANNOT_LIST: string = "The host cannot list the keys of a zone"

export function getChanges(): void {
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  out.u8(0x7d)
  answer.send(200)
}

export function getNames(): void {
  generation.read()
  out.literal('{"generation":')
  generation.show(out)
  out.literal(',"backends":[')
  listing.begin(keys.BACKENDS)
  for (let i = 0; listing.next(); i++) {
    if (i > 0) out.u8(0x2c)
    writer.text(out, listing.at, listing.length)
  }
  if (listing.failed) return answer.sendError(500, CANNOT_LIST)
  out.literal('],"routes":[')
  listing.begin(keys.ROUTES)
  for (let i = 0; listing.next(); i++) {
    if (i > 0) out.u8(0x2c)
    showPlace(out, listing.at, listing.length)
  }
  if (listing.failed) return answer.sendError(500, CANNOT_LIST)
  out.literal("]}")
  answer.send(200)
}

/** `?name=N`: one backend. `?after=N&limit=K`: the next ones. */
export function getBackends(): void {
  if (!query.find("name")) return getAll(keys.BACKENDS)
  getOne(keys.BACKENDS, query.at, query.length)
}

/** `?host=H&server=S`: one host, of the server block `main` if none is named. `?after=S/H&limit=K`: the next ones. */
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

function getAll(prefix: host.Name): void {
  let left = query.number("limit", u64.MAX_VALUE)
  if (left == 0) return answer.sendError(400, "The limit must be a whole number from 1 on")
  let isBefore = query.find("after")
  out.u8(0x5b)
  listing.begin(prefix)
  while (left > 0 && listing.next()) {
    if (isBefore) {
      isBefore = !isAfter()
      continue
    }
    const length = out.length
    if (length > 1) out.u8(0x2c)
    if (show(prefix, listing.at, listing.length)) left--
    else out.length = length
  }
  if (listing.failed) return answer.sendError(500, CANNOT_LIST)
  if (isBefore)
    return answer.sendError(404, "What should be gone on after is not there any more: start again")
  out.u8(0x5d)
  answer.send(200)
}

/** Is the key that was listed last the one to go on after? */
function isAfter(): bool {
  return listing.length == query.length && bytes.equal(listing.at, query.at, query.length)
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
