/** `policy`: whose Wasm module chooses, with what configuration. In a record its name and digest are one text. */
import * as arena from "../../../policy-as/assembly/lib/arena"
import { Buffer } from "../buffer"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as error from "../json/error"
import { Field } from "./field"
import { nextField } from "./fields"
import { MaxBytes, Setting, Type } from "../ids"
import { DIGEST_BYTES, DIGEST_RULE, isDigest, isLabelByte } from "./name-rules"
import * as numbers from "./numbers"
import * as reader from "../json/reader"
import * as settings from "./settings"
import { POLICY } from "./tables"
import * as writer from "../json/writer"

const WANTED_NAME: string = "The name of a policy is expected"
const NAME_RULE: string = "A policy's name has 1 to 63 bytes of a-z, 0-9 and dashes"

let name: usize = 0
let nameLength: usize = 0
let digest: usize = 0

export function readPolicy(): void {
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(POLICY, seen); place >= 0; place = nextField(POLICY, seen)) {
    seen |= (<u64>1) << place
    const field = POLICY[place]
    if (field.isRequired || !reader.skipNull()) readField(field)
  }
  if (!error.failed) keepVersion()
}

function readField(field: Field): void {
  if (field.type == Type.POLICY_NAME) readName()
  else if (field.type == Type.DIGEST) readDigest()
  else if (field.type == Type.POLICY_NEEDS) settings.setNumber(field.id, numbers.read(field.type))
  else readConfig(field)
}

function readName(): void {
  if (!reader.readText(WANTED_NAME)) return
  name = reader.text
  nameLength = reader.length
  if (!isName(name, nameLength)) error.fail(reader.offset, NAME_RULE)
}

function isName(at: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) if (!isLabelByte(load<u8>(at + i))) return false
  return length > 0 && length <= MaxBytes.POLICY_NAME
}

function readDigest(): void {
  if (!reader.readText(DIGEST_RULE)) return
  digest = reader.text
  if (!isDigest(digest, reader.length)) error.fail(reader.offset, DIGEST_RULE)
}

/** Any text: it is the policy's own affair. An empty one is none. */
function readConfig(field: Field): void {
  if (!reader.readText("A text in quotes is expected")) return
  if (reader.length > MaxBytes.POLICY_CONFIG)
    error.failField(reader.offset, field.name, " has at most 16384 bytes")
  else if (reader.length > 0) settings.setText(field.id, reader.text, reader.length)
}

/** `NAME@DIGEST`. */
function keepVersion(): void {
  const length = nameLength + 1 + DIGEST_BYTES
  const text = arena.allocate(length)
  memory.copy(text, name, nameLength)
  store<u8>(text + nameLength, 0x40)
  memory.copy(text + nameLength + 1, digest, DIGEST_BYTES)
  settings.setText(Setting.POLICY, text, length)
}

export function showPolicy(out: Buffer): void {
  if (!settings.has(Setting.POLICY)) return
  const at = settings.text(Setting.POLICY)
  const length = settings.textLength(Setting.POLICY)
  const end = bytes.indexOf(at, length, 0x40)
  writer.open(out, "policy")
  out.literal('"name":')
  writer.text(out, at, end)
  writer.member(out, "digest")
  writer.text(out, at + end + 1, end < length ? length - end - 1 : 0)
  settings.showText(out, "config", Setting.POLICY_CONFIG)
  if (settings.has(Setting.POLICY_NEEDS)) writer.number(out, "needs", settings.number(Setting.POLICY_NEEDS))
  out.u8(0x7d)
}
