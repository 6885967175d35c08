import type { Log } from "../observe/log.ts"
import type { NamedKind } from "../provider/source.ts"
import { sleep } from "../support/abort.ts"
import { Channel } from "../support/channel.ts"
import { reasonOf } from "../support/failure.ts"
import { ApiFailure } from "./api.ts"
import { titleOf } from "./kinds.ts"

/** An object as it was read by its name. */
export interface Content {
  readonly version: string
  readonly object: unknown
}

export interface NamedObjectsOptions {
  readonly kind: NamedKind
  /**
   * @param atLeast the version that was announced: an older one will not do
   * @returns undefined when there is no such object
   */
  readonly read: (name: string, atLeast: string) => Promise<Content | undefined>
  readonly log: Pick<Log, "info" | "warn">
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** What became of one reading. */
export interface Reading {
  readonly name: string
  readonly asked: string
  readonly outcome:
    | { readonly kind: "read"; readonly content: Content | undefined }
    | { readonly kind: "failed"; readonly error: unknown }
}

/** What the reader of all this should know of one object from now on; without content it is gone, or of no use any more. */
export interface NamedChange {
  readonly name: string
  readonly content?: Content
}

/** At the same time, of one kind: 16 bring 10,000 Secrets in 7 s, and 32 no more (2 cores, API server on the same machine). */
const mostReadings = 16

/** From a quarter of a second to five: the watches tell whether the API server is well, and they wait longer. */
const backoff = { firstMs: 250, mostMs: 5000, jitter: 0.5 }

/**
 * Objects of a kind of which only the named ones are read. Of the others nothing is kept but name and version, which is what a watch of their
 * metadata announces. Whoever owns this hands in what is announced and named and what `readings` yield, in the order in which it comes; every
 * change of state happens in these calls.
 */
export class NamedObjects {
  readonly #options: NamedObjectsOptions
  readonly #readings = new Channel<Reading>()
  /** as announced, of every object that exists */
  readonly #versions = new Map<string, string>()
  /** of the content that was handed on last */
  readonly #held = new Map<string, string>()
  /** named, announced, and never read so far */
  readonly #missing = new Set<string>()
  readonly #due = new Set<string>()
  readonly #reading = new Set<string>()
  /** how often in a row, of those that will be tried again */
  readonly #failures = new Map<string, number>()
  #named: ReadonlySet<string> = new Set()
  #isPausing = false

  constructor(options: NamedObjectsOptions) {
    this.#options = options
    options.signal.addEventListener("abort", () => this.#readings.close(), { once: true })
  }

  /** What was read, to be handed to `accept`. It ends when the signal aborts. */
  readings(): AsyncIterable<readonly Reading[]> {
    return this.#readings.groups()
  }

  /** Whether something that is named exists and has not been read yet. */
  get isMissingAny(): boolean {
    return this.#missing.size > 0
  }

  /** An object exists in this version now, or is gone. */
  announce(name: string, version: string | undefined): readonly NamedChange[] {
    if (version === undefined) {
      this.#versions.delete(name)
      return this.#drop(name)
    }
    this.#versions.set(name, version)
    if (this.#named.has(name) && this.#held.get(name) !== version) this.#ask(name)
    return []
  }

  /** These are named now. @returns those that are not any more */
  name(names: ReadonlySet<string>): readonly NamedChange[] {
    const before = this.#named
    if (before === names) return []
    this.#named = names
    for (const name of names) if (!before.has(name) && this.#versions.has(name)) this.#ask(name)
    return [...before].flatMap((name) => (names.has(name) ? [] : this.#drop(name)))
  }

  /** A reading has come to its end. */
  accept({ name, asked, outcome }: Reading): readonly NamedChange[] {
    this.#reading.delete(name)
    const changes = outcome.kind === "read" ? this.#take(name, asked, outcome.content) : []
    if (outcome.kind === "failed") this.#tryLater(name, outcome.error)
    this.#readDue()
    return changes
  }

  #take(name: string, asked: string, content: Content | undefined): readonly NamedChange[] {
    this.#settle(name)
    const announced = this.#versions.get(name)
    if (announced === undefined || !this.#named.has(name)) return []
    const changes = content === undefined ? this.#drop(name) : this.#hold(name, content)
    // another version may have been announced meanwhile, and it may be the one that was read
    if (announced === asked || announced === content?.version) this.#due.delete(name)
    else this.#due.add(name)
    return changes
  }

  #hold(name: string, content: Content): readonly NamedChange[] {
    this.#missing.delete(name)
    this.#held.set(name, content.version)
    return [{ name, content }]
  }

  #drop(name: string): readonly NamedChange[] {
    this.#missing.delete(name)
    this.#due.delete(name)
    this.#settle(name)
    return this.#held.delete(name) ? [{ name }] : []
  }

  #ask(name: string): void {
    if (!this.#held.has(name)) this.#missing.add(name)
    this.#due.add(name)
    this.#readDue()
  }

  #readDue(): void {
    for (const name of this.#due) {
      if (this.#reading.size >= mostReadings || this.#options.signal.aborted) return
      if (this.#reading.has(name)) continue // it is looked at again when it has been read
      this.#due.delete(name)
      this.#reading.add(name)
      void this.#read(name, this.#versions.get(name) ?? "")
    }
  }

  async #read(name: string, asked: string): Promise<void> {
    try {
      const content = await this.#options.read(name, asked)
      this.#readings.send({ name, asked, outcome: { kind: "read", content } })
    } catch (error) {
      this.#readings.send({ name, asked, outcome: { kind: "failed", error } })
    }
  }

  // === Failures: what was read before stays meanwhile ===

  #tryLater(name: string, error: unknown): void {
    const { log, kind, signal } = this.#options
    if (signal.aborted || !this.#named.has(name) || !this.#versions.has(name)) return
    const fields = { name, detail: reasonOf(error) }
    if (this.#failures.size === 0)
      log.warn(fields, `Cannot read ${titleOf(kind)}; what was read before stays`)
    const failures = (this.#failures.get(name) ?? 0) + 1
    this.#failures.set(name, failures)
    if (isUnwell(error)) this.#postpone()
    void this.#pause(delayMs(failures, error, this.#options.random ?? Math.random))
  }

  /** Whoever asks next would get the same answer. */
  #postpone(): void {
    for (const name of this.#due) if (!this.#failures.has(name)) this.#failures.set(name, 0)
    this.#due.clear()
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isPausing) return
    this.#isPausing = true
    await sleep(ms, this.#options.signal)
    this.#isPausing = false
    for (const name of this.#failures.keys()) if (!this.#reading.has(name)) this.#due.add(name)
    this.#readDue()
  }

  #settle(name: string): void {
    const { log, kind } = this.#options
    if (this.#failures.delete(name) && this.#failures.size === 0)
      log.info({}, `${titleOf(kind)} are read again`)
  }
}

/** No answer, or one that says that it is about all requests. */
function isUnwell(error: unknown): boolean {
  return error instanceof ApiFailure && [0, 429, 503].includes(error.status)
}

function delayMs(failures: number, error: unknown, random: () => number): number {
  const plainMs = Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.mostMs)
  const askedMs = error instanceof ApiFailure ? (error.retryAfterMs ?? 0) : 0
  return Math.max(plainMs, askedMs) * (1 + backoff.jitter * random())
}
