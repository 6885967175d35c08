/** One host: JSON → write; record → JSON. */
import * as arena from "../../../policy-as/assembly/lib/arena"
import { showArray } from "./array"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { HOSTS, ROUTE_PARTS } from "./kinds"
import { isHost, isId, isServer } from "./name-rules"
import { Field, Fields } from "./field"
import { hasUnknown, nextField } from "./fields"
import * as names from "./names"
import * as numbers from "./numbers"
import { readClientCertificate, showClientCertificate } from "./client-certificate"
import { readRoutes, showRoutes } from "./routes"
import { readHostScript, showScript } from "./script/script"
import { readLine } from "./text"
import { CLIENT_CERTIFICATE, HOST, PLACE } from "./tables"
import * as reader from "../json/reader"
import * as record from "../record"
import { HOST_VERSION, HostField, Type } from "../ids"
import * as writer from "../json/writer"
import * as writes from "./writes"

/** The server of hosts that name none. */
export const DEFAULT_SERVER: string = "main"

const SERVER_RULE: string =
  "A server's name has 1 to 63 bytes of a-z, 0-9 and -, or is a listener, as http:10.0.0.1:80, https:[::1]:443 or http:*:80"

/** The record, and its routes, which come last in it and anywhere in the JSON. */
const value: Buffer = new Buffer()
const routes: Buffer = new Buffer()

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
  readFields(HOST)
  if (error.failed || !makePlace()) return
  value.bytes(routes.at, routes.length)
  record.end(value)
  writes.set(HOSTS, place, placeLength, value)
}

/** Reads server and host and adds the write that removes them. */
export function readHostRemoval(): void {
  readFields(PLACE)
  if (!error.failed && makePlace()) writes.remove(HOSTS, place, placeLength)
}

function readFields(fields: Fields): void {
  let seen: u64 = 0
  server = 0
  routes.clear()
  record.begin(value, HOST_VERSION)
  reader.enterObject()
  for (let at = nextField(fields, seen); at >= 0; at = nextField(fields, seen)) {
    seen |= (<u64>1) << at
    const field = fields[at]
    if (field.type == Type.NAME) readHostName()
    else if (field.type == Type.SERVER) readServer()
    else if (field.type == Type.CLIENT_CERTIFICATE) readClientCertificate(value)
    else if (field.type == Type.SCRIPT) readHostScript(value, field.tag)
    else if (field.type == Type.PART_IDS) readParts(field.tag)
    else if (field.type == Type.MARK) numbers.readField(value, field.tag, field.type)
    else if (field.type == Type.HOST_NAME) readAliasOf(field.tag)
    else if (field.type == Type.LINE) readListener(value, field)
    else readRoutes(routes, field.tag)
  }
}

/** Either the host has its routes itself, or its parts have them. */
function readParts(tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) {
    if (!reader.readText("The id of a part is expected")) return
    if (!isId(reader.text, reader.length)) return error.fail(reader.offset, ROUTE_PARTS.rule)
    record.putField(value, tag, reader.text, reader.length)
  }
}

/** Another host, whose routes are this one's. */
function readAliasOf(tag: u32): void {
  if (!reader.readText("The name of a host is expected")) return
  if (isHost(reader.text, reader.length)) record.putField(value, tag, reader.text, reader.length)
  else failNoHost(reader.offset, reader.text, reader.length)
}

/** Of a host, or of a TLS host. */
export function readListener(out: Buffer, field: Field): void {
  if (!readLine(field.name)) return
  if (reader.length == 0) return error.failField(reader.offset, field.name, " must not be empty")
  record.putField(out, field.tag, reader.text, reader.length)
}

function readServer(): void {
  if (!reader.readText("The name of a server block is expected")) return
  server = reader.text
  serverLength = reader.length
  if (!isServer(server, serverLength)) error.fail(reader.offset, SERVER_RULE)
}

function readHostName(): void {
  if (!reader.readText("The name of a host is expected")) return
  host = reader.text
  hostLength = reader.length
  hostOffset = reader.offset
  if (!isHost(host, hostLength)) failNoHost(hostOffset, host, hostLength)
}

function failNoHost(offset: usize, name: usize, length: usize): void {
  error.failNaming(
    offset,
    "",
    name,
    length,
    ' is no host: a name in lower case, "*." or "**." and a name, or "_"',
  )
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
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(HOST_VERSION, at, length)) return false
  if (hasUnknown(HOST, CLIENT_CERTIFICATE, first, end)) return false
  showPlace(out, place, placeLength)
  out.length--
  if (!showClientCertificate(out, first, end)) return false
  if (record.nextOf(HostField.CLOSED, first, end) != end) out.literal(',"closed":true')
  const script = record.nextOf(HostField.SCRIPT, first, end)
  if (script != end && !showScript(out, "script", script)) return false
  showText(out, "alias_of", HostField.ALIAS_OF, first, end)
  showText(out, "listener", HostField.LISTENER, first, end)
  showParts(out, first, end)
  if (!showRoutes(out, first, end)) return false
  out.u8(0x7d)
  return true
}

function showParts(out: Buffer, at: usize, end: usize): void {
  if (record.nextOf(HostField.PARTS, at, end) == end) return
  writer.member(out, "parts")
  showArray(out, HostField.PARTS, at, end, (out: Buffer, field: usize): bool => {
    writer.text(out, record.fieldValue(field), record.fieldLength(field))
    return true
  })
}

function showText(out: Buffer, name: string, id: u32, at: usize, end: usize): void {
  const field = record.nextOf(id, at, end)
  if (field == end) return
  writer.member(out, name)
  writer.text(out, record.fieldValue(field), record.fieldLength(field))
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
  routes.drop()
}
