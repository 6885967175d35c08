import { Channel } from "../../support/channel.ts"
import type { Log } from "../../support/log.ts"
import type { NamedKind } from "../provider/source.ts"
import { titleOf } from "./kinds.ts"
import { Names, namespaceOf } from "./names.ts"
import { isAboutAll, Retries } from "./retries.ts"

/** An object as it was read. */
export interface Content {
  readonly version: string
  readonly object: unknown
}

/** How objects are read; names are `namespace/name`. What goes wrong is an error. */
export interface Reading {
  /**
   * @param atLeast the version that was announced: an older one will not do
   * @returns undefined when there is no such object
   */
  readonly one: (name: string, atLeast: string) => Promise<Content | undefined>
  /** Reads all of a namespace, in pages, by their names. */
  readonly all: (namespace: string) => AsyncIterable<ReadonlyMap<string, Content>>
}

export interface NamedObjectsOptions {
  readonly kind: NamedKind
  readonly reading: Reading
  /** whether the first lists are complete: before, nobody knows how many will be named */
  readonly isListed: () => boolean
  readonly log: Pick<Log, "info" | "warn">
  readonly signal: AbortSignal
  /** 0 ≤ value < 1; tests give their own */
  readonly random?: () => number
}

/** What came of reading. */
export type Outcome =
  | { readonly kind: "read"; readonly name: string; readonly asked: string; readonly content?: Content }
  | { readonly kind: "failed"; readonly name: string; readonly error: unknown }
  /** one of those that were read together */
  | { readonly kind: "found"; readonly name: string; readonly content: Content }
  /** all of a namespace have been read. `before`: how many were due there at the beginning; 0 when it went wrong */
  | { readonly kind: "ended"; readonly namespace: string; readonly before: number }

/** What the reader of all this should know of one object from now on; without content it is gone, or of no use any more. */
export interface NamedChange {
  readonly name: string
  readonly content?: Content
}

/** At the same time, of one kind: 32 bring no more. */
const maxAtOnce = 16

/**
 * From so many on, of one namespace, it is worth while to read everything there in pages, if that is at most so many times as much: 10,000
 * Secrets one by one cost 11 s of CPU here and as many requests there, in pages a tenth of it (docs/decisions/0015).
 */
const together = { min: 100, maxTimes: 2 }

/**
 * Objects of a kind of which only the named ones are read. Of the others nothing is kept but name and version, which is what a watch of their
 * metadata announces. Its owner hands in what is announced, what is named and what came of reading, in the order in which it comes;
 * every change of state happens in these calls.
 */
export class NamedObjects {
  readonly #options: NamedObjectsOptions
  readonly #outcomes = new Channel<Outcome>()
  /** as announced, of every object that exists */
  readonly #versions = new Map<string, string>()
  readonly #existing = new Map<string, number>()
  /** of the content that was handed on last */
  readonly #held = new Map<string, string>()
  /** named, announced, and never read so far */
  readonly #missing = new Set<string>()
  readonly #due = new Names()
  readonly #reading = new Set<string>()
  /** namespaces of which everything is being read, or need not be tried to */
  readonly #readTogether = new Map<string, "running" | "useless">()
  readonly #retries: Retries
  #named: ReadonlySet<string> = new Set()

