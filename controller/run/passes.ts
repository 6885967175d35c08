import { Failure } from "../support/failure.ts"
import { Queue } from "../support/queue.ts"
import type { Common } from "./common.ts"
import type { World } from "./world.ts"

/** What carries out a pass. */
interface Carrier {
  readonly pass: () => Promise<void>
  /** once something has served, everything is tried again */
  readonly hasServed: () => boolean
}

/** Passes are asked for by many parts; the first begins when there is somebody who carries it out. */
export class Passes {
  readonly #carrier = Promise.withResolvers<Carrier>()
  readonly #queue: Queue

  /** @param failed is told of each failure, and whether it was a bug, or a start that cannot succeed */
  constructor(failed: (error: unknown, isFinal: boolean, retryMs: number) => void, signal: AbortSignal) {
    let hasServed = () => false
    const pass = async () => {
      const carrier = await this.#carrier.promise
      hasServed = carrier.hasServed
      await carrier.pass()
    }
    const failedNow = (error: unknown, retryMs: number) =>
      failed(error, !(error instanceof Failure) || !hasServed(), retryMs)
    // A start that was given up: what waits for the running pass need not wait for a carrier.
    signal.addEventListener("abort", () => this.begin({ pass: async () => {}, hasServed }), { once: true })
    this.#queue = new Queue({ pass, failed: failedNow, signal })
  }

  /** From now on. Only the first one counts. */
  begin(carrier: Carrier): void {
    this.#carrier.resolve(carrier)
  }

  readonly request = (): void => this.#queue.request()

  readonly requestIn = (delayMs: number): void => this.#queue.requestIn(delayMs)

  /** Resolves when none runs. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }
}

export function passes({ metrics, log, signal, breakOff }: Common & World): { readonly passes: Passes } {
  const failed = (error: unknown, isFinal: boolean, retryMs: number) => {
    metrics.passes.passFailed()
    if (isFinal || !(error instanceof Failure)) return breakOff(error)
    log.error({ code: error.code, detail: error.message, retryMs: Math.round(retryMs) }, "Pass failed")
  }
  return { passes: new Passes(failed, signal) }
}
