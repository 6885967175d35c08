/** One backend: JSON → write; record → JSON. */
import * as algorithm from "./algorithm"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { nextField } from "./fields"
import { readAffinity, showAffinity } from "./affinity"
import { readAlternatives, showAlternatives } from "./alternatives"
import { readEndpoint, showEndpoint } from "./endpoint"
import { readHashBy, showHashBy } from "./hash-by"
import { readOutlierEjection, readSlowStart, showHealth } from "./health"
import { readPolicy, showPolicy } from "./policy"
import { readShaping, showShaping } from "./shaping"
import * as reader from "../json/reader"
import * as record from "../record"
import { skipValue } from "../json/skip"
import * as settings from "./settings"
import { BACKEND } from "./tables"
import { Algorithm, BACKEND_VERSION, Setting, Type } from "../ids"
import * as writer from "../json/writer"
import * as writes from "./writes"
import { BACKENDS } from "./kinds"
import { readName } from "./names"

/** What was read so far, beside the settings. */
let name: usize = 0
let nameLength: usize = 0
let loadBalance: u8 = 0
let flags: u16 = 0
let count: u32 = 0
const endpoints: Buffer = new Buffer()
/** A byte per endpoint. */
const zones: Buffer = new Buffer()
let hasZones: bool = false

/** The record. */
const value: Buffer = new Buffer()

/** Reads a backend and adds the write that sets it. */
export function readBackend(): void {
  clear()
  let seen: u64 = 0
  reader.enterObject()
  for (let place = nextField(BACKEND, seen); place >= 0; place = nextField(BACKEND, seen)) {
    seen |= (<u64>1) << place
    const field = BACKEND[place]
    if (field.isRequired || !reader.skipNull()) readField(field.type)
  }
  if (error.failed) return
  putRecord()
  writes.set(BACKENDS, name, nameLength, value)
}

function clear(): void {
  loadBalance = Algorithm.ROUND_ROBIN
  flags = 0
  count = 0
  endpoints.clear()
  zones.clear()
  hasZones = false
  settings.clear()
}

function readField(type: i32): void {
  switch (type) {
    case Type.NAME:
      return readBackendName()
    case Type.LOAD_BALANCE:
      loadBalance = algorithm.readLoadBalance()
      return
    case Type.ENDPOINTS:
      return readEndpoints()
    case Type.HASH_BY:
      return readHashBy()
    case Type.AFFINITY:
      return readAffinity()
    case Type.FLAG:
      if (reader.readBool()) flags |= record.NO_SERVER
      return
    case Type.ALTERNATIVES:
      return readAlternatives()
    case Type.SHAPING:
      return readShaping()
    case Type.SLOW_START:
      return readSlowStart()
    case Type.OUTLIER_EJECTION:
      return readOutlierEjection()
    case Type.POLICY:
      return readPolicy()
    default:
      return skipValue()
  }
}

function readBackendName(): void {
  readName(BACKENDS)
  name = reader.text
  nameLength = reader.length
}

function readEndpoints(): void {
  reader.enterArray()
  while (reader.nextItem()) {
    const zone = readEndpoint(endpoints)
    zones.u8(zone)
    if (zone != 0) hasZones = true
    count++
  }
  if (hasZones) settings.setText(Setting.ENDPOINT_ZONES, zones.at, zones.length)
}

function putRecord(): void {
  value.clear()
  value.extend(record.BACKEND_HEAD_BYTES)
  settings.put(value)
  store<u8>(value.at, BACKEND_VERSION)
  store<u8>(value.at, algorithm.decide(loadBalance), 1)
  store<u16>(value.at, flags, 2)
  store<u32>(value.at, count, 4)
  store<u32>(value.at, <u32>(value.length - record.BACKEND_HEAD_BYTES), 8)
  value.bytes(endpoints.at, endpoints.length)
}

/** Writes a backend as it is in force; false if its record is damaged. */
export function showBackend(out: Buffer, name: usize, nameLength: usize, at: usize, length: usize): bool {
  if (!record.isBackend(at, length)) return false
  const number = record.algorithm(at)
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  out.literal(',"load-balance":"')
  out.literal(algorithm.nameOf(number))
  out.literal('","endpoints":[')
  settings.take(at)
  showEndpoints(out, at)
  out.u8(0x5d)
  showAffinity(out, at, number)
  showHashBy(out)
  if ((record.flags(at) & record.NO_SERVER) != 0) writer.isTrue(out, "noServer")
  showShaping(out)
  showAlternatives(out, at)
  showHealth(out)
  showPolicy(out)
  out.u8(0x7d)
  return true
}

function showEndpoints(out: Buffer, at: usize): void {
  let endpoint = record.firstEndpoint(at)
  for (let i: u32 = 0; i < record.count(at); i++) {
    if (i > 0) out.u8(0x2c)
    showEndpoint(out, endpoint, record.zone(at, i))
    endpoint = record.nextEndpoint(endpoint)
  }
}

/** Gives back what reading took. */
export function drop(): void {
  value.drop()
  endpoints.drop()
  zones.drop()
  settings.drop()
}
