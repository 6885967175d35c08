import type { Kind } from "../../../model/objects/object.ts"
import { Failure } from "../../../support/failure.ts"
import type { Log } from "../../../support/log.ts"
import type { Api } from "../api.ts"
import { realTime, type Time } from "../time.ts"
import { type Look, look } from "./look.ts"
import { OfferReport } from "./offer-report.ts"

export interface OffersOptions {
  readonly api: Pick<Api, "send">
  /** that are asked for; none: nobody is asked anything */
  readonly kinds: readonly Kind[]
  /** --watch-namespace, "" for all */
  readonly namespace: string
  readonly log: Pick<Log, "info">
  readonly signal: AbortSignal
  readonly time?: Pick<Time, "sleep" | "random">
}

/** How often it is asked again while something is missing: a small answer, and nobody waits for a CustomResourceDefinition for long. */
const againMs = 5000

/** A first answer is waited for, as nothing can be served without it. */
const firstMs = 1000

/** Pods that have started together do not ask together. */
const jitter = 0.2

/**
 * Which kinds the API server has that it need not have, as those of CustomResourceDefinitions: they come and go while this controller runs, and so does
 * the right to read them. While all are there nobody asks; a watch that fails has it looked again.
 */
export class Offers {
  readonly #with: OffersOptions
  readonly #time: Pick<Time, "sleep" | "random">
  readonly #report: OfferReport
  /** what was seen last; undefined: nothing so far */
  #seen: Look | undefined
  /** of each kind that is there; aborts when it is no more */
  readonly #ends = new Map<Kind, AbortController>()
  #changed = Promise.withResolvers<void>()
  #hurry = new AbortController()

  constructor(options: OffersOptions) {
    this.#with = options
    this.#time = options.time ?? realTime
    this.#report = new OfferReport(options.log)
    options.signal.addEventListener("abort", () => this.#changed.resolve(), { once: true })
    if (options.kinds.length > 0) void this.#follow()
  }

  /** Resolves when it is known what there is. */
  async known(): Promise<void> {
    while (this.#seen === undefined && !this.#with.signal.aborted) await this.#changed.promise
  }

  /** Aborts when the kind is there no more; undefined: it is not there. */
  offer(kind: Kind): AbortSignal | undefined {
    return this.#ends.get(kind)?.signal
  }

  /** Resolves when what is offered has become another, or the signal aborts. */
  get changed(): Promise<void> {
    return this.#changed.promise
  }

  /** Has it looked at again at once: a watch has failed. */
  doubt(): void {
    this.#hurry.abort()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#with
    while (!signal.aborted) {
      this.#hurry = new AbortController()
      await this.#look()
      await this.#time.sleep(this.#pauseMs(), AbortSignal.any([signal, this.#hurry.signal]))
    }
  }

  #pauseMs(): number {
    if (this.#seen === undefined) return firstMs
    const isComplete = this.#seen.offered.length === this.#with.kinds.length
    return isComplete ? 2 ** 31 - 1 : againMs * (1 + jitter * this.#time.random())
  }

  /** What cannot be found out leaves everything as it is: watches, and their log, tell of an API server that does not answer. */
  async #look(): Promise<void> {
    const { api, kinds, namespace, signal } = this.#with
    try {
      this.#take(await look(api, kinds, namespace, signal))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  #take(seen: Look): void {
    this.#report.seen(seen)
    this.#seen = seen
    for (const kind of seen.offered) if (!this.#ends.has(kind)) this.#ends.set(kind, new AbortController())
    for (const [kind, end] of this.#ends) {
      if (seen.offered.includes(kind)) continue
      this.#ends.delete(kind)
      end.abort()
    }
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers()
    resolve()
  }
}
