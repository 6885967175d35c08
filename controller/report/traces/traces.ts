import { isDeepStrictEqual } from "node:util"
import type { FinishedSpan } from "../../model/span.ts"
import type { SpanExport } from "../../model/span-export.ts"
import { sleep } from "../../support/abort.ts"
import { reasonOf } from "../../support/failure.ts"
import type { Log } from "../../support/log.ts"
import type { Environment, Exporter } from "./otlp.ts"

/** Spans that wait in nginx, the oldest first. */
interface SpanSource {
  /** `undefined`: there is nothing that could have any. @throws when nginx does not answer */
  look(): Promise<SourcePage | undefined>
  page(): Promise<SourcePage | undefined>
  take(page: SourcePage): Promise<void>
}

interface SourcePage {
  readonly mark: string
  readonly spans: readonly FinishedSpan[]
  readonly waiting: number
  readonly recorded: number
  readonly dropped: number
}

export interface TracesOptions {
  readonly source: SpanSource
  readonly environment: Environment
  readonly connect: (settings: SpanExport) => Promise<Exporter>
  readonly log: Pick<Log, "info" | "warn">
  readonly signal: AbortSignal
}

/** What became of spans of requests, since nginx or the controller was started. */
export interface SpanCounts {
  readonly recorded: number
  readonly dropped: number
  readonly exported: number
  readonly failed: number
}

/** How often it is looked whether there is a batch, ms. */
const lookMs = 500
/** How long the last spans may take when the controller stops, ms. */
const lastMs = 2000

/**
 * Brings finished spans from nginx to the collector. It works beside passes and keeps nothing back: what nginx cannot hold while a collector
 * is slow is dropped there, and counted.
 */
export class Traces {
  readonly #with: TracesOptions
  #settings: SpanExport | undefined
  #exporter: Exporter | undefined
  /** what the exporter was made of */
  #connected: SpanExport | undefined
  #running: Promise<void> | undefined
  #sentMs = 0
  #hasFailed = false
  #isStopped = false
  #counts: SpanCounts = { recorded: 0, dropped: 0, exported: 0, failed: 0 }

  constructor(options: TracesOptions) {
    this.#with = options
  }

  get counts(): SpanCounts {
    return this.#counts
  }

  /** Tells where spans go from now on. @param isTraced whether some request may leave one; asked only while it matters */
  configure(settings: SpanExport, isTraced: () => boolean): void {
    this.#settings = settings
    const { environment, log } = this.#with
    if (this.#running !== undefined || !goesSomewhere(settings, environment) || !isTraced()) return
    log.info({ protocol: environment.protocol }, "Exporting spans")
    this.#running = this.#run()
  }

  /** Sends what there is, for a moment at most. */
  async stop(): Promise<void> {
    const isOver = new AbortController()
    await Promise.race([this.#last(), sleep(lastMs, isOver.signal)])
    isOver.abort()
    this.#isStopped = true
  }

  async #last(): Promise<void> {
    await this.#running
    if (this.#running === undefined || this.#settings === undefined) return
    await this.#drain(this.#settings, 1)
    await this.#exporter?.close().catch(() => {})
  }

  async #run(): Promise<void> {
    const { signal } = this.#with
    while (this.#settings !== undefined) {
      await sleep(Math.min(this.#settings.scheduleDelayMs, lookMs), signal)
      if (signal.aborted) return
      const settings = this.#settings
      const isDue = performance.now() - this.#sentMs >= settings.scheduleDelayMs
      await this.#drain(settings, isDue ? 1 : settings.maxBatchSize)
    }
  }

  /** Sends all that waits, page by page, if it is so many spans at least. */
  async #drain(settings: SpanExport, least: number): Promise<void> {
    const { source } = this.#with
    try {
      const now = await source.look()
      if (now === undefined) return
      const { recorded, dropped } = now
      this.#counts = { ...this.#counts, recorded, dropped }
      if (now.waiting < least || !goesSomewhere(settings, this.#with.environment)) return
      this.#sentMs = performance.now()
      for (let left = now.waiting; left > 0 && !this.#isStopped; ) {
        const page = await source.page()
        if (page === undefined || page.waiting === 0) return
        await this.#send(page.spans, settings)
        await source.take(page)
        left -= Math.max(page.spans.length, 1)
      }
    } catch {
      // nginx is away, which others notice; what it holds is read again
    }
  }

  async #send(spans: readonly FinishedSpan[], settings: SpanExport): Promise<void> {
    for (let at = 0; at < spans.length; at += settings.maxBatchSize) {
      const batch = spans.slice(at, at + settings.maxBatchSize)
      this.#note(batch.length, await this.#failureOf(batch, settings))
    }
  }

  /** @returns why the batch was not taken; undefined: it was */
  async #failureOf(batch: readonly FinishedSpan[], settings: SpanExport): Promise<string | undefined> {
    try {
      const exporter = await this.#exporterFor(settings)
      return await exporter.send(batch)
    } catch (error) {
      return reasonOf(error)
    }
  }

  async #exporterFor(settings: SpanExport): Promise<Exporter> {
    if (this.#exporter !== undefined && isDeepStrictEqual(settings, this.#connected)) return this.#exporter
    const former = this.#exporter
    this.#exporter = await this.#with.connect(settings)
    this.#connected = settings
    former?.close().catch(() => {})
    return this.#exporter
  }

  /** One line when it begins to fail, and one when it works again. */
  #note(count: number, failure: string | undefined): void {
    const { log } = this.#with
    const { exported, failed } = this.#counts
    if (failure === undefined) {
      this.#counts = { ...this.#counts, exported: exported + count }
      if (this.#hasFailed) log.info("The collector takes spans again")
    } else {
      this.#counts = { ...this.#counts, failed: failed + count }
      if (!this.#hasFailed)
        log.warn({ detail: failure }, "The collector does not take spans: they are dropped")
    }
    this.#hasFailed = failure !== undefined
  }
}

/** Without a host the environment decides. */
function goesSomewhere({ collectorHost, collectorTls }: SpanExport, { hasEndpoint }: Environment): boolean {
  return collectorHost === "" ? hasEndpoint : collectorTls !== "closed"
}
