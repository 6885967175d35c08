import { type Jitter, jitteredMs } from "../../../support/backoff.ts"
import type { Log } from "../../../support/log.ts"
import type { Leadership } from "../../provider/leadership.ts"
import { type Api, ApiFailure } from "../api.ts"
import { realTime, type Time } from "../time.ts"
import { Knowledge } from "./knowledge.ts"
import { LeaseAccess } from "./lease-client.ts"
import { acquired, type LeaseRecord, released } from "./lease-record.ts"
import { LeaseLog } from "./log.ts"
import { Term } from "./term.ts"

export interface LeaseOptions {
  readonly api: Api
  readonly namespace: string
  readonly name: string
  /** who this replica is; no other one has the same */
  readonly identity: string
  /** how long the Lease is its holder's without a sign of life */
  readonly ttlMs: number
  readonly log: Pick<Log, "info" | "warn">
  readonly time?: Time
}

/** Who does not lead looks again after a retry period and up to 1.2 times that more, as client-go's electors do. */
const jitter: Jitter = [1, 2.2]

/** A leader that could not renew tries again sooner than it would have renewed. */
const hurry = 1 / 4

/** Without a watch, reads alone tell that the Lease was released: there are this many or a little fewer in its duration. */
const looks = 15
const lookJitter: Jitter = [1, 1.2]

/** Nobody waits longer for a Lease to be released: it runs out by itself. */
const releaseMs = 3000

/**
 * Leadership by a Lease of the API server. What makes it safe: the holder stops half a duration after it *sent* its last renewal; the others
 * take the Lease a whole duration after they *saw* that renewal at the earliest; and a write goes through only upon the version that was read.
 * So two replicas never lead at the same time as long as their clocks run about equally fast, whatever they show, and whatever the network
 * does. Source: client-go, tools/leaderelection.
 */
export class Lease implements Leadership {
  readonly #options: LeaseOptions
  readonly #time: Time
  readonly #access: LeaseAccess
  readonly #known: Knowledge
  readonly #term: Term
  readonly #log: LeaseLog
  readonly #stop = new AbortController()
  #competing: Promise<void> | undefined
  /** a write was sent, so that the Lease may be ours whatever became of the answer */
  #mayHold = false
  /** a watch was refused: until then none is tried, by the clock that never goes back */
  #unwatchedUntilMs = Number.NEGATIVE_INFINITY

  constructor(options: LeaseOptions) {
    const { api, namespace, name, identity, ttlMs, log, time = realTime } = options
    this.#options = options
    this.#time = time
    this.#access = new LeaseAccess({ api, namespace, name, absentMs: ttlMs, limitMs: this.#termMs, time })
    this.#known = new Knowledge(identity, time.nowMs)
    this.#term = new Term(time)
    this.#log = new LeaseLog(log, `${namespace}/${name}`, identity)
    this.#term.onChange((isLeader) => this.#log.leads(isLeader))
  }

  get isLeader(): boolean {
    return this.#term.isLeader
  }

  get term(): AbortSignal {
    return this.#term.term
  }

  onChange(listener: (isLeader: boolean) => void): void {
    this.#term.onChange(listener)
  }

  /** Competes from now on. Once more does nothing. */
  compete(): void {
    this.#competing ??= this.#attempts(this.#stop.signal)
  }

  /** Ends the term, and releases the Lease so that another replica need not wait for its end. Once more does nothing. */
  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return this.#competing
    this.#stop.abort()
    await this.#competing
    this.#term.end()
    if (this.#mayHold) await this.#release()
  }

