/** Issues the cookie of a session that was begun or moved, where that is due. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as date from "./date"
import * as hex from "../hex"
import * as host from "../host"
import * as md5 from "../md5"
import * as record from "../record"
import { Backend } from "../backend"
import { Buffer } from "../buffer"
import { CookieFlag, Setting } from "../ids"
import { isUnfitForNone } from "./same-site"
import { Session } from "./session"
import { Property } from "../foreign"

/** Name of the backend whose sessions may begin at the request's route. */
const SESSION: host.Name = new host.Name(Property.ROUTE_SESSION)
/** Name of the record of the request's host. */
const HOST: host.Name = new host.Name(Property.INGRESS_HOST)
const LOCATION: host.Name = new host.Name(Property.LOCATION_PATH)
const HTTPS: host.Name = new host.Name(Property.HTTPS)

const SAMESITE_NONE: u8 = 1
const SAMESITES: StaticArray<string> = ["; SameSite=None", "; SameSite=Lax", "; SameSite=Strict"]

/** u32 length of the cookie's name · name · value of the `Set-Cookie` header. */
const args: Buffer = new Buffer()

/** The cookie says from now on that the session has this key. */
export function issue(backend: Backend, session: Session, key: usize, keyLength: usize): void {
  if (!isDue(backend)) return
  args.clear()
  const nameLength = record.fieldLength(session.name)
  args.u32(<u32>nameLength)
  args.bytes(record.fieldValue(session.name), nameLength)
  args.bytes(record.fieldValue(session.name), nameLength)
  args.u8(0x3d)
  args.bytes(key, keyLength)
  args.u8(0x7c)
  hex.put(session.ownerDigest, md5.DIGEST_BYTES, args.extend(md5.HEX_BYTES))
  putAttributes(backend.head, session.flags)
  host.setCookie(args.at, args.length)
}

let hostName: usize = 0
let hostLength: usize = 0
let location: usize = 0
let locationLength: usize = 0

/** Does the request's route say so, or do the backend's settings? */
function isDue(backend: Backend): bool {
  if (!host.property(LOCATION)) return false
  location = host.at
  locationLength = host.length
  return isOfRoute(backend) || isLocation(backend.head)
}

function isOfRoute(backend: Backend): bool {
  if (!host.property(SESSION) || host.length == 0) return false
  const other = record.setting(backend.head, Setting.SESSIONS_OF)
  const name = other == 0 ? backend.name : record.fieldValue(other)
  const length = other == 0 ? backend.nameLength : record.fieldLength(other)
  return host.length == length && bytes.equal(host.at, name, length)
}

/** Do the settings name the request's host and location? */
function isLocation(head: usize): bool {
  if (record.setting(head, Setting.COOKIE_LOCATION) == 0 || !host.property(HOST)) return false
  hostName = host.at
  hostLength = host.length
  const end = record.firstEndpoint(head)
  for (let at = record.firstSetting(head); at != end; at = record.nextField(at)) {
    if (record.fieldId(at) == Setting.COOKIE_LOCATION && isRequested(at)) return true
  }
  return false
}

function isRequested(setting: usize): bool {
  const end = record.nextField(setting)
  let at = record.fieldValue(setting)
  if (!isText(at, hostName, hostLength)) return false
  for (at = behindText(at); at != end; at = behindText(at)) {
    if (isText(at, location, locationLength)) return true
  }
  return false
}

/** u16 length · text. */
function isText(at: usize, text: usize, length: usize): bool {
  return load<u16>(at) == length && memory.compare(at + 2, text, length) == 0
}

function behindText(at: usize): usize {
  return at + 2 + load<u16>(at)
}

function putAttributes(head: usize, flags: u8): void {
  putExpires(record.setting(head, Setting.COOKIE_EXPIRES))
  putMaxAge(record.setting(head, Setting.COOKIE_MAX_AGE))
  putText("; Domain=", record.setting(head, Setting.COOKIE_DOMAIN))
  putPath(record.setting(head, Setting.COOKIE_PATH))
  if ((flags & CookieFlag.SECURE) != 0 || isHttps()) args.literal("; Secure")
  args.literal("; HttpOnly")
  putSameSite(record.setting(head, Setting.COOKIE_SAMESITE), flags)
}

function putExpires(seconds: usize): void {
  if (seconds == 0) return
  args.literal("; Expires=")
  date.put(args, host.time() + load<i64>(record.fieldValue(seconds)))
}

function putMaxAge(seconds: usize): void {
  if (seconds == 0) return
  args.literal("; Max-Age=")
  args.signed(load<i64>(record.fieldValue(seconds)))
}

function putText(attribute: string, setting: usize): void {
  if (setting == 0) return
  args.literal(attribute)
  args.bytes(record.fieldValue(setting), record.fieldLength(setting))
}

/** Without a path of its own, that of the location; one that cannot stand in a cookie is left to the browser. */
function putPath(setting: usize): void {
  if (setting != 0 || !isAttribute(location, locationLength)) return putText("; Path=", setting)
  args.literal("; Path=")
  args.bytes(location, locationLength)
}

/** No semicolon, no control character. */
function isAttribute(at: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i)
    if (byte < 0x20 || byte == 0x3b || byte == 0x7f) return false
  }
  return true
}

function isHttps(): bool {
  return host.property(HTTPS) && bytes.is(host.at, host.length, "on")
}

function putSameSite(setting: usize, flags: u8): void {
  if (setting == 0) return
  const kind = load<u8>(record.fieldValue(setting))
  if (kind == 0 || kind > <u8>SAMESITES.length) return
  const isConditional = (flags & CookieFlag.CONDITIONAL_SAMESITE_NONE) != 0
  if (kind == SAMESITE_NONE && isConditional && isUnfitForNone()) return
  args.literal(SAMESITES[kind - 1])
}
