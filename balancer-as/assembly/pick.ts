/**
 * The algorithms, by their number in a record (docs/wire.md 2). Each is a file of its own behind one interface, and a line
 * in the table here. An algorithm sees a backend's endpoints and settings (backend.ts), the attempt (attempt.ts), which
 * endpoints to keep away from (avoid.ts), and numbers that all workers share (slots.ts).
 */
import * as chash from "./pick/chash"
import * as chashSubset from "./pick/chash-subset"
import * as ewma from "./pick/ewma"
import * as heap from "./heap"
import * as leastConn from "./pick/least-conn"
import * as p2c from "./pick/p2c"
import * as record from "./record"
import * as roundRobin from "./pick/round-robin"
import { Backend } from "./backend"
import { Need } from "./need"

type Prepare = (backend: Backend, before: Backend | null) => void
type Pick = (backend: Backend) => u32
type Report = (backend: Backend, index: u32) => void
type Release = (backend: Backend) => void

class Algorithm {
  /** See need.ts. */
  readonly needs: u32
  /**
   * The backend took a record, which has one endpoint at least. Makes `backend.state`, a block of the heap, if it needs
   * one. `before` is what the backend held under the same algorithm until now, null if nothing: its state may be of use
   * (survivors.ts tells which endpoints are still there) and is released afterwards.
   */
  readonly prepare: Prepare
  /** The endpoint for the attempt of attempt.ts, by its place in the list. */
  readonly pick: Pick
  /** An attempt with this endpoint has ended; it is the one of attempt.ts. */
  readonly report: Report
  /** Frees what the state owns; the state itself is freed afterwards. */
  readonly release: Release

  constructor(
    needs: u32,
    prepare: Prepare,
    pick: Pick,
    report: Report = noReport,
    release: Release = ownsNothing,
  ) {
    this.needs = needs
    this.prepare = prepare
    this.pick = pick
    this.report = report
    this.release = release
  }
}

function noReport(backend: Backend, index: u32): void {}

function ownsNothing(backend: Backend): void {}

const ROUND_ROBIN: Algorithm = new Algorithm(Need.NOTHING, roundRobin.prepare, roundRobin.pick)

/** round_robin, ewma, chash, chashsubset, sticky_balanced, sticky_persistent, least_conn, p2c. */
const ALGORITHMS: StaticArray<Algorithm> = [
  ROUND_ROBIN,
  new Algorithm(Need.TIMES | Need.SLOTS | Need.RUNNING_HERE, ewma.prepare, ewma.pick, ewma.report),
  new Algorithm(Need.NOTHING, chash.prepare, chash.pick, noReport, chash.release),
  new Algorithm(Need.NOTHING, chashSubset.prepare, chashSubset.pick, noReport, chashSubset.release),
  ROUND_ROBIN,
  ROUND_ROBIN,
  new Algorithm(Need.RUNNING, leastConn.prepare, leastConn.pick),
  new Algorithm(Need.RUNNING, p2c.prepare, p2c.pick),
]

/** A number that we do not know was written by something newer: its endpoints are served in turn, as ingress-nginx does. */
// @ts-ignore: decorator
@inline
function algorithm(number: u8): Algorithm {
  return <i32>number < ALGORITHMS.length ? ALGORITHMS[number] : ROUND_ROBIN
}

/** What a record's algorithm needs. */
export function needsOf(at: usize): u32 {
  return algorithm(record.algorithm(at)).needs
}

/** The backend took a record; `before` is what it held until now. */
export function prepare(backend: Backend, before: Backend): void {
  const isSame = before.state != 0 && before.algorithm == backend.algorithm
  if (backend.count > 0) algorithm(backend.algorithm).prepare(backend, isSame ? before : null)
}

/** Chooses an endpoint, by its place in the list; the backend has at least one. */
export function pick(backend: Backend): u32 {
  return algorithm(backend.algorithm).pick(backend)
}

/** An attempt with this endpoint has ended. */
export function report(backend: Backend, index: u32): void {
  algorithm(backend.algorithm).report(backend, index)
}

/** Frees the state of the backend's algorithm. */
export function release(backend: Backend): void {
  if (backend.state == 0) return
  algorithm(backend.algorithm).release(backend)
  heap.free(backend.state)
  backend.state = 0
}
