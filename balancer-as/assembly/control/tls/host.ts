/** What a handshake for a server name gets: JSON → write; record → JSON. */
import { Buffer } from "../../buffer"
import { showArray } from "../array"
import * as error from "../../json/error"
import { Field } from "../field"
import { hasUnknown, nextField, placeOfId } from "../fields"
import { CERTIFICATES, TLS_HOSTS } from "../kinds"
import { isId } from "../name-rules"
import { readCiphers } from "./ciphers"
import * as made from "./made"
import * as numbers from "../numbers"
import { readClientVerification, showClientVerification } from "./client-verification"
import { readListener } from "../host-record"
import { readName } from "../names"
import { CLIENT_VERIFICATION, TLS_HOST } from "../tables"
import { MaxCount, TLS_HOST_VERSION, TlsHostField, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

const CERTIFICATES_RULE: string = "A TLS host has at most 4 certificates, of different types of keys"

let host: usize = 0
let hostLength: usize = 0

/** Reads a TLS host and adds the write that sets it. */
export function readTlsHost(): void {
  let seen: u64 = 0
  made.begin(TLS_HOST_VERSION)
  reader.enterObject()
  for (let place = nextField(TLS_HOST, seen); place >= 0; place = nextField(TLS_HOST, seen)) {
    seen |= (<u64>1) << place
    readField(made.value, TLS_HOST[place])
  }
  if (!error.failed) made.set(TLS_HOSTS, host, hostLength)
}

function readField(out: Buffer, field: Field): void {
  switch (field.type) {
    case Type.NAME:
      readName(TLS_HOSTS)
      host = reader.text
      hostLength = reader.length
      return
    case Type.IDS:
      return readCertificates(out, field.tag)
    case Type.CIPHERS:
      return readCiphers(out, field.tag)
    case Type.LINE:
      return readListener(out, field)
    case Type.CLIENT_VERIFICATION:
      return readClientVerification(out)
    default:
      return numbers.readField(out, field.tag, field.type)
  }
}

function readCertificates(out: Buffer, tag: u32): void {
  const offset = reader.place()
  reader.enterArray()
  for (let count = 0; reader.nextItem(); count++) {
    if (count == MaxCount.HOST_CERTIFICATES) return error.fail(offset, CERTIFICATES_RULE)
    if (!reader.readText("The id of a certificate is expected")) return
    if (!isId(reader.text, reader.length)) return error.fail(reader.offset, CERTIFICATES.rule)
    record.putField(out, tag, reader.text, reader.length)
  }
}

/** Writes a TLS host as it is in force; false if its record is damaged. */
export function showTlsHost(out: Buffer, name: usize, nameLength: usize, at: usize, length: usize): bool {
  const from = firstField(at, length)
  if (from == 0) return false
  out.literal('{"host":')
  writer.text(out, name, nameLength)
  showCertificates(out, from, at + length)
  for (let field = from; field != at + length; field = record.nextField(field)) showField(out, field)
  if (!showClientVerification(out, from, at + length)) return false
  out.u8(0x7d)
  return true
}

function showCertificates(out: Buffer, from: usize, end: usize): void {
  writer.member(out, "certificates")
  showArray(out, TlsHostField.CERTIFICATES, from, end, showText)
}

function showText(out: Buffer, field: usize): bool {
  writer.text(out, record.fieldValue(field), record.fieldLength(field))
  return true
}

function showField(out: Buffer, field: usize): void {
  const place = placeOfId(TLS_HOST, record.fieldId(field))
  if (place < 0 || TLS_HOST[place].type == Type.IDS) return
  writer.member(out, TLS_HOST[place].name)
  if (numbers.isNumber(TLS_HOST[place].type)) numbers.show(out, TLS_HOST[place].type, field)
  else showText(out, field)
}

/** The first field of a record, which may be its end; 0 if the record is damaged, or not for us. */
export function firstField(at: usize, length: usize): usize {
  const first = at + record.HEAD_BYTES
  if (!record.isRecord(TLS_HOST_VERSION, at, length)) return 0
  return hasUnknown(TLS_HOST, CLIENT_VERIFICATION, first, at + length) ? 0 : first
}
