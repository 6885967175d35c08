import { type Backoff, backoffMs } from "../../../support/backoff.ts"
import { reasonOf } from "../../../support/failure.ts"
import { type Api, ApiFailure } from "../api.ts"
import type { Time } from "../time.ts"
import { creation, namespaceOf, repetition } from "./body.ts"
import type { EventDrop, EventRecord } from "./event-record.ts"
import { Recent } from "./recent.ts"

export interface WriterOptions {
  readonly api: Pick<Api, "send">
  /** who reports: the name of our Pod */
  readonly instance: string
  /** told why Events cannot be written, now and then */
  readonly complain: (detail: string) => void
  readonly time: Time
}

/** An API server that does not answer as it should is asked so often, with pauses of 1, 2, 4, 8, 16, 30 and 30 s: a restart takes no longer. */
const maxAttempts = 8
const backoff: Backoff = { firstMs: 1000, jitter: [1, 0.8] }
const maxPauseMs = 30_000

/** A namespace in which nothing may be written is left alone for so long. */
const refusedMs = 600_000

/** As many namespaces as anybody has. */
const maxNamespaces = 10_000

/** Brings records into the API server. */
export class EventWriter {
  readonly #with: WriterOptions
  /** since when */
  readonly #refusals = new Recent<number>(maxNamespaces)

  constructor(options: WriterOptions) {
    this.#with = options
  }

  /**
   * Writes a record as it stands.
   *
   * @param signal ends it without a word
   * @returns why it was given up; undefined when it was written, or ended by the signal
   */
  async write(record: EventRecord, signal: AbortSignal): Promise<EventDrop | undefined> {
    const { time } = this.#with
    if (time.nowMs() - (this.#refusals.get(namespaceOf(record)) ?? Number.NEGATIVE_INFINITY) < refusedMs)
      return "refused"
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const error = await this.#attempt(record, signal)
      if (error === undefined || signal.aborted) return undefined
      if (isAboutNamespace(error)) return this.#refused(record, error)
      if (attempt === maxAttempts || !isPassing(error)) return this.#failed(error)
      await time.sleep(this.#pauseMs(attempt, error), signal)
    }
    return undefined
  }

  /** @returns what went wrong */
  async #attempt(record: EventRecord, signal: AbortSignal): Promise<unknown> {
    try {
      const isRepeated = record.isWritten && (await this.#repeat(record, signal))
      if (!isRepeated) await this.#create(record, signal)
      record.isWritten = true
      return undefined
    } catch (error) {
      return error
    }
  }

  /** @returns false when the API server does not have it any more */
  async #repeat(record: EventRecord, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#with.api.send(repetition(record), signal)
      return true
    } catch (error) {
      if (statusOf(error) !== 404) throw error
      record.isWritten = false
      return false
    }
  }

  async #create(record: EventRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#with.api.send(creation(record, this.#with.instance), signal)
    } catch (error) {
      // An earlier attempt arrived, and only its answer was lost.
      if (statusOf(error) !== 409) throw error
    }
  }

  /** One that is being deleted takes nothing new either, and that is no news to anybody. */
  #refused(record: EventRecord, error: ApiFailure): EventDrop {
    const { time, complain } = this.#with
    this.#refusals.set(namespaceOf(record), time.nowMs())
    if (error.status === 403 && !error.message.includes("being terminated")) complain(error.message)
    return "refused"
  }

  #failed(error: unknown): EventDrop {
    this.#with.complain(reasonOf(error))
    return "failed"
  }

  #pauseMs(attempt: number, error: unknown): number {
    const ownMs = backoffMs(backoff, attempt, this.#with.time.random())
    const wantedMs = error instanceof ApiFailure ? (error.retryAfterMs ?? 0) : 0
    return Math.min(Math.max(ownMs, wantedMs), maxPauseMs)
  }
}

function isAboutNamespace(error: unknown): error is ApiFailure {
  return [403, 404].includes(statusOf(error))
}

/** Unauthorized, because tokens are renewed; Request Timeout, Too Many Requests; whatever is wrong with the server or the way there. */
function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  return error instanceof ApiFailure && (status < 400 || status >= 500 || [401, 408, 429].includes(status))
}

/** Of the HTTP answer; 0 when there was none. */
function statusOf(error: unknown): number {
  return error instanceof ApiFailure ? error.status : 0
}
