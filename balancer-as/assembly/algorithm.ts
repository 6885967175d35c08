/**
 * What an algorithm is, and all of them by the names that they have in wire/types.ts, in capitals. algorithms.ts, which is printed, puts them in
 * the order of their numbers in a record. An algorithm sees a backend's endpoints and settings (backend.ts), the attempt (attempt.ts), which
 * endpoints to keep away from (avoid.ts), and numbers that all workers share (slots.ts).
 */
import * as chash from "./pick/chash"
import * as chashSubset from "./pick/chash-subset"
import * as custom from "./pick/custom"
import * as ewma from "./pick/ewma"
import * as leastConn from "./pick/least-conn"
import * as p2c from "./pick/p2c"
import * as roundRobin from "./pick/round-robin"
import * as stickyBalanced from "./pick/sticky-balanced"
import * as stickyPersistent from "./pick/sticky-persistent"
import { Backend } from "./backend"
import { Need } from "./need"
import { Setting } from "./ids"

type Prepare = (backend: Backend, before: Backend | null) => void
type Pick = (backend: Backend) => u32
type Report = (backend: Backend, index: u32) => void

export class Algorithm {
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

export const ROUND_ROBIN: Algorithm = new Algorithm(Need.NOTHING, roundRobin.prepare, roundRobin.pick)

export const CHASH: Algorithm = new Algorithm(
  Need.NOTHING,
  chash.prepare,
  chash.pick,
  noReport,
  Setting.HASH_KEY,
)
export const CHASHSUBSET: Algorithm = new Algorithm(
  Need.NOTHING,
  chashSubset.prepare,
  chashSubset.pick,
  noReport,
  Setting.HASH_KEY,
)
export const STICKY_BALANCED: Algorithm = new Algorithm(
  Need.NOTHING,
  stickyBalanced.prepare,
  stickyBalanced.pick,
  noReport,
  Setting.COOKIE_NAME,
)
export const STICKY_PERSISTENT: Algorithm = new Algorithm(
  Need.NOTHING,
  stickyPersistent.prepare,
  stickyPersistent.pick,
  noReport,
  Setting.COOKIE_NAME,
)

export const EWMA: Algorithm = new Algorithm(
  Need.TIMES | Need.SLOTS | Need.RUNNING_HERE,
  ewma.prepare,
  ewma.pick,
  ewma.report,
)
export const LEAST_CONN: Algorithm = new Algorithm(Need.RUNNING, leastConn.prepare, leastConn.pick)
export const P2C: Algorithm = new Algorithm(Need.RUNNING, p2c.prepare, p2c.pick)
export const CUSTOM: Algorithm = new Algorithm(
  Need.NOTHING,
  custom.prepare,
  custom.pick,
  custom.report,
  Setting.POLICY,
)
