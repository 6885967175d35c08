import { isRecord } from "../objects/reader.ts"
import type { Log } from "../observe/log.ts"
import type { Leadership } from "../provider/leadership.ts"
import { reasonOf } from "../support/failure.ts"
import { type Api, ApiFailure, type ApiRequest } from "./api.ts"
import { claimed, type LeaseRecord, readLease, released } from "./lease-record.ts"
import { Term } from "./term.ts"
import { realTime, type Time } from "./time.ts"

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

/** Who does not lead looks again after a retry period and up to this part of it more, as client-go's electors do. */
const jitter = 1.2

/** A leader that could not renew tries again sooner than it would have renewed. */
const hurry = 1 / 4

/** Nobody waits longer for a Lease to be released: it runs out by itself. */
const releaseMs = 3000

/** What was seen of a holder, and when first: clocks of other machines are of no use. */
interface Sighting {
  readonly sign: string
  readonly holder: string
  readonly expiresMs: number
}

/**
 * Leadership by a Lease of the API server. What makes it safe: the holder stops half a duration after it *sent* its last renewal; the others
 * take the Lease a whole duration after they *saw* that renewal at the earliest; and a write goes through only upon the version that was read.
 * So two replicas never lead at the same time as long as their clocks run about equally fast, whatever they show, and whatever the network
 * does. Source: client-go, tools/leaderelection.
 */
export class Lease implements Leadership {
  readonly #options: LeaseOptions
  readonly #time: Time
  readonly #term: Term
  readonly #stop = new AbortController()
  readonly #competing: Promise<void>
  /** what there is now, as far as is known */
  #record: LeaseRecord | undefined
  #seen: Sighting | undefined
  /** a claim was sent, so that the Lease may be ours whatever became of the answer */
  #hasClaimed = false
  #trouble = ""
  #isWatchRefused = false

  /** Competes from now on. */
  constructor(options: LeaseOptions) {
    this.#options = options
    this.#time = options.time ?? realTime
    this.#term = new Term(this.#time)
    this.#term.onChange((isLeader) => this.#logChange(isLeader))
    this.#competing = this.#compete(this.#stop.signal)
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

  /** Ends the term, and releases the Lease so that another replica need not wait for its end. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#competing
    this.#term.end()
    if (this.#hasClaimed) await this.#release()
  }

  async #compete(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#attempt(signal)
      if (waitMs === undefined) await this.#follow(signal)
      else await this.#time.sleep(waitMs, signal)
    }
  }

  /** @returns how long to wait, in milliseconds; undefined while somebody else holds the Lease */
  async #attempt(signal: AbortSignal): Promise<number | undefined> {
    try {
      await this.#claim(signal)
      this.#settle()
    } catch (error) {
      if (!signal.aborted) this.#report(error)
      const retryMs = this.isLeader ? this.#retryMs * hurry : this.#jitteredMs()
      return Math.max(retryMs, (error instanceof ApiFailure && error.retryAfterMs) || 0)
    }
    if (this.isLeader) return this.#retryMs
    return this.#isFree() ? this.#jitteredMs() : undefined
  }

  /** Takes or renews the Lease if it can be had. Who loses a race against another write looks at what that was. */
  async #claim(signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < 2; tries += 1) {
      if (tries > 0 || !this.isLeader) this.#observe(await this.#read(signal))
      if (!this.#isFree()) return this.#yield()
      if (await this.#write(signal)) return
    }
  }

