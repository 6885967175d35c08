/**
 * Replays a trace in virtual time: some workers, each an instance of the filter, share one zone, as nginx's workers do. The
 * endpoints are servers with queues. Nothing here knows what a policy does: it only sees what the filter chooses.
 */
import { Outcome, Want } from "../../harness/abi.ts"
import { chance } from "../../harness/random.ts"
import { type Ended, Host } from "../host/host.ts"
import { Zone } from "../host/zone.ts"
import { Cluster, faultOf } from "./cluster.ts"
import { requestProperties, type Settings } from "./policies.ts"
import { Schedule } from "./schedule.ts"
import type { Job, Server } from "./server.ts"
import type { Arrival, Event, Fault, Head, Trace } from "./trace.ts"

const BACKEND = "shop"
/** Virtual time begins when the machine is up for an hour. */
const START_NS = 3_600_000_000_000
const MS = 1_000_000
/** How long it takes to be refused, or to be told of an error at once: to the endpoint and back. */
const ROUND_TRIP_NS = 200_000
const BAD_STATUS = 503

export interface Options {
  /** Decides which worker gets a request, who meets a fault, and the filters' random numbers. */
  readonly seed: number
  readonly workers: number
}

/** A worker of nginx, as far as a replay sees it: the filter (lab/host), or a policy of somebody else (lab/policy). */
export interface Balancer {
  request: Client
  readonly cookie: Uint8Array | undefined
  /** The endpoint that was chosen last, `10.0.0.1:8080`; nothing if there was none. */
  readonly endpoint: string | undefined
  readonly noteLow: number
  readonly noteHigh: number
  setBackend(name: string): void
  /** Puts a backend in force, for all workers. */
  change(change: object): void
  tellChanges(): void
  setNow(nanoseconds: number): void
  select(tried: readonly number[], noteLow: number, noteHigh: number): void
  /** What select left in the attempt record. */
  readonly tag: number
  readonly wants: number
  info(ended: Ended, busy: number): void
}

/** A client's request. */
export interface Client {
  readonly expanded: Uint8Array
  readonly cookie: Uint8Array | undefined
  /** Its number. */
  readonly client?: number
}

/** Makes the workers of a replay; they share what workers share. */
export type MakeWorkers = (count: number, seedOf: (worker: number) => number) => readonly Balancer[]

const filters: MakeWorkers = (count, seedOf) => {
  const zone = new Zone()
  return Array.from({ length: count }, (_, i) => new Host(zone, seedOf(i), requestProperties))
}

/** A request that came to its end. */
export interface Served {
  /** Its arrival, from the beginning of the trace. */
  readonly atNs: number
  readonly attempts: number
  /** Until an endpoint's answer; nothing if the client got none. */
  readonly latencyNs: number | undefined
}

/** Told of what is worth counting. */
export interface Observer {
  readonly chosen: (endpoint: string, atNs: number) => void
  /** `outcome` as in the attempt record. */
  readonly failed: (outcome: number) => void
  readonly served: (request: Served) => void
}

interface Request {
  readonly number: number
  readonly event: Arrival
  readonly atNs: number
  readonly worker: Balancer
  /** Tags of its attempts. */
  readonly tried: number[]
  /** What the last attempt left. */
  told: Told | undefined
}
type Told = Pick<Ended, "attempt" | "tag" | "noteLow" | "noteHigh">

export interface Attempt extends Job {
  readonly request: Request
  readonly server: Server<Attempt>
  readonly sinceNs: number
  /** What the filter is to be told again in info; nothing when it wants none. */
  readonly told: Told | undefined
}

type Happening =
  | { readonly kind: "done"; readonly attempt: Attempt }
  | { readonly kind: "failed"; readonly attempt: Attempt; readonly outcome: number }

export class Replay {
  readonly cluster = new Cluster<Attempt>()
  /** Now; at the end, when the trace ended. */
  nowNs = 0
  readonly #head: Head
  readonly #events: readonly Event[]
  readonly #settings: Settings
  readonly #seed: number
  readonly #workers: readonly Balancer[]
  readonly #observer: Observer
  readonly #schedule = new Schedule<Happening>()
  /** By client. */
  readonly #cookies = new Map<number, Uint8Array>()
  #requests = 0
  #changes = 0
  #isPosted = true

  constructor(
    { head, events }: Trace,
    settings: Settings,
    { seed, workers }: Options,
    observer: Observer,
    make: MakeWorkers = filters,
  ) {
    this.#head = head
    this.#events = events
    this.#settings = settings
    this.#seed = seed
    this.#observer = observer
    this.#workers = make(workers, (i) => chance(seed, i))
    for (const worker of this.#workers) worker.setBackend(BACKEND)
  }

  /** Plays all of it, until the last request is served. */
  run(): void {
    for (const event of this.#events) {
      const atNs = Math.round(event.at_ms * MS)
      this.#playUntil(atNs)
      this.nowNs = atNs
      this.#play(event)
    }
    const endNs = this.nowNs
    this.#playUntil(Number.MAX_SAFE_INTEGER)
    this.nowNs = endNs
  }

  #playUntil(timeNs: number): void {
    while (this.#schedule.nextTime <= timeNs) {
      this.nowNs = this.#schedule.nextTime
      this.#happen(this.#schedule.take())
    }
  }

