/**
 * What is known of a backend's endpoints at this moment: numbers of the slots that all workers share, by the endpoints of the
 * record in force. Who looks changes nothing: no slot is opened, and nobody comes into use.
 */
import * as answer from "./answer"
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as attempt from "../attempt"
import * as backends from "../backend"
import * as ejection from "../ejection"
import * as ewma from "../pick/ewma"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as host from "../host"
import * as ids from "../ids"
import * as keys from "./keys"
import * as listing from "./listing"
import * as page from "./page"
import * as pick from "../pick"
import * as query from "./query"
import * as record from "../record"
import * as slots from "../slots"
import * as slowStart from "../slow-start"
import * as writer from "../json/writer"
import { Backend } from "../backend"
import { Buffer } from "../buffer"
import { BACKENDS } from "./kinds"
import { find } from "./show"
import { nameOf } from "./algorithm"
import { Need } from "../need"
import { needsOf } from "../backends"
import { openEndpoint } from "./endpoint"

const out: Buffer = answer.out
/** A backend may have many endpoints: it is looked after each whether there is room for more. */
const KEYS_AT_ONCE: u64 = 1

/** Numbers of the endpoints of the backend that is shown. */
let running: usize = 0
let averages: usize = 0
let failures: usize = 0
let additions: usize = 0

/** `?name=N`: one backend. `?limit=K&cursor=C`: those of some of all backends of whose endpoints something is learned. */
export function getEndpointStates(): void {
  if (!query.find("name")) return getAll()
  out.u8(0x5b)
  write(query.at, query.length, Need.NOTHING)
  out.u8(0x5d)
  answer.send(200)
}

function getAll(): void {
  if (!page.begin()) return
  const isFurther = query.find("cursor")
  if (isFurther && !query.readNumber(0)) return answer.sendError(400, "There is no such cursor")
  out.u8(0x5b)
  const isAll = page.walk(BACKENDS.prefix, isFurther ? query.number : 0, KEYS_AT_ONCE, writeListed)
  out.u8(0x5d)
  if (!isAll) answer.goesOnAt(listing.cursor)
  page.end(isAll)
}

function writeListed(): bool {
  return write(listing.at, listing.length, Need.SLOTS)
}

/** Writes a backend that needs this at least; false if there is none of this name. */
function write(name: usize, nameLength: usize, need: u32): bool {
  const mark = arena.mark()
  const isThere = find(BACKENDS, name, nameLength) && record.isBackend(host.at, host.length)
  const isWanted = isThere && (needsOf(host.at) & need) == need
  if (isWanted) show(name, nameLength, host.at)
  arena.release(mark)
  return isWanted
}

function show(name: usize, nameLength: usize, at: usize): void {
  const backend = look(at)
  if (backend.slots != 0) readNumbers(backend)
  out.literal('{"name":')
  writer.text(out, name, nameLength)
  out.literal(',"load-balance":"')
  out.literal(nameOf(backend.algorithm))
  out.literal('","endpoints":[')
  let endpoint = record.firstEndpoint(at)
  for (let i: u32 = 0; i < backend.count; i++) {
    if (i > 0) out.u8(0x2c)
    openEndpoint(out, endpoint, record.zone(at, i))
    if (backend.slots != 0) showNumbers(backend, i)
    out.u8(0x7d)
    endpoint = record.nextEndpoint(endpoint)
  }
  out.literal("]}")
  backends.discard(backend)
  heap.free(changetype<usize>(backend))
}

/** The backend of a record, of which nobody else knows; with its slots, if it needs some. */
function look(at: usize): Backend {
  const backend = backends.create(0, keys.key.at, keys.key.length)
  backends.decode(backend, at)
  backend.algorithm = pick.numberOf(at)
  backend.needs = needsOf(at)
  if ((backend.needs & Need.SLOTS) == 0) return backend
  attempt.tellNow(slots.find(backend, at))
  if (backend.slots != 0) ejection.take(backend)
  return backend
}

/** Reads the numbers that the backend's settings have kept, all of one kind by one call; 0 for what is not kept. */
function readNumbers(backend: Backend): void {
  running = (backend.needs & Need.RUNNING) == Need.RUNNING ? read(backend, slots.GAUGE) : 0
  averages = backend.algorithm == ids.Algorithm.EWMA ? read(backend, ewma.CELL) : 0
  failures = backend.ejections != 0 ? read(backend, ejection.CELL) : 0
  additions = record.setting(backend.head, ids.Setting.SLOW_START) != 0 ? read(backend, slowStart.CELL) : 0
}

/** Of each endpoint u64 what a cell, or the gauge, holds; in the arena. */
function read(backend: Backend, cell: u32): usize {
  const numbers = arena.allocate(((<usize>backend.count) << 3) + 8)
  slots.getMany(backend, 0, backend.count, cell)
  for (let i: u32 = 0; i < backend.count; i++)
    store<u64>(numbers + ((<usize>i) << 3), slots.value(backend, i))
  return numbers
}

function showNumbers(backend: Backend, index: u32): void {
  const at = (<usize>index) << 3
  if (running != 0) writer.number(out, "running", load<u64>(running + at))
  if (averages != 0) writer.number(out, "score_ns", ewma.scoreIn(load<u64>(averages + at)))
  if (failures != 0) {
    writer.number(out, "failures", ejection.failuresIn(load<u64>(failures + at)))
    writer.number(out, "ejected_ms", ejection.leftMs(backend, index))
  }
  if (additions != 0) writer.number(out, "warming_ms", slowStart.leftMs(backend, load<u64>(additions + at)))
}
