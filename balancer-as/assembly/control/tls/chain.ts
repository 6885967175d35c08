/** `GET /configuration/certs?hostname=H`: the chain that a handshake for a name gets, in PEM; how it is found: docs/ingress-module.md, "What happens to a handshake". */
import * as answer from "../answer"
import * as arena from "../../../../policy-as/assembly/lib/arena"
import * as base64 from "../../base64"
import { Buffer } from "../../buffer"
import * as bytes from "../../../../policy-as/assembly/lib/bytes"
import { CERTIFICATES, TLS_HOSTS } from "../kinds"
import * as certificate from "./certificate"
import { find } from "../show"
import * as host from "../../host"
import * as query from "../query"
import * as record from "../../record"
import { PairField, TlsHostField } from "../../ids"
import * as tlsHost from "./host"

const out: Buffer = answer.out

/** Without a line break behind each, 64 digits of base64 stand in a line. */
const LINE_BYTES: usize = 48

export function getChain(): void {
  if (!query.find("hostname") || query.length == 0) return answer.sendError(400, "A hostname is expected")
  normalise(query.at, query.length)
  if (isServed(query.at, query.length)) answer.sendText(out.at, out.length)
  else answer.sendError(404, "No certificate in force serves this name")
}

/** Lower case, and without one dot at its end. */
function normalise(at: usize, length: usize): void {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(at + i)
    if (byte >= 0x41 && byte <= 0x5a) store<u8>(at + i, byte | 0x20)
  }
  const isDotted = length > 1 && load<u8>(at + length - 1) == 0x2e
  query.set(at, isDotted ? length - 1 : length)
}

/** Writes the chain of the first certificate that can be shown: of the record that the handshake finds, else of the default. */
function isServed(name: usize, length: usize): bool {
  if (findRecord(name, length) && showFirst(host.at, host.length)) return true
  return findLiteral(":default") && showFirst(host.at, host.length)
}

/** Exact, then one label replaced by `*`, then `_`. */
function findRecord(name: usize, length: usize): bool {
  if (find(TLS_HOSTS, name, length)) return true
  const dot = bytes.indexOf(name, length, 0x2e)
  if (dot > 0 && dot < length && findWildcard(name + dot, length - dot)) return true
  return findLiteral("_")
}

/** `rest` begins with the dot. */
function findWildcard(rest: usize, length: usize): bool {
  const name = arena.allocate(length + 1)
  store<u8>(name, 0x2a)
  memory.copy(name + 1, rest, length)
  return find(TLS_HOSTS, name, length + 1)
}

function findLiteral(name: string): bool {
  const at = arena.allocate(name.length)
  bytes.put(at, name)
  return find(TLS_HOSTS, at, name.length)
}

function showFirst(at: usize, length: usize): bool {
  const end = at + length
  const first = tlsHost.firstField(at, length)
  if (first == 0) return false
  for (
    let field = record.nextOf(TlsHostField.CERTIFICATES, first, end);
    field != end;
    field = record.nextOf(TlsHostField.CERTIFICATES, record.nextField(field), end)
  ) {
    if (!find(CERTIFICATES, record.fieldValue(field), record.fieldLength(field))) continue
    if (showChain(host.at, host.length)) return true
  }
  return false
}

function showChain(at: usize, length: usize): bool {
  const end = at + length
  const leaf = certificate.firstCertificate(at, length)
  if (leaf == 0) return false
  out.clear()
  for (let field = leaf; field != end; field = record.nextOf(PairField.CHAIN, record.nextField(field), end)) {
    showPem(record.fieldValue(field), record.nextField(field))
  }
  return true
}

function showPem(from: usize, end: usize): void {
  out.literal("-----BEGIN CERTIFICATE-----\n")
  for (let at = from; at < end; at += LINE_BYTES) {
    base64.encode(out, at, min(LINE_BYTES, end - at))
    out.u8(0x0a)
  }
  out.literal("-----END CERTIFICATE-----\n")
}
