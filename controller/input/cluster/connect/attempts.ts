import { sleep } from "../../../support/abort.ts"
import { type Backoff, backoffMs } from "../../../support/backoff.ts"
import type { Log } from "../../../support/log.ts"
import { ApiFailure } from "../api.ts"

/** At the start the API server may be away, or the Pod's network not ready. Source: ingress-nginx, ten tries. */
const tries = 10

/** Altogether 51 s. ingress-nginx's last pauses are longer. */
const maxMs = 10_000
const backoff: Backoff = { firstMs: 1000, factor: 1.5, maxMs }

/** Of one try, milliseconds: what is asked costs the server nothing. */
const tryMs = 5000

/** Whether another try may bring something else. */
export type Worthwhile = (failure: ApiFailure) => boolean

export const always: Worthwhile = () => true

/** The server has said nothing, or that this is not the time; not that it does not want to. */
export const unlessRefused: Worthwhile = ({ status }) => status === 0 || status === 429 || status >= 500

/** The server says that it is not ready. */
export const whileUnready: Worthwhile = ({ status }) => status >= 500

export interface AttemptsOptions {
  readonly log: Pick<Log, "warn">
  /** default: as said above. @param attempt the one that failed, from 1 */
  readonly pauseMs?: (attempt: number) => number
}

/** Asks again and again, ten times at most. */
export class Attempts {
  readonly #log: Pick<Log, "warn">
  readonly #pauseMs: (attempt: number) => number

  constructor({ log, pauseMs = usualPauseMs }: AttemptsOptions) {
    this.#log = log
    this.#pauseMs = pauseMs
  }

  /** @throws ApiFailure of the last try; when the signal aborts, too */
  async make<T>(
    ask: (signal: AbortSignal) => Promise<T>,
    isWorthwhile: Worthwhile,
    signal: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; attempt < tries; attempt += 1) {
      try {
        return await ask(limited(signal))
      } catch (error) {
        if (!(error instanceof ApiFailure) || signal.aborted || !isWorthwhile(error)) throw error
        await this.#rest(attempt, error, signal)
      }
    }
    return ask(limited(signal))
  }

  async #rest(
    attempt: number,
    { message, retryAfterMs = 0 }: ApiFailure,
    signal: AbortSignal,
  ): Promise<void> {
    const retryMs = Math.max(this.#pauseMs(attempt), Math.min(retryAfterMs, maxMs))
    this.#log.warn(
      { attempt, detail: message, retryMs: Math.round(retryMs) },
      "No answer from the API server so far",
    )
    await sleep(retryMs, signal)
  }
}

function usualPauseMs(attempt: number): number {
  return backoffMs(backoff, attempt)
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(tryMs)])
}
