/**
 * The algorithms, by their number in a record (docs/wire.md 2). Each is a file of its own behind one interface, and a line
 * in the table here. An algorithm sees a backend's endpoints and settings (backend.ts), the attempt (attempt.ts), which
 * endpoints to keep away from (avoid.ts), and numbers that all workers share (slots.ts).
 */
import * as chash from "./pick/chash"
import * as chashSubset from "./pick/chash-subset"
import * as custom from "./pick/custom"
import * as ewma from "./pick/ewma"
import * as leastConn from "./pick/least-conn"
import * as p2c from "./pick/p2c"
import * as policyNeeds from "./policy-needs"
import * as record from "./record"
import * as roundRobin from "./pick/round-robin"
import * as stickyBalanced from "./pick/sticky-balanced"
import * as stickyPersistent from "./pick/sticky-persistent"
import { Backend } from "./backend"
import { Need } from "./need"
import { Setting } from "./ids"
import * as ids from "./ids"

type Prepare = (backend: Backend, before: Backend | null) => void
type Pick = (backend: Backend) => u32
type Report = (backend: Backend, index: u32) => void

class Algorithm {
  /** See need.ts. */
  readonly needs: u32
  /**
   * The backend took a record, which has one endpoint at least. Makes `backend.state`, a block of the heap, if it needs
   * one, and `backend.ring` if it hashes. `before` is what the backend held under the same algorithm until now, null if nothing: its state may be of use
   * (survivors.ts tells which endpoints are still there) and is freed afterwards.
   */
  readonly prepare: Prepare
  /** The endpoint for the attempt of attempt.ts, by its place in the list. */
  readonly pick: Pick
  /** An attempt with this endpoint has ended; it is the one of attempt.ts. */
  readonly report: Report
  /** The setting without which it cannot work; 0 if there is none. */
  readonly requires: u32

  constructor(needs: u32, prepare: Prepare, pick: Pick, report: Report = noReport, requires: u32 = 0) {
    this.needs = needs
    this.prepare = prepare
    this.pick = pick
    this.report = report
    this.requires = requires
  }
}

function noReport(backend: Backend, index: u32): void {}

const ROUND_ROBIN: Algorithm = new Algorithm(Need.NOTHING, roundRobin.prepare, roundRobin.pick)

const CHASH: Algorithm = new Algorithm(Need.NOTHING, chash.prepare, chash.pick, noReport, Setting.HASH_KEY)
const CHASH_SUBSET: Algorithm = new Algorithm(
  Need.NOTHING,
  chashSubset.prepare,
  chashSubset.pick,
  noReport,
  Setting.HASH_KEY,
)
const STICKY_BALANCED: Algorithm = new Algorithm(
  Need.NOTHING,
  stickyBalanced.prepare,
  stickyBalanced.pick,
  noReport,
  Setting.COOKIE_NAME,
)
const STICKY_PERSISTENT: Algorithm = new Algorithm(
  Need.NOTHING,
  stickyPersistent.prepare,
  stickyPersistent.pick,
  noReport,
  Setting.COOKIE_NAME,
)

const ALGORITHMS: StaticArray<Algorithm> = [
  ROUND_ROBIN,
  new Algorithm(Need.TIMES | Need.SLOTS | Need.RUNNING_HERE, ewma.prepare, ewma.pick, ewma.report),
  CHASH,
  CHASH_SUBSET,
  STICKY_BALANCED,
  STICKY_PERSISTENT,
  new Algorithm(Need.RUNNING, leastConn.prepare, leastConn.pick),
  new Algorithm(Need.RUNNING, p2c.prepare, p2c.pick),
  new Algorithm(Need.NOTHING, custom.prepare, custom.pick, custom.report, Setting.POLICY),
]

/**
 * The number of the algorithm by which a record's endpoints are chosen: that of the record. If we do not know it, as
 * something newer wrote it, or if it lacks its setting, they are served in turn, as ingress-nginx does.
 */
export function numberOf(at: usize): u8 {
  const number = record.algorithm(at)
  if (<i32>number >= ALGORITHMS.length) return ids.Algorithm.ROUND_ROBIN
  const required = ALGORITHMS[number].requires
  return required != 0 && record.setting(at, required) == 0 ? ids.Algorithm.ROUND_ROBIN : number
}

// @ts-ignore: decorator
@inline
function algorithm(backend: Backend): Algorithm {
  return ALGORITHMS[backend.algorithm]
}

/** What a record's algorithm needs: of a policy, what the record says. */
export function needsOf(at: usize): u32 {
  const number = numberOf(at)
  return number == ids.Algorithm.CUSTOM ? policyNeeds.needsOf(at) : ALGORITHMS[number].needs
}

/** The backend took a record; `before` is what it held until now. */
export function prepare(backend: Backend, before: Backend): void {
  backend.algorithm = numberOf(backend.head)
  const isSame = before.state != 0 && before.algorithm == backend.algorithm
  if (backend.count > 0) algorithm(backend).prepare(backend, isSame ? before : null)
}

/** What a backend held goes, and `backend` holds something else, or nothing. */
export function forget(backend: Backend, before: Backend): void {
  if (before.state == 0 || before.algorithm != ids.Algorithm.CUSTOM) return
  if (backend.state == 0 || backend.algorithm != ids.Algorithm.CUSTOM) custom.drop(before)
}

/** Chooses an endpoint, by its place in the list; the backend has at least one. */
export function pick(backend: Backend): u32 {
  return algorithm(backend).pick(backend)
}

/** An attempt with this endpoint has ended. */
export function report(backend: Backend, index: u32): void {
  algorithm(backend).report(backend, index)
}
