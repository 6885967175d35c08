import { sleep } from "../../../support/abort.ts"
import { type Jitter, jitteredMs } from "../../../support/backoff.ts"
import { Failure } from "../../../support/failure.ts"
import { type Api, ApiFailure } from "../api.ts"
import { Patience } from "../patience.ts"
import type { Delta, ObjectChange, Resource } from "./delta.ts"
import { Known } from "./known.ts"
import type { Cause, WatchObserver } from "./observer.ts"
import { causeOf, pauseMs } from "./pause.ts"
import { Malformed, readEvents, readPage, type Versioned, type WatchEvent } from "./read.ts"
import { pageRequest, secondsOfWatch, watchRequest } from "./requests.ts"

// Keeps a consumer's state of one resource equal to the API server's. It lists, watches from the version of the list on, and goes on from the
// last version it heard of after whatever happens; where that is impossible, it lists again and yields the differences. It knows nothing of
// kinds and stores, and keeps no objects.

export interface Reflecting {
  readonly api: Api
  readonly resource: Resource
  /** lets it come to its end, quietly */
  readonly signal: AbortSignal
  readonly observer: WatchObserver
  /** how often everything is listed again although nothing is wrong, `--sync-period` in milliseconds; 0: never */
  readonly relistMs: number
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** A watch that has followed changes for so long works: what comes next is a new failure. */
const healthyMs = 10_000

/** Not more than one watch in this time, even if the server ends each at once. */
const floorMs = 1000

/** Bookmarks come every minute. Without one we may wait at a version that the server never had: its data were restored from a backup. */
const silentMs = 120_000

/** How many attempts in a row may come to nothing at one version. A list needs none. */
const maxSpoiled = 3

/** How long the server may be silent before the initial events are complete: some do not know how to end them. */
const initialEventsMs = 15_000

/** Kinds are not all listed at the same time. */
const relistJitter: Jitter = [0.9, 1.1]

/** How long lists are read in pages after the server refused to stream one, or did not bring it to its end. */
const pagesMs = { refused: 3_600_000, failed: 60_000 }

/** Yields what exists, then what changes, until the signal aborts. Whatever the server and the network do, it goes on and does not throw. */
export function reflect(reflecting: Reflecting): AsyncGenerator<Delta, void, void> {
  return new Reflector(reflecting).deltas()
}

/**
 * One question, and what came of it. `stream` is a watch that begins with all there is (KEP-3157), `pages` a list; both where it is not known
 * what exists. `watch` goes on from a version.
 */
interface Attempt {
  readonly kind: "stream" | "pages" | "watch"
  readonly startedMs: number
  hasAnswered: boolean
  /** at least one event or bookmark came */
  hasBrought: boolean
  /** since when it follows changes */
  followsMs: number | undefined
}

class Reflector {
  readonly #reflecting: Reflecting
  readonly #random: () => number
  readonly #known = new Known()
  /** everything up to it has been handed on; undefined: what exists has to be listed */
  #version: string | undefined
  #isSynced = false
  /** since the last time that all was well. Each cause counts alone: 410 after an outage of minutes is no reason to wait even longer */
  readonly #failures = new Map<Cause, number>()
  #spoiled = 0
  #pagesUntilMs = 0
  #relistAtMs = Number.POSITIVE_INFINITY

  constructor(reflecting: Reflecting) {
    this.#reflecting = reflecting
    this.#random = reflecting.random ?? Math.random
  }

