import type { Leadership } from "../../input/provider/leadership.ts"
import { backoffMs } from "../../support/backoff.ts"
import type { Log } from "../../support/log.ts"
import { Queue } from "../../support/queue.ts"
import { Refusals } from "./refusals.ts"
import type { KeptStatus, WantedPart } from "./status-kind.ts"
import { StatusReport } from "./status-log.ts"
import { writeAll } from "./write-all.ts"

export interface PublisherOptions<Part> {
  readonly kept: KeptStatus<Part>
  readonly leadership: Leadership
  /** `--status-update-interval` */
  readonly intervalSeconds: number
  /** told of a bug */
  readonly failed: (error: unknown) => void
  readonly log: Pick<Log, "info" | "warn">
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** How long changes are collected before they are written, where nothing else is said. */
const usualCollectMs = 1000

/** A few seconds' work. What has changed meanwhile goes into the next round. */
const usualInRound = 1000

/** From a second up to the interval, when the API server does not answer. */
const backoff = { firstMs: 1000, jitter: [1, 0.8] } as const

/** What `--status-update-interval` may come to: at least as ingress-nginx has it, at most what a timer takes. */
const minSeconds = 5
const maxMs = 2 ** 31 - 1

/**
 * Keeps the status of the objects of a kind saying what it is to say, while this replica is the leader: a round at the start of a term, about a
 * second after a change, and every so often in case somebody else has written something. A round writes only what differs, new objects before
 * those that have been there for longer.
 */
export class Publisher<Part> {
  readonly #with: PublisherOptions<Part>
  readonly #intervalMs: number
  readonly #stopping = new AbortController()
  readonly #rounds: Queue
  readonly #refusals: Refusals<Part>
  readonly #report: StatusReport<Part>
  #hasObjects = false
  /** rounds in a row that the API server broke */
  #broken = 0

  constructor(options: PublisherOptions<Part>) {
    this.#with = options
    this.#intervalMs = Math.min(Math.max(options.intervalSeconds, minSeconds) * 1000, maxMs)
    this.#refusals = new Refusals(this.#intervalMs, options.kept.isSame)
    this.#report = new StatusReport(options.kept, options.log)
    this.#rounds = new Queue({
      pass: () => this.#round(),
      failed: options.failed,
      signal: this.#stopping.signal,
    })
    options.leadership.onChange((isLeader) => {
      if (isLeader) this.#begin()
    })
  }

  /** Objects may be others now. Before the first call they have not all been read: nothing is written. */
  changed(): void {
    this.#hasObjects = true
    this.#rounds.requestIn(this.#with.kept.collectMs ?? usualCollectMs)
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.idle()
  }

  #begin(): void {
    this.#refusals.clear()
    if (this.#hasObjects) this.#rounds.request()
  }

  async #round(): Promise<void> {
    const { leadership, kept } = this.#with
    if (!leadership.isLeader) return
    const signal = AbortSignal.any([leadership.term, this.#stopping.signal])
    const wanted = kept.wanted()
    this.#report.found(wanted)
    if (wanted.kind === "known") await this.#publish(wanted.parts, signal)
    this.#rounds.requestIn(this.#pauseMs())
  }

  async #publish(parts: readonly WantedPart<Part>[], signal: AbortSignal): Promise<void> {
    const differing = parts.filter((wanted) => this.#differs(wanted))
    const due = differing.filter(([name, part]) => !this.#refusals.has(name, part))
    const { writer, maxAtOnce, maxInRound = usualInRound } = this.#with.kept
    const chosen = due.toReversed().slice(0, maxInRound)
    const outcome = await writeAll(chosen, writer, signal, maxAtOnce)
    if (signal.aborted) return
    if (chosen.length < due.length && !outcome.broken) this.#rounds.request()
    for (const [name, part] of chosen) if (outcome.refused.has(name)) this.#refusals.add(name, part)
    this.#broken = outcome.broken ? this.#broken + 1 : 0
    this.#report.written({ ...outcome, part: chosen[0]?.[1], left: differing.length - outcome.written })
  }

  /** One that is not known is gone, and the store hears of it next. */
  #differs([name, part]: WantedPart<Part>): boolean {
    const { writer, isSame } = this.#with.kept
    const current = writer.current(name)
    return current !== undefined && !isSame(current, part)
  }

  #pauseMs(): number {
    if (this.#broken === 0) return this.#intervalMs
    const random = (this.#with.random ?? Math.random)()
    return backoffMs({ ...backoff, maxMs: this.#intervalMs }, this.#broken, random)
  }
}