  constructor(options: NamedObjectsOptions) {
    this.#options = options
    const { kind, log, signal, random = Math.random } = options
    const again = (names: Iterable<string>) => this.#askAgain(names)
    this.#retries = new Retries({ title: titleOf(kind), again, log, signal, random })
    signal.addEventListener("abort", () => this.#outcomes.close(), { once: true })
  }

  /** What came of reading, to be handed to `accept`. It ends when the signal aborts. */
  outcomes(): AsyncIterable<readonly Outcome[]> {
    return this.#outcomes.groups()
  }

  /** Whether something that is named exists and has not been read yet. */
  get isMissingAny(): boolean {
    return this.#missing.size > 0
  }

  /** An object exists in this version now, or is gone. */
  announce(name: string, version: string | undefined): readonly NamedChange[] {
    if (this.#versions.has(name) !== (version !== undefined))
      this.#count(name, version === undefined ? -1 : 1)
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

  accept(outcome: Outcome): readonly NamedChange[] {
    const changes = this.#accept(outcome)
    this.#readDue()
    return changes
  }

  #accept(outcome: Outcome): readonly NamedChange[] {
    switch (outcome.kind) {
      case "read":
        this.#reading.delete(outcome.name)
        return this.#take(outcome.name, outcome.asked, outcome.content)
      case "failed":
        this.#reading.delete(outcome.name)
        this.#tryLater(outcome.name, outcome.error)
        return []
      case "found":
        return this.#isDue(outcome.name) ? this.#take(outcome.name, "", outcome.content) : []
      case "ended":
        this.#endTogether(outcome.namespace, outcome.before)
        return []
      default:
        return outcome satisfies never
    }
  }

  #take(name: string, asked: string, content: Content | undefined): readonly NamedChange[] {
    const announced = this.#versions.get(name)
    if (announced === undefined || !this.#named.has(name)) return []
    const changes = content === undefined ? this.#drop(name) : this.#hold(name, content)
    // another version may have been announced meanwhile, and it may be the one that was read
    if (announced === asked || announced === content?.version) this.#due.delete(name)
    else this.#ask(name)
    return changes
  }

  #hold(name: string, content: Content): readonly NamedChange[] {
    this.#retries.settle(name)
    this.#missing.delete(name)
    this.#held.set(name, content.version)
    return [{ name, content }]
  }

  #drop(name: string): readonly NamedChange[] {
    this.#retries.settle(name)
    this.#missing.delete(name)
    this.#due.delete(name)
    return this.#held.delete(name) ? [{ name }] : []
  }

  #ask(name: string): void {
    if (!this.#held.has(name)) this.#missing.add(name)
    this.#due.add(name)
    this.#readDue()
  }

  // === Reading ===

  #readDue(): void {
    if (this.#options.signal.aborted) return
    for (const [namespace, names] of this.#due.namespaces()) {
      if (this.#isWorthAll(namespace)) void this.#readAll(namespace)
      if (this.#readTogether.get(namespace) !== "running") this.#readEach(names)
    }
  }

  #readEach(names: ReadonlySet<string>): void {
    for (const name of names) {
      if (this.#reading.size >= maxAtOnce) return
      if (this.#reading.has(name)) continue // it is looked at again when it has been read
      this.#due.delete(name)
      this.#reading.add(name)
      void this.#readOne(name, this.#versions.get(name) ?? "")
    }
  }

  async #readOne(name: string, asked: string): Promise<void> {
    try {
      const content = await this.#options.reading.one(name, asked)
      this.#outcomes.send({ kind: "read", name, asked, ...(content && { content }) })
    } catch (error) {
      this.#outcomes.send({ kind: "failed", name, error })
    }
  }

  #isWorthAll(namespace: string): boolean {
    const due = this.#due.count(namespace)
    if (due < together.min || this.#readTogether.has(namespace) || !this.#options.isListed()) return false
    return due * together.maxTimes >= (this.#existing.get(namespace) ?? 0)
  }

  /** What is not due is let go with its page. */
  async #readAll(namespace: string): Promise<void> {
    this.#readTogether.set(namespace, "running")
    let before = this.#due.count(namespace)
    try {
      for await (const page of this.#options.reading.all(namespace))
        for (const [name, content] of page)
          if (this.#isDue(name)) this.#outcomes.send({ kind: "found", name, content })
    } catch {
      before = 0
    }
    this.#outcomes.send({ kind: "ended", namespace, before })
  }

  /** What is read alone, or has been since, may be newer than a page. */
  #isDue(name: string): boolean {
    return this.#due.has(name) && !this.#reading.has(name)
  }

  /** Where it brought nothing, each is read alone from now on: that will tell what is wrong. */
  #endTogether(namespace: string, before: number): void {
    if (this.#due.count(namespace) < before) this.#readTogether.delete(namespace)
    else this.#readTogether.set(namespace, "useless")
  }

  #tryLater(name: string, error: unknown): void {
    if (this.#options.signal.aborted || !this.#named.has(name) || !this.#versions.has(name)) return
    this.#retries.failed(name, error)
    if (isAboutAll(error)) this.#retries.postpone(this.#due.takeAll())
  }

  #askAgain(names: Iterable<string>): void {
    for (const name of names) if (!this.#reading.has(name)) this.#due.add(name)
    this.#readDue()
  }

  #count(name: string, by: number): void {
    const namespace = namespaceOf(name)
    const count = (this.#existing.get(namespace) ?? 0) + by
    if (count > 0) this.#existing.set(namespace, count)
    else this.#existing.delete(namespace)
  }
}