  async *deltas(): AsyncGenerator<Delta, void, void> {
    const { signal, observer } = this.#reflecting
    try {
      while (!signal.aborted) {
        const attempt = this.#begin()
        try {
          yield* attempt.kind === "pages" ? this.#list(attempt) : this.#watch(attempt)
          await sleep(this.#ended(attempt), signal)
        } catch (error) {
          if (signal.aborted) return
          if (!(error instanceof Failure)) throw error
          await sleep(this.#failed(attempt, error), signal)
        }
      }
    } finally {
      observer.close()
    }
  }

  #begin(): Attempt {
    const startedMs = performance.now()
    const begun = { startedMs, hasAnswered: false, hasBrought: false, followsMs: undefined }
    if (this.#version !== undefined) return { kind: "watch", ...begun }
    const { relistMs } = this.#reflecting
    if (relistMs > 0) this.#relistAtMs = startedMs + jitteredMs(relistMs, relistJitter, this.#random())
    this.#known.beginList()
    return { kind: startedMs < this.#pagesUntilMs ? "pages" : "stream", ...begun }
  }

  async *#list(attempt: Attempt): AsyncGenerator<Delta, void, void> {
    const { api, resource, signal } = this.#reflecting
    let version: string | undefined
    let next = ""
    do {
      const page = readPage(await api.send(pageRequest(resource, next), signal))
      this.#contact(attempt)
      version ??= page.version
      next = page.next
      const changes = page.objects.flatMap((object) => this.#set(object))
      if (changes.length > 0) yield { changes, synced: this.#isSynced }
    } while (next !== "")
    yield { changes: this.#listed(version), synced: true }
  }

  async *#watch(attempt: Attempt): AsyncGenerator<Delta, void, void> {
    const { api, resource, signal } = this.#reflecting
    const seconds = secondsOfWatch(this.#relistAtMs - performance.now(), this.#random())
    const request = watchRequest(resource, this.#version, seconds)
    using patience = new Patience(signal)
    if (this.#version === undefined) patience.start(initialEventsMs)
    for await (const lines of api.watch(request, patience.signal)) {
      patience.rest()
      this.#contact(attempt)
      attempt.hasBrought ||= lines.length > 0
      yield* this.#follow(lines)
      if (this.#version === undefined) patience.start(initialEventsMs)
      else attempt.followsMs ??= performance.now()
    }
    if (this.#version === undefined) throw endedTooEarly("the watch ended before its initial events did")
  }

  *#follow(lines: readonly unknown[]): Generator<Delta, void, void> {
    const wasSynced = this.#isSynced
    const { events, failure } = readEvents(lines)
    const changes = events.flatMap((event) => this.#take(event))
    if (changes.length > 0 || this.#isSynced !== wasSynced) yield { changes, synced: this.#isSynced }
    if (failure) throw failure
    // Servers before 1.27 do not look at what they do not know.
    if (this.#version === undefined && events.some(({ kind }) => kind === "bookmark"))
      throw new Malformed("the server does not say where initial events end")
  }

  #take(event: WatchEvent): readonly ObjectChange[] {
    // Initial events come in any order: only at their end is everything up to a version there.
    if (this.#version !== undefined) this.#move(event.version)
    else if (event.kind === "bookmark" && event.endsInitialEvents) return this.#listed(event.version)
    return this.#changeOf(event)
  }

  #changeOf(event: WatchEvent): readonly ObjectChange[] {
    switch (event.kind) {
      case "bookmark":
        return []
      case "set":
        return this.#set(event)
      case "deleted":
        return this.#known.delete(event.name) ? [{ kind: "deleted", name: event.name }] : []
      default:
        return event satisfies never
    }
  }

  #set({ name, version, object }: Versioned): readonly ObjectChange[] {
    return this.#known.set(name, version) ? [{ kind: "set", name, version, object }] : []
  }

  /** All there is has been told. @returns the deletions of what is there no longer */
  #listed(version: string | undefined): readonly ObjectChange[] {
    this.#version = version
    this.#spoiled = 0
    this.#isSynced = true
    this.#reflecting.observer.listed()
    return this.#known.endList().map((name) => ({ kind: "deleted", name }))
  }

  #move(version: string): void {
    if (version !== this.#version) this.#spoiled = 0
    this.#version = version
  }

  #contact(attempt: Attempt): void {
    attempt.hasAnswered = true
    this.#reflecting.observer.contact()
  }

  /** The server brought it to its end in order. @returns milliseconds until the next one */
  #ended(attempt: Attempt): number {
    const nowMs = performance.now()
    const livedMs = nowMs - attempt.startedMs
    if (attempt.kind === "pages") return 0
    if (livedMs < floorMs && !attempt.hasBrought) {
      return this.#failed(attempt, endedTooEarly("the watch ended as soon as it had begun"))
    }
    if (isSilent(attempt, nowMs) || nowMs >= this.#relistAtMs) this.#version = undefined
    if (isHealthy(attempt, nowMs)) this.#failures.clear()
    return Math.max(0, floorMs - livedMs)
  }

  /** @returns milliseconds until the next attempt */
  #failed(attempt: Attempt, failure: Failure): number {
    const nowMs = performance.now()
    const cause = causeOf(failure, attempt.hasAnswered)
    const wasHealthy = isHealthy(attempt, nowMs)
    this.#reflecting.observer.failed(cause, failure.message)
    if (wasHealthy) this.#failures.clear()
    const failures = (this.#failures.get(cause) ?? 0) + 1
    this.#failures.set(cause, failures)
    if (attempt.kind === "stream" && attempt.followsMs === undefined)
      this.#pagesUntilMs = nowMs + pagesAfterMs(cause)
    if (attempt.kind === "watch" && !wasHealthy && mayBeOfVersion(cause)) this.#spoiled += 1
    if (cause === "expired" || this.#spoiled >= maxSpoiled || isSilent(attempt, nowMs))
      this.#version = undefined
    const retryAfterMs = failure instanceof ApiFailure ? failure.retryAfterMs : undefined
    return pauseMs(cause, failures, this.#random(), retryAfterMs)
  }
}

/** In order, but not as an API server that is well ends a watch. */
function endedTooEarly(message: string): ApiFailure {
  return new ApiFailure(message, { status: 0 })
}

function isHealthy({ followsMs }: Attempt, nowMs: number): boolean {
  return followsMs !== undefined && nowMs - followsMs >= healthyMs
}

/** Not even a bookmark came. */
function isSilent({ startedMs, hasAnswered, hasBrought }: Attempt, nowMs: number): boolean {
  return hasAnswered && !hasBrought && nowMs - startedMs >= silentMs
}

/** Whether another version could help: not where the server, or we, cannot be reached or may not ask. */
function mayBeOfVersion(cause: Cause): boolean {
  return !(cause === "unreachable" || cause === "denied" || cause === "throttled")
}

function pagesAfterMs(cause: Cause): number {
  if (cause === "refused" || cause === "malformed") return pagesMs.refused
  return mayBeOfVersion(cause) ? pagesMs.failed : 0
}
