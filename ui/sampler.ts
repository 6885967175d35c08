import type { Sample, Samples } from "./api.ts"

const everyMs = 5000

/** Half an hour. */
const maxKept = 360

/** What nginx says of itself. */
type Status = Pick<Sample, "requests" | "active" | "waiting">

/** Asks nginx now and then how busy it is, so that a new visitor sees what was before. */
export class Sampler {
  readonly #read: () => Promise<Status | undefined>
  readonly #samples: Sample[] = []

  /** @param read undefined while nginx does not answer */
  constructor(read: () => Promise<Status | undefined>) {
    this.#read = read
  }

  /** Until the signal aborts. */
  start(signal: AbortSignal): void {
    const timer = setInterval(() => void this.take(Date.now()), everyMs)
    timer.unref()
    signal.addEventListener("abort", () => clearInterval(timer), { once: true })
    void this.take(Date.now())
  }

  async take(nowMs: number): Promise<void> {
    const status = await this.#read()
    if (status === undefined) return
    const { requests, active, waiting } = status
    this.#samples.push({ atMs: nowMs, requests, active, waiting })
    if (this.#samples.length > maxKept) this.#samples.shift()
  }

  /** Those that are younger. */
  since(ms: number): Samples {
    return { everyMs, samples: this.#samples.filter(({ atMs }) => atMs > ms) }
  }
}
