import { sleep } from "../../support/abort.ts"
import { backoffMs, jitteredMs } from "../../support/backoff.ts"
import { reasonOf } from "../../support/failure.ts"
import type { Log } from "../../support/log.ts"
import { ApiFailure } from "./api.ts"

export interface RetriesOptions {
  /** what cannot be read, for people: `Secrets` */
  readonly title: string
  /** it is time to try these again */
  readonly again: (names: Iterable<string>) => void
  readonly log: Pick<Log, "info" | "warn">
  readonly signal: AbortSignal
  /** 0 ≤ value < 1 */
  readonly random: () => number
}

/** From a quarter of a second to five: the watches tell whether the API server is well, and they wait longer. */
const backoff = { firstMs: 250, maxMs: 5000 }
const jitter = [1, 1.5] as const

/** Names of what could not be read and will be tried again, all together. The log has a line when that begins and one when it is over. */
export class Retries {
  readonly #options: RetriesOptions
  /** how often in a row */
  readonly #failures = new Map<string, number>()
  #isPausing = false

  constructor(options: RetriesOptions) {
    this.#options = options
  }

  failed(name: string, error: unknown): void {
    const { title, log, random } = this.#options
    const fields = { name, detail: reasonOf(error) }
    if (this.#failures.size === 0) log.warn(fields, `Cannot read ${title}; what was read before stays`)
    const failures = (this.#failures.get(name) ?? 0) + 1
    this.#failures.set(name, failures)
    void this.#pause(delayMs(failures, error, random))
  }

  /** Tries these together with those that failed. */
  postpone(names: Iterable<string>): void {
    for (const name of names) if (!this.#failures.has(name)) this.#failures.set(name, 0)
  }

  /** It has been read, or need not be any more. */
  settle(name: string): void {
    const { title, log } = this.#options
    if (this.#failures.delete(name) && this.#failures.size === 0) log.info({}, `${title} are read again`)
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isPausing) return
    this.#isPausing = true
    await sleep(ms, this.#options.signal)
    this.#isPausing = false
    this.#options.again(this.#failures.keys())
  }
}

/** No answer, or one that says that it is about all requests: the next request would get the same. */
export function isAboutAll(error: unknown): boolean {
  return error instanceof ApiFailure && [0, 429, 503].includes(error.status)
}

function delayMs(failures: number, error: unknown, random: () => number): number {
  const askedMs = error instanceof ApiFailure ? (error.retryAfterMs ?? 0) : 0
  return jitteredMs(Math.max(backoffMs(backoff, failures), askedMs), jitter, random())
}
