/** One instance of the filter with one backend, and requests that come round again and again. */

import { Want } from "../../harness/abi.ts"
import { median } from "../../harness/statistics.ts"
import { CONTEXT, type Ended, Host, type Request, type Witness } from "../host/host.ts"
import { Zone } from "../host/zone.ts"
import { requestProperties } from "../simulate/policies.ts"
import type { Subject } from "./subjects.ts"

export const BACKEND = "namespace-7-service-42-80"
/** Different requests. */
const REQUESTS = 1024
/** Attempts that run at the same time: their selects are measured together, then their infos. */
const BATCH = 128
const HOUR_NS = 3.6e12
/** Answers take one to two milliseconds. */
const ANSWER_NS = 1e6
const untried: readonly number[] = []

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** So many endpoints of different addresses. */
export function endpoints(count: number): Endpoint[] {
  return Array.from({ length: count }, (_, i) => ({
    address: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    port: 8080,
  }))
}

/** What each call took, in nanoseconds: the median batch, which no other program interrupted. */
export interface Took {
  readonly selectNs: number
  /** Nothing when the filter wants no info. */
  readonly infoNs: number | undefined
}

/** What `run` calls: the filter's callbacks, or others in their place. */
export interface Callbacks {
  readonly select: (context: number) => void
  readonly info: (context: number, isFailed: number) => void
}

export class Rig {
  readonly host: Host
  callbacks: Callbacks
  readonly #subject: Subject
  readonly #requests: Request[]
  readonly #ended = Array.from({ length: BATCH }, (_, i) => endedAfter(ANSWER_NS + (ANSWER_NS / BATCH) * i))
  #nowNs = HOUR_NS
  #count = 0
  #changes = 0

  constructor(subject: Subject, list: readonly Endpoint[], witness?: Witness) {
    this.#subject = subject
    this.host = new Host(new Zone(), 0.5, requestProperties, witness)
    const { proxy_on_upstream_select: select, proxy_on_upstream_info: info = () => {} } = this.host.exports
    this.callbacks = { select, info }
    this.host.setBackend(BACKEND)
    this.set([BACKEND], list)
    this.#requests = Array.from({ length: REQUESTS }, (_, i) => this.request(i))
  }

  /** Puts backends of these names and endpoints in force. */
  set(names: readonly string[], list: readonly Endpoint[]): void {
    const backends = names.map((name) => ({ name, ...this.#subject.settings, endpoints: list }))
    this.#changes++
    this.host.change({ base: null, generation: `g-${this.#changes}`, backends: { set: backends } })
    this.host.tellChanges()
  }

  /** The n-th client's request, with the cookie that it has if cookies are sent. */
  request(n: number): Request {
    const request = { expanded: Buffer.from(`/shop/item/${n}?color=blue`), cookie: undefined }
    if (this.#subject.cookie !== "sent") return request
    this.pick(request)
    const { cookie } = this.host
    if (!cookie) throw new Error("The filter set no cookie")
    return { ...request, cookie }
  }

  /** Any of its requests. */
  next(): Request {
    return this.#requests[this.#count++ % REQUESTS] as Request
  }

  /** The endpoint of one request, by its tag; the request is answered at once. */
  pick(request: Request): number {
    const ended = this.select(request)
    if (this.wantsInfo) this.host.info(ended)
    return ended.tag
  }

  /** Selects, and returns what info is to be told. */
  select(request: Request): Ended {
    const { host } = this
    this.#beforeSelect(request)
    host.select(untried, 0, 0)
    return this.#note(endedAfter(ANSWER_NS))
  }

  /** Does the filter want to hear how the attempt that was selected last ends? */
  get wantsInfo(): boolean {
    return (this.host.wants & Want.info) !== 0
  }

  /** Many requests, as fast as can be. */
  run(picks: number): Took {
    const selectMs: number[] = []
    const infoMs: number[] = []
    for (let i = 0; i < picks; i += BATCH) {
      // A real pick, since an empty filter never forgets what it was given, and wants nothing.
      this.pick(this.next())
      const { wantsInfo } = this
      selectMs.push(milliseconds(() => this.#selectBatch()))
      if (wantsInfo) infoMs.push(milliseconds(() => this.#infoBatch()))
    }
    const ns = (batches: readonly number[]) => (median(batches) * 1e6) / BATCH
    return { selectNs: ns(selectMs), infoNs: infoMs.length > 0 ? ns(infoMs) : undefined }
  }

  #selectBatch(): void {
    const { select } = this.callbacks
    for (let i = 0; i < BATCH; i++) {
      this.#beforeSelect(this.next())
      this.host.beforeSelect(untried, 0, 0)
      select(CONTEXT)
      this.host.returned()
      this.#note(this.#ended[i] as Noted)
    }
  }

  #infoBatch(): void {
    const { info } = this.callbacks
    for (let i = 0; i < BATCH; i++) {
      this.host.setNow(this.#nowNs)
      this.host.beforeInfo(this.#ended[i] as Noted)
      info(CONTEXT, 0)
      this.host.returned()
    }
  }

  /** Requests come a microsecond apart. */
  #beforeSelect(request: Request): void {
    this.#nowNs += 1000
    this.host.request = request
    this.host.setNow(this.#nowNs)
  }

  /** Keeps what a select left. */
  #note(ended: Noted): Ended {
    const { host } = this
    ended.tag = host.tag
    ended.noteLow = host.noteLow
    ended.noteHigh = host.noteHigh
    return ended
  }
}

type Noted = { -readonly [field in keyof Ended]: Ended[field] }

/** A first attempt, answered after so long. */
function endedAfter(firstByteNs: number): Noted {
  return { attempt: 0, tag: 0, noteLow: 0, noteHigh: 0, outcome: 0, status: 200, firstByteNs }
}

export function milliseconds(call: () => void): number {
  const begin = performance.now()
  call()
  return performance.now() - begin
}
