/** One host: JSON → write; record → JSON. */
import * as arena from "../arena"
import * as bytes from "../bytes"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { HOSTS } from "./kinds"
import { isHost, isLabelByte } from "./name-rules"
import { Fields } from "./field"
import { nextField } from "./fields"
import * as names from "./names"
import { readClientCertificate, showClientCertificate } from "./client-certificate"
import { readRoute, showRoute } from "./route"
import { HOST, PLACE } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { HOST_VERSION, MaxBytes, Type } from "../ids"
import * as writer from "../json/writer"
import * as writes from "./writes"

/** The server block of hosts that name none. */
export const DEFAULT_SERVER: string = "main"

const value: Buffer = new Buffer()
/** The host's own fields, which come before its routes in the record and anywhere in the JSON. */
const own: Buffer = new Buffer()

/** Server and host of the object that is read, and where its host stands in the body. */
let server: usize = 0
let serverLength: usize = 0
let host: usize = 0
let hostLength: usize = 0
let hostOffset: usize = 0
/** `<server>/<host>` */
let place: usize = 0
let placeLength: usize = 0

/** Reads a host and adds the write that sets it. */
export function readHost(): void {
  const count = readFields(HOST)
  if (error.failed || !makePlace()) return
  store<u32>(value.at, HOST_VERSION)
  store<u32>(value.at, count, 4)
  store<u32>(value.at, <u32>own.length, 8)
  if (own.length > 0) insertOwn()
  writes.set(HOSTS, place, placeLength, value)
}

function insertOwn(): void {
  const routesLength = value.length - record.HOST_HEAD_BYTES
  value.extend(own.length)
  const at = record.firstOwn(value.at)
  memory.copy(at + own.length, at, routesLength)
  memory.copy(at, own.at, own.length)
}

/** Reads server and host and adds the write that removes them. */
export function readHostRemoval(): void {
  readFields(PLACE)
  if (!error.failed && makePlace()) writes.remove(HOSTS, place, placeLength)
}

/** Returns the number of routes. */
function readFields(fields: Fields): u32 {
  let count: u32 = 0
  let seen: u32 = 0
  server = 0
  own.clear()
  value.clear()
  value.extend(record.HOST_HEAD_BYTES)
  reader.enterObject()
  for (let field = nextField(fields, seen); field >= 0; field = nextField(fields, seen)) {
    seen |= 1 << field
    const type = fields[field].type
    if (type == Type.NAME) readHostName()
    else if (type == Type.SERVER) readServer()
    else if (type == Type.CLIENT_CERTIFICATE) readClientCertificate(own)
    else count = readRoutes()
  }
  return count
}

function readRoutes(): u32 {
  let count: u32 = 0
  reader.enterArray()
  while (reader.nextItem()) {
    readRoute(value)
    count++
  }
  return count
}

function readServer(): void {
  if (!reader.readText("The name of a server block is expected")) return
  server = reader.text
  serverLength = reader.length
  let isName = serverLength > 0 && serverLength <= MaxBytes.SERVER
  for (let i: usize = 0; i < serverLength; i++) isName = isName && isLabelByte(load<u8>(server + i))
  if (!isName) error.fail(reader.offset, "A server's name has 1 to 63 bytes of a-z, 0-9 and -")
}

function readHostName(): void {
  if (!reader.readText("The name of a host is expected")) return
  host = reader.text
  hostLength = reader.length
  hostOffset = reader.offset
  if (!isHost(host, hostLength)) {
    error.failNaming(
      reader.offset,
      "",
      host,
      hostLength,
      ' is no host: a name in lower case, "*." and a name, or "_"',
    )
  }
}

/** Puts server and host together; false when the change has this host already. */
function makePlace(): bool {
  const named = server != 0
  const length = (named ? serverLength : <usize>DEFAULT_SERVER.length) + 1 + hostLength
  place = arena.allocate(length)
  placeLength = length
  let at = place
  if (named) {
    memory.copy(at, server, serverLength)
    at += serverLength
  } else {
    at = bytes.put(at, DEFAULT_SERVER)
  }
  store<u8>(at, 0x2f)
  memory.copy(at + 1, host, hostLength)
  names.add(HOSTS, place, placeLength, hostOffset)
  return !error.failed
}

/** Writes a host as it is in force; false if its record is damaged. `place` is `<server>/<host>`. */
export function showHost(out: Buffer, place: usize, placeLength: usize, at: usize, length: usize): bool {
  const end = at + length
  if (!record.isHost(at, length)) return false
  showPlace(out, place, placeLength)
  out.length--
  if (!showClientCertificate(out, record.firstOwn(at), record.firstRoute(at))) return false
  out.literal(',"routes":[')
  let route = record.firstRoute(at)
  for (let i: u32 = 0; i < record.count(at); i++) {
    if (end - route < 4 || <usize>load<u32>(route) > end - route - 4) return false
    if (i > 0) out.u8(0x2c)
    const behind = route + 4 + load<u32>(route)
    if (!showRoute(out, route + 4, behind)) return false
    route = behind
  }
  out.literal("]}")
  return true
}

/** `{"server":…,"host":…}` */
export function showPlace(out: Buffer, place: usize, length: usize): void {
  const slash = bytes.indexOf(place, length, 0x2f)
  out.literal('{"server":')
  writer.text(out, place, slash)
  out.literal(',"host":')
  const from = min(slash + 1, length)
  writer.text(out, place + from, length - from)
  out.u8(0x7d)
}

export function drop(): void {
  value.drop()
  own.drop()
}