  async #read(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    try {
      return this.#parse(await this.#send({ method: "GET", path: this.#path }, signal))
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  /** @returns false when somebody else has written first */
  async #write(signal: AbortSignal): Promise<boolean> {
    const { namespace, name, identity: holder, ttlMs: durationMs } = this.#options
    const sent = this.#term.moment()
    const claim = { namespace, name, holder, durationMs, dateMs: sent.dateMs }
    const before = this.#record
    this.#hasClaimed = true
    try {
      this.#observe(this.#parse(await this.#put(before, claimed(before, claim), signal)))
    } catch (error) {
      if (statusOf(error) === 409 || (statusOf(error) === 404 && before !== undefined)) return false
      throw error
    }
    this.#term.extend(sent, this.#renewMs)
    return true
  }

  #put(before: LeaseRecord | undefined, body: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#send(
      before === undefined
        ? { method: "POST", path: this.#collection, body }
        : { method: "PUT", path: this.#path, body },
      signal,
    )
  }

  /** Until the Lease may be had. Watching tells of that at once; where it is not possible, the Lease is read again later. */
  async #follow(signal: AbortSignal): Promise<void> {
    const done = new AbortController()
    const until = AbortSignal.any([signal, done.signal])
    const ways = [this.#expiry(until), this.#watch(until)]
    await Promise.race(ways)
    done.abort()
    await Promise.all(ways)
  }

  async #expiry(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.#leftMs(); leftMs > 0 && !signal.aborted; leftMs = this.#leftMs())
      await this.#time.sleep(leftMs, signal)
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const query = { watch: "true", fieldSelector: `metadata.name=${this.#options.name}` }
    const request: ApiRequest = { method: "GET", path: this.#collection, query }
    try {
      for await (const events of this.#options.api.watch(request, signal)) {
        for (const event of events) this.#take(event)
        if (this.#isFree()) return
      }
    } catch (error) {
      // What else goes wrong, the next attempt runs into and reports.
      if (!signal.aborted && statusOf(error) === 403) this.#reportRefusal(error)
    }
    await this.#time.sleep(this.#jitteredMs(), signal)
  }

  #take(event: unknown): void {
    const { type, object } = isRecord(event) ? event : {}
    if (type === "DELETED") this.#observe(undefined)
    else if (type === "ADDED" || type === "MODIFIED") this.#observe(this.#parse(object))
  }

  /** What was seen of a holder stands when the Lease is deleted: its holder does not know that yet. */
  #observe(record: LeaseRecord | undefined): void {
    this.#record = record
    if (record === undefined || record.sign === this.#seen?.sign) return
    const { sign, holder, durationMs } = record
    if (holder !== "" && holder !== this.#options.identity && holder !== this.#seen?.holder)
      this.#options.log.info({ lease: this.#shown, leader: holder }, "Another replica leads")
    this.#seen = { sign, holder, expiresMs: this.#time.nowMs() + durationMs }
  }

  #isFree(): boolean {
    const holder = this.#seen?.holder ?? ""
    return holder === "" || holder === this.#options.identity || this.#leftMs() <= 0
  }

  #leftMs(): number {
    return (this.#seen?.expiresMs ?? Number.NEGATIVE_INFINITY) - this.#time.nowMs()
  }

  #yield(): void {
    this.#hasClaimed = false
    this.#term.end()
  }

  async #release(): Promise<void> {
    const signal = AbortSignal.timeout(releaseMs)
    try {
      const record = await this.#read(signal)
      if (record?.holder !== this.#options.identity) return
      await this.#put(record, released(record, this.#time.dateMs()), signal)
    } catch (error) {
      this.#options.log.warn({ lease: this.#shown, detail: reasonOf(error) }, "Cannot release the Lease")
    }
  }

  /** Sends what is of no use later than the deadline of a renewal. */
  async #send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const limit = new AbortController()
    void this.#time.sleep(this.#renewMs, limit.signal).then(() => limit.abort())
    try {
      return await this.#options.api.send(request, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (!limit.signal.aborted) throw error
      throw new ApiFailure(`No answer for ${this.#renewMs / 1000} s`, { status: 0 }, { cause: error })
    } finally {
      limit.abort()
    }
  }

  #parse(value: unknown): LeaseRecord {
    return readLease(value, this.#options.ttlMs)
  }

  /** Half of the duration is for the leader, the other half for whatever it has sent to arrive. */
  get #renewMs(): number {
    return this.#options.ttlMs / 2
  }

  get #retryMs(): number {
    return this.#options.ttlMs / 4
  }

  #jitteredMs(): number {
    return this.#retryMs * (1 + jitter * this.#time.random())
  }

  get #collection(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(this.#options.namespace)}/leases`
  }

  get #path(): string {
    return `${this.#collection}/${encodeURIComponent(this.#options.name)}`
  }

  get #shown(): string {
    return `${this.#options.namespace}/${this.#options.name}`
  }

  #logChange(isLeader: boolean): void {
    const { log, identity } = this.#options
    if (isLeader) log.info({ lease: this.#shown, identity }, "Leading")
    else log.info({ lease: this.#shown, identity }, "No longer leading")
  }

  /** One line for a trouble, however long it lasts. */
  #report(error: unknown): void {
    const detail = reasonOf(error)
    if (detail !== this.#trouble)
      this.#options.log.warn({ lease: this.#shown, detail }, "Cannot use the Lease")
    this.#trouble = detail
  }

  /** Once: nothing depends on it but how soon a released Lease is taken. */
  #reportRefusal(error: unknown): void {
    if (this.#isWatchRefused) return
    this.#isWatchRefused = true
    const fields = { lease: this.#shown, detail: reasonOf(error) }
    this.#options.log.warn(fields, "Cannot watch the Lease: it is read now and then instead")
  }

  #settle(): void {
    if (this.#trouble !== "") this.#options.log.info({ lease: this.#shown }, "The Lease can be used again")
    this.#trouble = ""
  }
}

function statusOf(error: unknown): number {
  return error instanceof ApiFailure ? error.status : -1
}
