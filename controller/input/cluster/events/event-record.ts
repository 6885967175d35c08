import type { ObjectEvent } from "../../provider/event.ts"
import type { Time } from "../time.ts"
import { type Grouped, Grouping } from "./grouping.ts"
import { Recent } from "./recent.ts"

/** Why an Event was given up. */
export type EventDrop = "throttled" | "overflow" | "failed" | "refused"

/** One Event of the cluster, which may happen again and again. */
export interface EventRecord {
  /** of the Event object */
  readonly name: string
  readonly firstDateMs: number
  lastDateMs: number
  /** as it happened the last time; of combined ones the message is another one each time */
  event: ObjectEvent
  /** how often it has happened */
  count: number
  /** until when it may be written */
  term: AbortSignal | undefined
  /** the API server has it, unless it has forgotten it since */
  isWritten: boolean
}

/** For so long API servers keep an Event that nobody writes to. Source: kube-apiserver, --event-ttl. */
const lifeMs = 3_600_000

/** As many as client-go remembers. */
const maxRecords = 4096

/** What has happened lately. */
export class EventRecords {
  readonly #time: Pick<Time, "nowMs" | "dateMs" | "random">
  readonly #grouping: Grouping
  readonly #records = new Recent<EventRecord>(maxRecords)
  /** of the last record, nanoseconds since 1970 */
  #madeNs = 0n

  constructor(time: Pick<Time, "nowMs" | "dateMs" | "random">) {
    this.#time = time
    this.#grouping = new Grouping(time.nowMs)
  }

  /** Takes down an Event. @returns the record that it belongs to, a new one if nothing like it has happened lately */
  note(event: ObjectEvent, term: AbortSignal | undefined): EventRecord {
    const grouped = this.#grouping.assign(event)
    const record = this.#find(grouped)
    record.event = grouped.event
    record.lastDateMs = this.#time.dateMs()
    record.count += 1
    record.term = term
    return record
  }

  #find({ key, event }: Grouped): EventRecord {
    const dateMs = this.#time.dateMs()
    const known = this.#records.get(key)
    if (known !== undefined && dateMs - known.lastDateMs < lifeMs) return known
    const record: EventRecord = {
      name: eventName(event.object.name, this.#nextNs(dateMs)),
      event,
      firstDateMs: dateMs,
      lastDateMs: dateMs,
      count: 0,
      term: undefined,
      isWritten: false,
    }
    this.#records.set(key, record)
    return record
  }

  /** Another one each time; what the clock does not show is chance, so that replicas do not meet. */
  #nextNs(dateMs: number): bigint {
    const ns = BigInt(dateMs) * 1_000_000n + BigInt(Math.floor(this.#time.random() * 1_000_000))
    this.#madeNs = ns > this.#madeNs ? ns : this.#madeNs + 1n
    return this.#madeNs
  }
}

/** The longest name that an object may have. */
const maxNameCharacters = 253

/** As client-go names Events: the object's name and a time, nanoseconds since 1970. */
export function eventName(object: string, ns: bigint): string {
  const suffix = `.${ns.toString(16)}`
  return object.slice(0, maxNameCharacters - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix
}
