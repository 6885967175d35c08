/** One backend: JSON → write; record → JSON. */
import * as algorithm from "./algorithm"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import { readAffinity, showAffinity } from "./affinity"
import { readAlternatives, showAlternatives } from "./alternatives"
import { readEndpoint, showEndpoint } from "./endpoint"
import { readHashBy, showHashBy } from "./hash-by"
import { readOutlierEjection, readSlowStart, showHealth } from "./health"
import { readShaping, showShaping } from "./shaping"
import * as reader from "../json/reader"
import * as record from "../record"
import { skipValue } from "../json/skip"
import * as settings from "./settings"
import * as writer from "../json/writer"
import * as writes from "./writes"
import { BACKENDS } from "./kinds"
import { readName } from "./names"

const NAME: i32 = 0
const LOAD_BALANCE: i32 = 1
const ENDPOINTS: i32 = 2
const HASH_BY: i32 = 3
const AFFINITY: i32 = 4
const NO_SERVER: i32 = 5
const ALTERNATIVES: i32 = 6
const SHAPING: i32 = 7
const SLOW_START: i32 = 8
const OUTLIER_EJECTION: i32 = 9
/** Fields of ingress-nginx that have no effect. */
const WITHOUT_EFFECT: i32 = 10

const BACKEND: Fields = [
  new Field("name", NAME, true),
  new Field("load-balance", LOAD_BALANCE),
  new Field("endpoints", ENDPOINTS),
  new Field("service", WITHOUT_EFFECT),
  new Field("port", WITHOUT_EFFECT),
  new Field("sslPassthrough", WITHOUT_EFFECT),
  new Field("sessionAffinityConfig", AFFINITY),
  new Field("upstreamHashByConfig", HASH_BY),
  new Field("noServer", NO_SERVER),
  new Field("trafficShapingPolicy", SHAPING),
  new Field("alternativeBackends", ALTERNATIVES),
  new Field("slowStart", SLOW_START),
  new Field("outlierEjection", OUTLIER_EJECTION),
]

/** What was read so far, beside the settings. */
let name: usize = 0
let nameLength: usize = 0
let loadBalance: u8 = 0
let flags: u16 = 0
let count: u32 = 0
const endpoints: Buffer = new Buffer()

/** The record. */
const value: Buffer = new Buffer()

/** Reads a backend and adds the write that sets it. */
export function readBackend(): void {
  clear()
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(BACKEND, seen); place >= 0; place = nextField(BACKEND, seen)) {
    seen |= 1 << place
    const field = BACKEND[place]
    if (field.isRequired || !reader.skipNull()) readField(field.kind)
  }
  if (error.failed) return
  putRecord()
  writes.set(BACKENDS, name, nameLength, value)
}

function clear(): void {
  loadBalance = record.Algorithm.ROUND_ROBIN
  flags = 0
  count = 0
  endpoints.clear()
  settings.clear()
}

function readField(kind: i32): void {
  switch (kind) {
    case NAME:
      return readBackendName()
    case LOAD_BALANCE:
      loadBalance = algorithm.readLoadBalance()
      return
    case ENDPOINTS:
      return readEndpoints()
    case HASH_BY:
      return readHashBy()
    case AFFINITY:
      return readAffinity()
    case NO_SERVER:
      if (reader.readBool()) flags |= record.NO_SERVER
      return
    case ALTERNATIVES:
      return readAlternatives()
    case SHAPING:
      return readShaping()
    case SLOW_START:
      return readSlowStart()
    case OUTLIER_EJECTION:
      return readOutlierEjection()
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
    readEndpoint(endpoints)
    count++
  }
}

function putRecord(): void {
  value.clear()
  value.extend(record.BACKEND_HEAD_BYTES)
  settings.put(value)
  store<u8>(value.at, record.BACKEND_VERSION)
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
  showEndpoints(out, at)
  out.u8(0x5d)
  settings.take(at)
  showAffinity(out, at, number)
  showHashBy(out)
  if ((record.flags(at) & record.NO_SERVER) != 0) writer.isTrue(out, "noServer")
  showShaping(out)
  showAlternatives(out, at)
  showHealth(out)
  out.u8(0x7d)
  return true
}

function showEndpoints(out: Buffer, at: usize): void {
  let endpoint = record.firstEndpoint(at)
  for (let i: u32 = 0; i < record.count(at); i++) {
    if (i > 0) out.u8(0x2c)
    showEndpoint(out, endpoint)
    endpoint = record.nextEndpoint(endpoint)
  }
}

/** Gives back what reading took. */
export function drop(): void {
  value.drop()
  endpoints.drop()
  settings.drop()
}
