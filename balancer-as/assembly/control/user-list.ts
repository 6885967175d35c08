/** Users with the hashes of their passwords: JSON → write; record → JSON, without the hashes. */
import { Buffer } from "../buffer"
import { showArray } from "./array"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { hasUnknown, nextField } from "./fields"
import { USER_LISTS } from "./kinds"
import * as made from "./tls/made"
import { readName } from "./names"
import { USER, USER_LIST } from "./tables"
import { hasControl } from "./text"
import { MaxBytes, MaxCount, Type, USER_LIST_VERSION, UserListField } from "../ids"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const USERS_RULE: string = "A user list has 1 to 10000 users"
const NAME_RULE: string = "A user's name has 1 to 255 bytes"
// Nothing of a hash may stand in a sentence.
const HASH_RULE: string = "A password's hash has 1 to 512 bytes without control characters"

let id: usize = 0
let idLength: usize = 0

/** The user that is read; the texts stay where they were read. */
let name: usize = 0
let nameLength: usize = 0
let hash: usize = 0
let hashLength: usize = 0

/** Reads a user list and adds the write that sets it. */
export function readUserList(): void {
  let seen: u64 = 0
  made.begin(USER_LIST_VERSION)
  reader.enterObject()
  for (let place = nextField(USER_LIST, seen); place >= 0; place = nextField(USER_LIST, seen)) {
    seen |= (<u64>1) << place
    if (USER_LIST[place].type == Type.NAME) readId()
    else readUsers(made.value, USER_LIST[place].tag)
  }
  if (!error.failed) made.set(USER_LISTS, id, idLength)
}

function readId(): void {
  readName(USER_LISTS)
  id = reader.text
  idLength = reader.length
}

function readUsers(out: Buffer, tag: u32): void {
  const offset = reader.place()
  let count = 0
  reader.enterArray()
  for (; reader.nextItem(); count++) {
    if (count == MaxCount.USERS) return error.fail(offset, USERS_RULE)
    readUser()
    if (error.failed) return
    out.u32(record.fieldHead(tag, 1 + nameLength + hashLength))
    out.u8(<u8>nameLength)
    out.bytes(name, nameLength)
    out.bytes(hash, hashLength)
  }
  if (count == 0) error.fail(offset, USERS_RULE)
}

function readUser(): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(USER, seen); place >= 0; place = nextField(USER, seen)) {
    seen |= (<u64>1) << place
    if (USER[place].type == Type.TEXT) readUserName()
    else readHash()
  }
}

function readUserName(): void {
  if (!reader.readText("The name of a user is expected")) return
  if (reader.length == 0 || reader.length > MaxBytes.USER_NAME) error.fail(reader.offset, NAME_RULE)
  name = reader.text
  nameLength = reader.length
}

function readHash(): void {
  if (!reader.readText("The hash of a password is expected")) return
  if (reader.length == 0 || reader.length > MaxBytes.PASSWORD_HASH || hasControl())
    error.fail(reader.offset, HASH_RULE)
  hash = reader.text
  hashLength = reader.length
}

/** Writes a user list as it is in force; false if its record is damaged. */
export function showUserList(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(USER_LIST_VERSION, at, length)) return false
  if (hasUnknown(USER_LIST, USER_LIST, first, end)) return false
  out.literal('{"id":')
  writer.text(out, id, idLength)
  writer.member(out, "users")
  if (!showArray(out, UserListField.USERS, first, end, showUser)) return false
  out.u8(0x7d)
  return true
}

/** False if it has no hash. */
function showUser(out: Buffer, field: usize): bool {
  const length = record.fieldLength(field)
  const name = record.fieldValue(field) + 1
  if (length < 2 || <usize>load<u8>(name - 1) >= length - 1) return false
  const nameLength: usize = load<u8>(name - 1)
  const hash = name + nameLength
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  writer.member(out, "scheme")
  writer.text(out, hash, schemeLength(hash, length - 1 - nameLength))
  out.u8(0x7d)
  return true
}

/** How much of a hash says only how it was made: `$2y$`, `{SHA}`, or nothing. */
function schemeLength(hash: usize, length: usize): usize {
  const first = load<u8>(hash)
  if (first != 0x24 && first != 0x7b) return 0
  const rest = length - 1 < MAX_SCHEME_BYTES ? length - 1 : MAX_SCHEME_BYTES
  const end = bytes.indexOf(hash + 1, rest, first == 0x24 ? 0x24 : 0x7d)
  return end == rest ? 0 : end + 2
}

/** Longer than any that is known. */
const MAX_SCHEME_BYTES: usize = 12
