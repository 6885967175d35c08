/** Who signs the certificates of clients, and what it has revoked: JSON → write; record → JSON. */
import { AUTHORITIES } from "../kinds"
import { Buffer } from "../../buffer"
import * as der from "./der"
import * as error from "../../json/error"
import { nextField } from "../fields"
import * as made from "./made"
import { readName } from "../names"
import { AUTHORITY } from "../tables"
import { AUTHORITY_VERSION, MaxCount, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"
import * as writes from "../writes"

const CERTIFICATES_RULE: string = "An authority has 1 to 1024 certificates"
const CRLS_RULE: string = "An authority has 0 to 64 revocation lists"

/** u8 version · u8 0 · u16 number of certificates · u16 number of CRLs · u16 0; per certificate, then per CRL, u32 length · DER. */
const HEAD_BYTES: usize = 8

const crls: Buffer = new Buffer()

/** Reads an authority and adds the write that sets it. */
export function readAuthority(): void {
  let id: usize = 0
  let idLength: usize = 0
  let certificateCount = 0
  let crlCount = 0
  let seen: u32 = 0
  made.begin(AUTHORITY_VERSION, HEAD_BYTES)
  crls.clear()
  reader.enterObject()
  for (let place = nextField(AUTHORITY, seen); place >= 0; place = nextField(AUTHORITY, seen)) {
    seen |= 1 << place
    const type = AUTHORITY[place].type
    if (type == Type.DERS)
      certificateCount = der.readList(made.value, 1, MaxCount.AUTHORITY_CERTIFICATES, CERTIFICATES_RULE)
    else if (type == Type.CRLS) crlCount = der.readList(crls, 0, MaxCount.AUTHORITY_CRLS, CRLS_RULE)
    else {
      readName(AUTHORITIES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (error.failed) return
  store<u16>(made.value.at, <u16>certificateCount, 2)
  store<u16>(made.value.at, <u16>crlCount, 4)
  made.value.bytes(crls.at, crls.length)
  writes.set(AUTHORITIES, id, idLength, made.value)
}

/** Writes an authority as it is in force; false if its record is damaged. */
export function showAuthority(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const end = at + length
  if (!made.isRecord(AUTHORITY_VERSION, at, length, HEAD_BYTES)) return false
  out.literal('{"id":')
  writer.text(out, id, idLength)
  writer.member(out, "certificates")
  const behind = der.showList(out, at + HEAD_BYTES, end, load<u16>(at, 2))
  writer.member(out, "crls")
  if (behind == 0 || der.showList(out, behind, end, load<u16>(at, 4)) != end) return false
  out.u8(0x7d)
  return true
}

/** Gives back what reading took. */
export function drop(): void {
  crls.drop()
}
