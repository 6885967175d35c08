/** A certificate with its chain and key: JSON → write; record → JSON, without the key. */
import { Buffer } from "../../buffer"
import { CERTIFICATES } from "../kinds"
import * as der from "./der"
import * as error from "../../json/error"
import { nextField } from "../fields"
import * as made from "./made"
import { readName } from "../names"
import { CERTIFICATE } from "../tables"
import { MaxCount, PAIR_VERSION, Type } from "../../ids"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"
import * as writes from "../writes"

const CHAIN_RULE: string = "A chain has 1 to 16 certificates"

/** u8 version · u8 0 · u16 number of certificates · u32 length of the key; then the key, and per certificate u32 length · DER. */
const HEAD_BYTES: usize = 8

const chain: Buffer = new Buffer()
const key: Buffer = new Buffer()

/** Reads a certificate and adds the write that sets it. */
export function readCertificate(): void {
  let id: usize = 0
  let idLength: usize = 0
  let count = 0
  let seen: u32 = 0
  chain.clear()
  key.clear()
  reader.enterObject()
  for (let place = nextField(CERTIFICATE, seen); place >= 0; place = nextField(CERTIFICATE, seen)) {
    seen |= 1 << place
    const type = CERTIFICATE[place].type
    if (type == Type.DERS) count = der.readList(chain, 1, MaxCount.CHAIN, CHAIN_RULE)
    else if (type == Type.DER) der.read(key)
    else {
      readName(CERTIFICATES)
      id = reader.text
      idLength = reader.length
    }
  }
  if (error.failed) return
  putRecord(<u16>count)
  writes.set(CERTIFICATES, id, idLength, made.value)
}

function putRecord(count: u16): void {
  const value = made.value
  made.begin(PAIR_VERSION, HEAD_BYTES)
  store<u16>(value.at, count, 2)
  store<u32>(value.at, <u32>key.length, 4)
  value.bytes(key.at, key.length)
  value.bytes(chain.at, chain.length)
}

/** Writes a certificate as it is in force; false if its record is damaged. */
export function showCertificate(out: Buffer, id: usize, idLength: usize, at: usize, length: usize): bool {
  const first = firstOf(at, length)
  if (first == 0) return false
  out.literal('{"id":')
  writer.text(out, id, idLength)
  writer.member(out, "chain")
  if (der.showList(out, first, at + length, countOf(at)) != at + length) return false
  out.u8(0x7d)
  return true
}

/** How many certificates a record has. */
export function countOf(at: usize): i32 {
  return load<u16>(at, 2)
}

/** The address of the first certificate, behind the key: u32 length · DER; 0 if the record is damaged. */
export function firstOf(at: usize, length: usize): usize {
  if (!made.isRecord(PAIR_VERSION, at, length, HEAD_BYTES) || <usize>load<u32>(at, 4) > length - HEAD_BYTES)
    return 0
  return at + HEAD_BYTES + <usize>load<u32>(at, 4)
}

/** Gives back what reading took. */
export function drop(): void {
  chain.drop()
  key.drop()
}
