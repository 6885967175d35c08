// Several electors, the API server that has their Lease, and the network between them, in virtual time: hours pass in a second, and what goes
// wrong goes wrong at the moment that was drawn for it.
import { type Api, ApiFailure, type ApiRequest } from "../../../../../controller/input/cluster/api.ts"
import { Lease } from "../../../../../controller/input/cluster/lease/lease.ts"
import type { Time } from "../../../../../controller/input/cluster/time.ts"

/** What goes wrong from a moment on, milliseconds of virtual time. */
export interface Fault {
  readonly kind: "pause" | "kill" | "close" | "down" | "freeze" | "cut"
  /** which replica, where it is about one */
  readonly who: number
  readonly atMs: number
  readonly lengthMs: number
}

export interface WorldOptions {
  readonly replicas: number
  readonly ttlMs: number
  readonly seed: number
  /** share of requests, and of answers, that are lost on the way; 0 when absent */
  readonly loss?: number
  /** longest way of a request, or of an answer; 20 ms when absent */
  readonly latencyMs?: number
  /** whether watches are allowed at first; true when absent */
  readonly watches?: boolean
}

interface Event {
  readonly atMs: number
  /** an event loop looks at its sockets before its timers */
  readonly rank: 0 | 1
  readonly order: number
  readonly replica: Replica | undefined
  readonly run: () => void
}

/** The terms of one replica until another one leads. */
interface Reign {
  readonly by: Replica | undefined
}

type Json = Record<string, unknown>
interface LeaseObject extends Json {
  metadata: { resourceVersion: string }
  spec: Json
}

/** One process. */
export class Replica {
  readonly name: string
  readonly log: string[] = []
  pausedUntilMs = 0
  /** how far the clock of the date was set forward */
  dateJumpMs = 0
  isDead = false
  lease: Lease
  readonly #world: World
  readonly #rate: number
  readonly #nowOffsetMs: number
  readonly #dateOffsetMs: number

  constructor(world: World, name: string) {
    this.#world = world
    this.name = name
    // Clocks show anything, and run up to a tenth too fast or too slow.
    this.#rate = 0.9 + 0.2 * world.random()
    this.#nowOffsetMs = 1e6 * world.random()
    this.#dateOffsetMs = 1.7e12 + 1e10 * world.random()
    const record = (fields: unknown, message = "") => {
      this.log.push(`${message} ${JSON.stringify(fields)}`)
    }
    this.lease = new Lease({
      api: world.apiOf(this),
      namespace: "ingress",
      name: "leader",
      identity: name,
      ttlMs: world.options.ttlMs,
      log: { info: record, warn: record },
      time: this.time,
    })
    this.lease.compete()
  }

  get isPaused(): boolean {
    return this.pausedUntilMs > this.#world.nowMs
  }

  readonly time: Time = {
    nowMs: () => this.#world.nowMs * this.#rate + this.#nowOffsetMs,
    dateMs: () => this.#world.nowMs * this.#rate + this.#dateOffsetMs + this.dateJumpMs,
    sleep: (ms, signal) => this.#world.sleep(this, ms / this.#rate, signal),
    random: () => this.#world.random(),
  }
}

export class World {
  readonly options: WorldOptions
  readonly replicas: Replica[] = []
  /** in which reign each thing was written that a leader wrote, in the order in which the server took them */
  readonly taken: Reign[] = []
  nowMs = 0
  requests = 0
  watchRequests = 0
  mayWatch: boolean
  object: LeaseObject | undefined
  #loss: number
  #latencyLimitMs: number
  #reign: Reign = { by: undefined }
  #downUntilMs = 0
  #frozenUntilMs = 0
  #version = 100
  #order = 0
  #state: number
  #events: Event[] = []
  #watchers = new Set<Watcher>()

  constructor(options: WorldOptions) {
    this.options = options
    this.mayWatch = options.watches ?? true
    this.#state = options.seed | 0
    this.#loss = options.loss ?? 0
    this.#latencyLimitMs = options.latencyMs ?? 20
    for (let i = 0; i < options.replicas; i += 1) this.start(`pod-${i}`)
  }

  /** 0 ≤ value < 1. Source: mulberry32 */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  start(name: string): Replica {
    const replica = new Replica(this, name)
    this.replicas.push(replica)
    return replica
  }

  /** Those who act as leaders now. Whoever is paused or dead does nothing. */
  leaders(): Replica[] {
    return this.replicas.filter((replica) => !replica.isDead && !replica.isPaused && replica.lease.isLeader)
  }

  /** Lets time pass. @param watch is called after each thing that happened */
  async run(untilMs: number, watch: () => void = () => {}): Promise<void> {
    await turn()
    for (let event = this.#next(untilMs); event !== undefined; event = this.#next(untilMs)) {
      this.nowMs = Math.max(this.nowMs, event.atMs)
      const { replica } = event
      if (replica?.isDead) continue
      if (replica?.isPaused) {
        this.#events.push({ ...event, atMs: replica.pausedUntilMs })
        continue
      }
      event.run()
      await turn()
      watch()
    }
    this.nowMs = untilMs
  }

