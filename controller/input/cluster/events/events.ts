import type { Log } from "../../../support/log.ts"
import { RateLimit } from "../../../support/rate-limit.ts"
import type { EventSink, ObjectEvent } from "../../provider/event.ts"
import type { Api } from "../api.ts"
import { realTime, type Time } from "../time.ts"
import type { EventDrop } from "./event-record.ts"
import { type EventRecord, EventRecords } from "./event-record.ts"
import { EventQueue } from "./queue.ts"
import { Recent } from "./recent.ts"
import { EventWriter } from "./writer.ts"

// Events on their way into the API server, where each costs a write to etcd that all who watch Events hear of. So what happens again is counted
// by the Event that is there (record.ts), many alike become one (grouping.ts), an object may have only so many, and all together, too. What is
// too much is dropped: telling something never waits.

export interface ClusterEventsOptions {
  readonly api: Pick<Api, "send">
  /** the name of our Pod */
  readonly instance: string
  readonly log: Pick<Log, "warn">
  /** told of each Event that was given up */
  readonly dropped: (reason: EventDrop) => void
  readonly time?: Time
}

/** Of one object and type: 25, then one each five minutes. Source: client-go, tools/record/events_cache.go. */
const perObject = { burst: 25, perSecond: 1 / 300 }
const maxObjects = 4096

/** Of all together. */
const overall = { burst: 100, perSecond: 20 }

/** As many as client-go keeps. */
const maxWaiting = 1000

/** The log hears of Events that cannot be written once in so long. */
const complaintMs = 600_000

/** Writes Events into the API server. */
export class ClusterEvents implements EventSink {
  readonly #dropped: (reason: EventDrop) => void
  readonly #log: Pick<Log, "warn">
  readonly #time: Time
  readonly #records: EventRecords
  readonly #objects = new Recent<RateLimit>(maxObjects)
  readonly #queue = new EventQueue(maxWaiting)
  readonly #overall: RateLimit
  readonly #writer: EventWriter
  readonly #closing = new AbortController()
  #isWorking = false
  #complainedMs = Number.NEGATIVE_INFINITY

  constructor({ api, instance, log, dropped, time = realTime }: ClusterEventsOptions) {
    this.#dropped = dropped
    this.#log = log
    this.#time = time
    this.#records = new EventRecords(time)
    this.#overall = new RateLimit(overall.perSecond, overall.burst, time.nowMs)
    this.#writer = new EventWriter({ api, instance, time, complain: (detail) => this.#complain(detail) })
  }

  write(event: ObjectEvent, term?: AbortSignal): void {
    if (this.#closing.signal.aborted) return
    const record = this.#records.note(event, term)
    if (this.#queue.has(record)) return
    if (this.#limitOf(event).take()) this.#enqueue(record)
    else this.#dropped("throttled")
  }

  /** Nothing is written any more, nor what is being written now. */
  close(): void {
    this.#closing.abort()
  }

  #enqueue(record: EventRecord): void {
    if (this.#queue.add(record) !== undefined) this.#dropped("overflow")
    if (!this.#isWorking) void this.#work()
  }

  /** Never rejects: what goes wrong is the writer's to handle. */
  async #work(): Promise<void> {
    const { signal } = this.#closing
    this.#isWorking = true
    while (this.#queue.size > 0 && !signal.aborted) {
      await this.#time.sleep(this.#overall.waitMs(), signal)
      await this.#writeNext()
    }
    this.#isWorking = false
  }

  async #writeNext(): Promise<void> {
    const record = this.#queue.take()
    if (record === undefined || record.term?.aborted) return
    this.#overall.take()
    const reason = await this.#writer.write(record, this.#untilEndOf(record))
    if (reason !== undefined) this.#dropped(reason)
  }

  #untilEndOf({ term }: EventRecord): AbortSignal {
    const { signal } = this.#closing
    return term === undefined ? signal : AbortSignal.any([signal, term])
  }

  /** What is normal must not use up what Warnings may need. */
  #limitOf({ object: { kind, namespace, name, uid }, type }: ObjectEvent): RateLimit {
    const key = JSON.stringify([kind, namespace, name, uid, type])
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const limit = new RateLimit(perObject.perSecond, perObject.burst, this.#time.nowMs)
    this.#objects.set(key, limit)
    return limit
  }

  #complain(detail: string): void {
    const nowMs = this.#time.nowMs()
    if (nowMs - this.#complainedMs < complaintMs) return
    this.#complainedMs = nowMs
    this.#log.warn({ detail }, "Cannot write Events")
  }
}
