/** Who signs the certificates of clients, and what it has revoked: JSON → write; record → JSON. */
import { AUTHORITIES } from "../kinds"
import { Buffer } from "../../buffer"
import * as der from "./der"
import * as error from "../../json/error"
import { hasUnknown, nextField } from "../fields"
import * as made from "./made"
import { readName } from "../names"
import { AUTHORITY } from "../tables"
import { AUTHORITY_VERSION, AuthorityField, MaxCount, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

const CERTIFICATES_RULE: string = "An authority has 1 to 1024 certificates"
const CRLS_RULE: string = "An authority has 0 to 64 revocation lists"

/** They come last in the record. */
const crls: Buffer = new Buffer()

/** Reads an authority and adds the write that sets it. */
export function readAuthority(): void {
  const out = made.value
  let id: usize = 0
  let idLength: usize = 0
  let seen: u64 = 0
  made.begin(AUTHORITY_VERSION)
  crls.clear()
  reader.enterObject()
  for (let place = nextField(AUTHORITY, seen); place >= 0; place = nextField(AUTHORITY, seen)) {
    seen |= (<u64>1) << place
    const field = AUTHORITY[place]
    if (field.type == Type.DERS)
      der.readList(out, field.tag, 1, MaxCount.AUTHORITY_CERTIFICATES, CERTIFICATES_RULE)
    else if (field.type == Type.CRLS) der.readList(crls, field.tag, 0, MaxCount.AUTHORITY_CRLS, CRLS_RULE)
    else {
      readName(AUTHORITIES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (error.failed) return
  out.bytes(crls.at, crls.length)
  made.set(AUTHORITIES, id, idLength)
}

/** Writes an authority as it is in force; false if its record is damaged. */
export function showAuthority(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(AUTHORITY_VERSION, at, length) || hasUnknown(AUTHORITY, AUTHORITY, first, end))
    return false
  out.literal('{"id":')
  writer.text(out, id, idLength)
  writer.member(out, "certificates")
  der.showList(out, AuthorityField.CERTIFICATES, first, end)
  writer.member(out, "crls")
  der.showList(out, AuthorityField.CRLS, first, end)
  out.u8(0x7d)
  return true
}

/** Gives back what reading took. */
export function drop(): void {
  crls.drop()
}
