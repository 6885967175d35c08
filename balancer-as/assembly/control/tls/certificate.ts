/** A certificate with its chain and key: JSON → write; record → JSON, without the key. */
import { Buffer } from "../../buffer"
import { CERTIFICATES } from "../kinds"
import * as der from "./der"
import * as error from "../../json/error"
import { hasUnknown, nextField } from "../fields"
import * as made from "./made"
import { readName } from "../names"
import { CERTIFICATE } from "../tables"
import { MaxCount, PAIR_VERSION, PairField, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as record from "../../record"
import * as writer from "../../json/writer"

const CHAIN_RULE: string = "A chain has 1 to 16 certificates"

/** Reads a certificate and adds the write that sets it. */
export function readCertificate(): void {
  let id: usize = 0
  let idLength: usize = 0
  let seen: u64 = 0
  made.begin(PAIR_VERSION)
  reader.enterObject()
  for (let place = nextField(CERTIFICATE, seen); place >= 0; place = nextField(CERTIFICATE, seen)) {
    seen |= (<u64>1) << place
    const field = CERTIFICATE[place]
    if (field.type == Type.DERS) der.readList(made.value, field.tag, 1, MaxCount.CHAIN, CHAIN_RULE)
    else if (field.type == Type.DER) der.read(made.value, field.tag)
    else {
      readName(CERTIFICATES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (!error.failed) made.set(CERTIFICATES, id, idLength)
}

/** Writes a certificate as it is in force; false if its record is damaged. */
export function showCertificate(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const first = firstCertificate(at, length)
  if (first == 0) return false
  out.literal('{"id":')
  writer.text(out, id, idLength)
  writer.member(out, "chain")
  der.showList(out, PairField.CHAIN, first, at + length)
  out.u8(0x7d)
  return true
}

/** The field of the leaf; 0 if the record is damaged, or not for us. */
export function firstCertificate(at: usize, length: usize): usize {
  const first = at + record.HEAD_BYTES
  const end = at + length
  if (!record.isRecord(PAIR_VERSION, at, length) || hasUnknown(CERTIFICATE, CERTIFICATE, first, end)) return 0
  const leaf = record.nextOf(PairField.CHAIN, first, end)
  return leaf == end ? 0 : leaf
}
