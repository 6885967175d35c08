/**
 * A session by cookie. The cookie's value is `key|owner` as in ingress-nginx, so that sessions survive a change from it:
 * the key leads to an endpoint, by rules of its own for each kind of session; the owner says whose cookie it is.
 */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as attempt from "../attempt"
import * as avoid from "../avoid"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as hex from "../hex"
import * as host from "../host"
import * as md5 from "../md5"
import * as record from "../record"
import { Algorithm, CookieFlag, Setting } from "../ids"
import { Backend } from "../backend"

const BAR: u8 = 0x7c

/** The state of each kind of session begins with it. */
@unmanaged
export class Session {
  /** The setting with the cookie's name. */
  name: usize
  /** See `CookieFlag`. */
  flags: u8
  /** MD5 of the hexadecimal MD5 of the backend's name and the name itself. */
  owner: u64
  ownerEnd: u64


  @inline get ownerDigest(): usize {
    return changetype<usize>(this) + offsetof<Session>("owner")
  }
}

/** The key that `read` found. */
export let key: usize = 0
export let keyLength: usize = 0

const DIGEST: usize = memory.data(16, 8)

export function begin(session: Session, backend: Backend): void {
  session.name = record.setting(backend.head, Setting.COOKIE_NAME)
  const flags = record.setting(backend.head, Setting.COOKIE_FLAGS)
  session.flags = flags == 0 ? 0 : load<u8>(record.fieldValue(flags))
  const text = arena.allocate(md5.HEX_BYTES + backend.nameLength)
  md5.digest(backend.name, backend.nameLength, DIGEST)
  hex.put(DIGEST, md5.DIGEST_BYTES, text)
  memory.copy(text + md5.HEX_BYTES, backend.name, backend.nameLength)
  md5.digest(text, md5.HEX_BYTES + backend.nameLength, session.ownerDigest)
}

/** Reads the request's cookie; false if it has none, or one without a key. */
export function read(session: Session): bool {
  if (!host.cookie(record.fieldValue(session.name), record.fieldLength(session.name))) return false
  key = host.at
  keyLength = bytes.indexOf(host.at, host.length, BAR)
  return keyLength > 0
}

/** Is the request of a session of this backend? Only backends with sessions have any. */
export function isOf(backend: Backend): bool {
  const hasSessions =
    backend.algorithm == Algorithm.STICKY_BALANCED || backend.algorithm == Algorithm.STICKY_PERSISTENT
  return hasSessions && backend.count > 0 && isOwner(changetype<Session>(backend.state))
}

function isOwner(session: Session): bool {
  if (!read(session) || keyLength == host.length) return false
  const owner = key + keyLength + 1
  const length = bytes.indexOf(owner, key + host.length - owner, BAR)
  return md5.parse(owner, length, DIGEST) && md5.isSame(DIGEST, session.ownerDigest)
}

/** Must a session with this endpoint move to another one for good, because attempts have failed? */
export function mustMove(session: Session, backend: Backend, index: u32): bool {
  const movesOnFailure = (session.flags & CookieFlag.CHANGE_ON_FAILURE) != 0
  return movesOnFailure && (attempt.number() > 0 || avoid.isOut(backend, index))
}
