import type { Log } from "../../../support/log.ts"
import type { Cause, WatchObserver } from "./observer.ts"

/** Failures that happen now and then are nobody's business. So many in a row are, or some over so long a time. */
const trouble = { failures: 3, ms: 10_000 }

/** How long all has to be well before the trouble is over. */
const calmMs = 10_000

/** Takes note of how watches fare; `resource` is a title for people, as `EndpointSlices`. */
export interface WatchMetrics {
  opened(resource: string): void
  contact(resource: string): void
  listed(resource: string): void
  failed(resource: string, cause: string): void
  troubled(resource: string, is: boolean): void
}

/**
 * Tells people how one watch fares: every failure in the metrics, and in the log one line when trouble begins and one when it is over.
 */
export class WatchReport implements WatchObserver {
  readonly #resource: string
  readonly #isRequired: boolean
  readonly #log: Pick<Log, "warn" | "info">
  readonly #metrics: WatchMetrics
  #isListed = false
  #contactMs = performance.now()
  #failures = 0
  /** of the first of the failures in a row */
  #failedMs = 0
  #isTroubled = false
  #calm: NodeJS.Timeout | undefined

  /** @param watched its title; and whether nothing is served before it has been listed */
  constructor(
    { title, isRequired }: { readonly title: string; readonly isRequired: boolean },
    log: Pick<Log, "warn" | "info">,
    metrics: WatchMetrics,
  ) {
    this.#resource = title
    this.#isRequired = isRequired
    this.#log = log
    this.#metrics = metrics
    metrics.opened(title)
  }

  contact(): void {
    this.#contactMs = performance.now()
    this.#metrics.contact(this.#resource)
    if (this.#failures > 0) this.#calm ??= setTimeout(() => this.#recover(), calmMs)
  }

  listed(): void {
    this.#isListed = true
    this.#metrics.listed(this.#resource)
  }

  failed(cause: Cause, message: string): void {
    this.#metrics.failed(this.#resource, cause)
    this.#restless()
    const nowMs = performance.now()
    if (this.#failures === 0) this.#failedMs = nowMs
    this.#failures += 1
    const isLasting = this.#failures >= trouble.failures || nowMs - this.#failedMs >= trouble.ms
    // Who has never been let in lacks rights; who has been meets an API server that has just started.
    const isDenied = cause === "denied" && !this.#isListed
    if (!this.#isTroubled && (isLasting || isDenied)) this.#complain(message)
  }

  close(): void {
    this.#restless()
  }

  #complain(detail: string): void {
    this.#setTroubled(true)
    const noContactSeconds = Math.round((performance.now() - this.#contactMs) / 1000)
    const fields = { object: this.#resource, detail, noContactSeconds }
    this.#log.warn(fields, `Cannot watch: ${this.#consequence()}`)
  }

  #consequence(): string {
    if (this.#isListed) return "the last known state is served"
    return this.#isRequired ? "nothing is served before it is listed" : "what depends on it is left out"
  }

  #recover(): void {
    this.#restless()
    this.#failures = 0
    if (!this.#isTroubled) return
    this.#setTroubled(false)
    const troubleSeconds = Math.round((performance.now() - this.#failedMs) / 1000)
    this.#log.info({ object: this.#resource, troubleSeconds }, "Watch works again")
  }

  #restless(): void {
    clearTimeout(this.#calm)
    this.#calm = undefined
  }

  #setTroubled(is: boolean): void {
    this.#isTroubled = is
    this.#metrics.troubled(this.#resource, is)
  }
}