  #play(event: Event): void {
    switch (event.kind) {
      case "add":
        this.cluster.list(event, this.nowNs)
        this.#isPosted = false
        return
      case "remove":
        this.cluster.unlist(event.endpoint, this.nowNs)
        this.#isPosted = false
        return
      case "slow":
        this.cluster.member(event.endpoint).server.slowness = event.factor
        return
      case "fault":
        this.cluster.member(event.endpoint).faults.set(event.fault, event.share)
        return
      case "request":
        this.#arrive(event)
        return
      default:
        event satisfies never
    }
  }

  #arrive(event: Arrival): void {
    const number = this.#requests++
    const worker = this.#workers[Math.floor(chance(this.#seed, number) * this.#workers.length)] as Balancer
    this.#attempt({ number, event, atNs: this.nowNs, worker, tried: [], told: undefined })
  }

  /** Lets the filter choose, and goes there. */
  #attempt(request: Request): void {
    this.#post()
    const endpoint = this.#choose(request)
    if (endpoint === undefined) {
      this.#give(request)
      return
    }
    this.#observer.chosen(endpoint, this.nowNs)
    const { tried, worker, number } = request
    const wantsInfo = (worker.wants & Want.info) !== 0
    const { noteLow, noteHigh } = worker
    const told = { attempt: tried.length, tag: worker.tag, noteLow, noteHigh }
    tried.push(told.tag)
    request.told = told
    const member = this.cluster.member(endpoint)
    if (member.sinceNs === undefined) throw new Error(`The filter chose ${endpoint}, which was removed`)
    const attempt = {
      request,
      server: member.server,
      sinceNs: this.nowNs,
      told: wantsInfo ? told : undefined,
      workNs: Math.round(request.event.service_ms * MS),
      isGone: false,
    }
    this.#go(attempt, faultOf(member, this.#seed, number, tried.length))
  }

  /** The endpoint that the filter chooses; nothing when it has none. */
  #choose(request: Request): string | undefined {
    const { worker, event, tried, told } = request
    worker.tellChanges()
    worker.setNow(START_NS + this.nowNs)
    worker.request = {
      expanded: Buffer.from(event.uri),
      cookie: this.#cookies.get(event.client),
      client: event.client,
    }
    worker.select(tried, told?.noteLow ?? 0, told?.noteHigh ?? 0)
    const cookie = worker.cookie
    if (cookie) this.#cookies.set(event.client, cookie)
    return worker.endpoint
  }

  #go(attempt: Attempt, fault: Fault | undefined): void {
    if (fault === undefined) this.#offer(attempt)
    else if (fault === "hang") this.#fail(attempt, Outcome.noHead, this.#timeoutNs)
    else this.#fail(attempt, fault === "refuse" ? Outcome.notConnected : Outcome.failedStatus, ROUND_TRIP_NS)
  }

  #offer(attempt: Attempt): void {
    const offered = attempt.server.offer(attempt, this.nowNs)
    if (offered === "refused") {
      this.#fail(attempt, Outcome.notConnected, ROUND_TRIP_NS)
    } else {
      if (offered !== "queued") this.#schedule.add(this.nowNs + offered, { kind: "done", attempt })
      const isLate = offered === "queued" || offered > this.#timeoutNs
      if (isLate) this.#fail(attempt, Outcome.noHead, this.#timeoutNs)
    }
  }

  /** After so long, unless it is done before. */
  #fail(attempt: Attempt, outcome: number, afterNs: number): void {
    this.#schedule.add(this.nowNs + afterNs, { kind: "failed", attempt, outcome })
  }

  #happen(happening: Happening): void {
    const { attempt } = happening
    if (happening.kind === "done") this.#serveNext(attempt.server)
    // A server may work on what nobody waits for, and a time may run out on what is done.
    if (attempt.isGone) return
    attempt.isGone = true
    if (happening.kind === "done") this.#answer(attempt)
    else this.#retry(attempt, happening.outcome)
  }

  #serveNext(server: Server<Attempt>): void {
    const next = server.finish(this.nowNs)
    if (next) this.#schedule.add(this.nowNs + next.takesNs, { kind: "done", attempt: next.job })
  }

  #answer(attempt: Attempt): void {
    this.#tell(attempt, Outcome.answered, 200)
    this.#give(attempt.request, this.nowNs - attempt.request.atNs)
  }

  #retry(attempt: Attempt, outcome: number): void {
    this.#tell(attempt, outcome, outcome === Outcome.failedStatus ? BAD_STATUS : 0)
    this.#observer.failed(outcome)
    if (attempt.request.tried.length < this.#head.tries) this.#attempt(attempt.request)
    else this.#give(attempt.request)
  }

  #tell({ request: { worker }, told, sinceNs, server }: Attempt, outcome: number, status: number): void {
    if (!told) return
    worker.tellChanges()
    worker.setNow(START_NS + this.nowNs)
    worker.info({ ...told, outcome, status, firstByteNs: this.nowNs - sinceNs }, server.busyShare)
  }

  #give({ atNs, tried }: Request, latencyNs?: number): void {
    this.#observer.served({ atNs, attempts: tried.length, latencyNs })
  }

  /** Several changes at one time are one. */
  #post(): void {
    if (this.#isPosted) return
    this.#isPosted = true
    this.#changes++
    const backend = { name: BACKEND, ...this.#settings, endpoints: this.cluster.posted }
    const generation = `g-${this.#changes}`
    this.#workers[0]?.change({ base: null, generation, backends: { set: [backend] } })
  }

  get #timeoutNs(): number {
    return this.#head.timeout_ms * MS
  }
}