  async #attempts(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#attempt(signal)
      if (this.#known.freeInMs > 0) await this.#follow(signal)
      else await this.#time.sleep(waitMs, signal)
    }
  }

  /** @returns how long to wait before the next one, unless somebody else holds the Lease */
  async #attempt(signal: AbortSignal): Promise<number> {
    try {
      await this.#acquireOrRenew(signal)
      this.#log.worked()
      return this.isLeader ? this.#retryMs : this.#lookMs()
    } catch (error) {
      if (!signal.aborted) this.#log.failed(error)
      const waitMs = this.isLeader ? this.#retryMs * hurry : this.#jitteredMs()
      return Math.max(waitMs, (error instanceof ApiFailure && error.retryAfterMs) || 0)
    }
  }

  /** Takes or renews the Lease if it can be had. Who loses a race against another write looks at what that was. */
  async #acquireOrRenew(signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < 2; tries += 1) {
      if (tries > 0 || !this.isLeader) this.#learn(await this.#access.read(signal))
      if (this.#known.freeInMs > 0) return this.#yield()
      if (await this.#write(signal)) return
    }
  }

  async #write(signal: AbortSignal): Promise<boolean> {
    const { namespace, name, identity: holder, ttlMs: durationMs } = this.#options
    const sent = this.#term.moment()
    const before = this.#known.record
    const lease = acquired(before, { namespace, name, holder, durationMs, dateMs: sent.dateMs })
    this.#mayHold = true
    const written = await this.#access.write(before, lease, signal)
    if (written === undefined) return false
    this.#learn(written)
    this.#term.extend(sent, this.#termMs)
    return true
  }

  /** Until the Lease may be had. Watching tells of that at once; where it is not allowed, the Lease is read often. */
  async #follow(signal: AbortSignal): Promise<void> {
    const done = new AbortController()
    const until = AbortSignal.any([signal, done.signal])
    const ways = [this.#waitForExpiry(until), this.#watch(until)]
    await Promise.race(ways)
    done.abort()
    await Promise.all(ways)
  }

  async #waitForExpiry(signal: AbortSignal): Promise<void> {
    while (this.#known.freeInMs > 0 && !signal.aborted) await this.#time.sleep(this.#known.freeInMs, signal)
  }

  async #watch(signal: AbortSignal): Promise<void> {
    if (this.#time.nowMs() < this.#unwatchedUntilMs) return this.#time.sleep(this.#lookMs(), signal)
    try {
      for await (const { record } of this.#access.changes(signal)) {
        this.#learn(record)
        if (this.#known.freeInMs === 0) return
      }
    } catch (error) {
      // What else goes wrong, the next attempt runs into and reports.
      if (error instanceof ApiFailure && error.status === 403) return this.#waitUnwatched(error, signal)
    }
    await this.#time.sleep(this.#jitteredMs(), signal)
  }

  async #waitUnwatched(refusal: ApiFailure, signal: AbortSignal): Promise<void> {
    this.#log.watchRefused(refusal)
    this.#unwatchedUntilMs = this.#time.nowMs() + this.#options.ttlMs
    await this.#time.sleep(this.#lookMs(), signal)
  }

  #learn(record: LeaseRecord | undefined): void {
    this.#known.hear(record)
    this.#log.follows(this.#known.rival)
  }

  #yield(): void {
    this.#mayHold = false
    this.#term.end()
  }

  async #release(): Promise<void> {
    const signal = AbortSignal.timeout(releaseMs)
    try {
      const record = await this.#access.read(signal)
      if (record?.holder !== this.#options.identity) return
      const free = released(record, this.#time.dateMs())
      if (await this.#access.write(record, free, signal)) this.#log.released()
    } catch (error) {
      this.#log.notReleased(error)
    }
  }

  /** Half of the duration is for the leader, the other half for whatever it has sent to arrive. */
  get #termMs(): number {
    return this.#options.ttlMs / 2
  }

  get #retryMs(): number {
    return this.#options.ttlMs / 4
  }

  #jitteredMs(): number {
    return jitteredMs(this.#retryMs, jitter, this.#time.random())
  }

  #lookMs(): number {
    return jitteredMs(this.#options.ttlMs / looks, lookJitter, this.#time.random())
  }
}