  inject({ kind, who, atMs, lengthMs }: Fault): void {
    this.at(atMs, () => {
      const replica = this.replicas[who % this.options.replicas]
      if (kind === "down") this.#goDown(lengthMs)
      else if (kind === "freeze") this.#frozenUntilMs = this.nowMs + lengthMs
      else if (kind === "cut") for (const watcher of this.#watchers) watcher.cut()
      else if (replica === undefined || replica.isDead) return
      else if (kind === "pause") replica.pausedUntilMs = this.nowMs + lengthMs
      else if (kind === "kill") this.#restart(replica, lengthMs)
      else void replica.lease.close().then(() => this.#restart(replica, lengthMs))
    })
  }

  /** From now on the network is good. */
  heal(): void {
    this.#loss = 0
    this.#latencyLimitMs = 20
  }

  at(atMs: number, run: () => void): void {
    this.#push(atMs, 0, undefined, run)
  }

  sleep(replica: Replica, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      signal.addEventListener("abort", () => resolve(), { once: true })
      this.#push(this.nowMs + ms, 1, replica, resolve)
    })
  }

  /** Something that only the leader writes, on its way as long as its latency is. */
  write(replica: Replica): void {
    if (this.#reign.by !== replica) this.#reign = { by: replica }
    const reign = this.#reign
    this.at(this.nowMs + this.#latencyMs(), () => void this.taken.push(reign))
  }

  apiOf(replica: Replica): Api {
    return {
      send: (request, signal) => this.#send(replica, request, signal),
      watch: (_, signal) => this.#watch(replica, signal),
    }
  }

  #send(replica: Replica, request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    this.requests += 1
    return new Promise((resolve, reject) => {
      const fail = (message: string, status = 0) => reject(new ApiFailure(message, { status }))
      signal.addEventListener("abort", () => fail("Aborted"), { once: true })
      if (this.#isLost()) return
      const serve = () => {
        if (this.nowMs < this.#downUntilMs)
          return this.#push(this.nowMs + 1, 0, replica, () => fail("Refused"))
        if (this.nowMs < this.#frozenUntilMs) return this.at(this.#frozenUntilMs, serve)
        const [status, body] = this.#serve(request)
        if (this.#isLost()) return
        const answer = () =>
          status < 300 ? resolve(structuredClone(body)) : fail(`Status ${status}`, status)
        this.#push(this.nowMs + this.#latencyMs(), 0, replica, answer)
      }
      this.at(this.nowMs + this.#latencyMs(), serve)
    })
  }

  #serve({ method, body }: ApiRequest): readonly [number, LeaseObject | undefined] {
    const old = this.object
    if (method === "GET") return [old === undefined ? 404 : 200, old]
    const next = structuredClone(body) as LeaseObject
    if (method === "POST" && old !== undefined) return [409, undefined]
    if (method === "PUT" && old === undefined) return [404, undefined]
    if (method === "PUT" && next.metadata.resourceVersion !== old?.metadata.resourceVersion)
      return [409, undefined]
    this.replace(next)
    return [200, this.object]
  }

  /** Somebody writes the Lease, or deletes it. */
  replace(next: LeaseObject | undefined): void {
    const type = next === undefined ? "DELETED" : "MODIFIED"
    this.#version += 1
    const object = next && { ...next, metadata: { ...next.metadata, resourceVersion: `${this.#version}` } }
    const told = structuredClone(object ?? this.object)
    this.object = object
    if (told !== undefined) for (const watcher of this.#watchers) watcher.tell({ type, object: told })
  }

  async *#watch(replica: Replica, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    this.watchRequests += 1
    if (!this.mayWatch) throw new ApiFailure("Forbidden", { status: 403 })
    const later = (run: () => void) => this.#push(this.nowMs + this.#latencyMs(), 0, replica, run)
    const watcher = new Watcher(later, signal)
    this.#watchers.add(watcher)
    try {
      yield []
      if (this.object !== undefined) watcher.tell({ type: "ADDED", object: structuredClone(this.object) })
      while (true) yield [await watcher.next()]
    } finally {
      this.#watchers.delete(watcher)
    }
  }

  #goDown(lengthMs: number): void {
    this.#downUntilMs = this.nowMs + lengthMs
    for (const watcher of this.#watchers) watcher.cut()
  }

  /** As a kubelet does: the container is started again under the same name once the old process is gone. */
  #restart(replica: Replica, afterMs: number): void {
    replica.isDead = true
    this.at(this.nowMs + afterMs, () => void this.start(replica.name))
  }

  #isLost(): boolean {
    return this.random() < this.#loss
  }

  #latencyMs(): number {
    return this.random() * this.#latencyLimitMs
  }

  #push(atMs: number, rank: 0 | 1, replica: Replica | undefined, run: () => void): void {
    this.#order += 1
    this.#events.push({ atMs, rank, order: this.#order, replica, run })
  }

  #next(untilMs: number): Event | undefined {
    const first = this.#events.reduce<Event | undefined>(
      (best, event) => (best === undefined || isBefore(event, best) ? event : best),
      undefined,
    )
    if (first === undefined || first.atMs > untilMs) return undefined
    this.#events = this.#events.filter((event) => event !== first)
    return first
  }
}

/** One watch: what it is told comes late, in order, until it is cut. */
class Watcher {
  readonly #later: (run: () => void) => void
  readonly #told: object[] = []
  #isCut = false
  #wake = () => {}

  constructor(later: (run: () => void) => void, signal: AbortSignal) {
    this.#later = later
    signal.addEventListener("abort", () => this.cut(), { once: true })
  }

  tell(event: object): void {
    this.#later(() => {
      this.#told.push(event)
      this.#wake()
    })
  }

  cut(): void {
    this.#isCut = true
    this.#wake()
  }

  async next(): Promise<object> {
    while (true) {
      if (this.#isCut) throw new ApiFailure("Cut", { status: 0 })
      const event = this.#told.shift()
      if (event !== undefined) return event
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

function isBefore(a: Event, b: Event): boolean {
  return (a.atMs - b.atMs || a.rank - b.rank || a.order - b.order) < 0
}

/** Everything that promises have led to has happened then. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
