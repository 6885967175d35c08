/** One backend: JSON → write; record → JSON. */
import * as bytes from "../bytes"
import * as error from "../json/error"
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import * as keys from "./keys"
import { readEndpoint, showEndpoint } from "./endpoint"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"
import * as writes from "./writes"
import { claimBackend } from "./names"
import { Part } from "./writes"

const NAME: i32 = 0
const ALGORITHM: i32 = 1
const ENDPOINTS: i32 = 2
/** Fields of ingress-nginx that have no effect yet. */
const WITHOUT_EFFECT: i32 = 3

const BACKEND: Fields = [
  new Field("name", NAME, true),
  new Field("load-balance", ALGORITHM),
  new Field("endpoints", ENDPOINTS),
  new Field("service", WITHOUT_EFFECT),
  new Field("port", WITHOUT_EFFECT),
  new Field("sslPassthrough", WITHOUT_EFFECT),
  new Field("sessionAffinityConfig", WITHOUT_EFFECT),
  new Field("upstreamHashByConfig", WITHOUT_EFFECT),
  new Field("noServer", WITHOUT_EFFECT),
  new Field("trafficShapingPolicy", WITHOUT_EFFECT),
  new Field("alternativeBackends", WITHOUT_EFFECT),
]

/** Names of the algorithms, by their number in a record. */
const ALGORITHMS: StaticArray<string> = ["round_robin"]

const MOST_NAME_BYTES: usize = 253

const value: Buffer = new Buffer()

/** Reads a backend and adds the write that sets it. */
export function readBackend(): void {
  let name: usize = 0
  let nameLength: usize = 0
  let algorithm = record.Algorithm.ROUND_ROBIN
  let count: u32 = 0
  let seen: u32 = 0
  value.length = 0
  value.extend(record.BACKEND_HEAD_BYTES)
  reader.enterObject()
  for (let place = nextField(BACKEND, seen); place >= 0; place = nextField(BACKEND, seen)) {
    seen |= 1 << place
    switch (BACKEND[place].kind) {
      case NAME:
        readBackendName()
        name = reader.text
        nameLength = reader.length
        break
      case ALGORITHM:
        algorithm = readAlgorithm()
        break
      case ENDPOINTS:
        count = readEndpoints()
        break
      default:
        reader.skip()
    }
  }
  if (error.failed) return
  putHead(algorithm, count)
  keys.ofBackend(name, nameLength)
  writes.set(Part.SET_BACKENDS, value)
}

/** Reads the name of a backend that the change sets or removes; it must be the first time. */
export function readBackendName(): void {
  if (!reader.readText("The name of a backend is expected")) return
  if (reader.length == 0 || reader.length > MOST_NAME_BYTES || load<u8>(reader.text) == 0x3a) {
    return error.fail(reader.offset, "A backend's name has 1 to 253 bytes and does not begin with a colon")
  }
  claimBackend(reader.text, reader.length)
}

function readAlgorithm(): u8 {
  if (!reader.readText("The name of an algorithm is expected")) return 0
  for (let i = 0; i < ALGORITHMS.length; i++) {
    if (bytes.is(reader.text, reader.length, ALGORITHMS[i])) return <u8>i
  }
  error.failNaming(reader.offset, "Unknown load-balance algorithm ", reader.text, reader.length, "")
  return 0
}

function readEndpoints(): u32 {
  let count: u32 = 0
  reader.enterArray()
  while (reader.nextItem()) {
    readEndpoint(value)
    count++
  }
  return count
}

function putHead(algorithm: u8, count: u32): void {
  store<u8>(value.at, record.BACKEND_VERSION)
  store<u8>(value.at, algorithm, 1)
  store<u16>(value.at, 0, 2)
  store<u32>(value.at, count, 4)
  store<u32>(value.at, 0, 8)
}

/** Writes a backend as it is in force. The record must have passed `isBackend`. */
export function showBackend(out: Buffer, name: usize, nameLength: usize, at: usize): void {
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  out.literal(',"load-balance":"')
  out.literal(ALGORITHMS[min(<i32>record.algorithm(at), ALGORITHMS.length - 1)])
  out.literal('","endpoints":[')
  let endpoint = record.firstEndpoint(at)
  for (let i: u32 = 0; i < record.count(at); i++) {
    if (i > 0) out.u8(0x2c)
    showEndpoint(out, endpoint)
    endpoint = record.nextEndpoint(endpoint)
  }
  out.literal("]}")
}

/** Gives back what reading took. */
export function drop(): void {
  value.drop()
}
