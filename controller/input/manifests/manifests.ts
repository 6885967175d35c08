import { stat } from "node:fs/promises"
import type { FSWatcher } from "chokidar"
import type { Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { sleep } from "../../support/abort.ts"
import { Channel } from "../../support/channel.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import type { Batch, Change, Source } from "../provider/source.ts"
import { Collection } from "./collection.ts"
import { Doubts } from "./doubts.ts"
import { type Reading, readText } from "./files.ts"
import { ParseThread } from "./parse-thread.ts"
import { watchTree } from "./tree.ts"

/** How long a version of a file that lost something has to stand before it counts. */
const settleMs = 50

/** How often the directory itself is looked at, which the watch of its content does not cover, and files that could not be read. */
const lookMs = 500

/** Characters of a file for which others do not wait. */
const largeLength = 64 * 1024

/** Files read at the same time. */
const readers = 16

/**
 * Objects from `*.yaml`, `*.yml` and `*.json` files below a directory, which is watched. What cannot be read is a Problem naming file and line,
 * and what was there before stays. A version of a file that misses something counts once it has stood for 50 ms; any other counts at once.
 */
export function manifestSource(directory: string) {
  return { changes: (signal: AbortSignal) => new Watching(directory, signal).batches() } satisfies Source
}

class Watching {
  readonly #directory: string
  readonly #signal: AbortSignal
  readonly #channel = new Channel<Batch>()
  readonly #doubts = new Doubts(settleMs, (file) => this.#touch(file))
  readonly #touched = new Set<string>()
  readonly #unreadable = new Set<string>()
  readonly #startedMs = Date.now()
  /** objects without creationTimestamp that are there at the start are equally old */
  readonly #collection: Collection
  /** large files that are being read while others are; by name */
  readonly #aside = new Set<string>()
  /** what a reading of several files found so far */
  #found: Change[] = []
  #watcher: FSWatcher | undefined
  #isSynced = false
  #isReading = false

  constructor(directory: string, signal: AbortSignal) {
    this.#directory = directory
    this.#signal = signal
    const now = () => (this.#isSynced ? Date.now() : this.#startedMs)
    this.#collection = new Collection(now, new ParseThread(signal))
  }

  async *batches(): AsyncGenerator<Batch> {
    this.#signal.addEventListener("abort", () => this.#channel.close(), { once: true })
    const opened = await this.#identify()
    if (opened.kind === "gone") throw new Failure("manifests-unreadable", opened.sentence)
    try {
      await this.#open()
      await this.#readTouched()
      yield { changes: this.#foundChanges(), synced: true }
      this.#isSynced = true
      this.#wake()
      void this.#lookAfterDirectory(opened.identity)
      yield* this.#channel
    } finally {
      this.#doubts.clearAll()
      await this.#watcher?.close()
    }
  }

  async #open(): Promise<void> {
    await this.#watcher?.close()
    this.#watcher = await watchTree(this.#directory, {
      touched: (file) => this.#touch(file),
      failed: (error) =>
        this.#complain("watch-failed", `Cannot watch all of ${this.#shown}: ${reasonOf(error)}`),
    })
  }

  #touch(file: string): void {
    this.#touched.add(file)
    if (this.#isSynced) this.#wake()
  }

  /** Reads what was touched and what is touched meanwhile; of one file, a later version never overtakes an earlier one. */
  #wake(): void {
    if (this.#isReading || this.#next().length === 0 || this.#signal.aborted) return
    this.#isReading = true
    void this.#readTouched().then(() => {
      this.#isReading = false
      this.#send(this.#foundChanges())
      this.#wake()
    })
  }

  async #readTouched(): Promise<void> {
    for (let files = this.#next(); files.length > 0 && !this.#signal.aborted; files = this.#next()) {
      for (const file of files) this.#touched.delete(file)
      const readings = await Promise.all(files.map((file) => readText(this.#directory, file)))
      for (const [index, reading] of readings.entries()) {
        const file = files[index] ?? ""
        if (this.#isSynced && isLarge(reading)) this.#takeAside(file, reading)
        else await this.#take(file, reading)
      }
    }
  }

  #foundChanges(): readonly Change[] {
    const found = this.#found
    this.#found = []
    return found
  }

  #next(): readonly string[] {
    return [...this.#touched].filter((file) => !this.#aside.has(file)).slice(0, readers)
  }

  /** Takes a file that may need long, and lets the others go on. */
  #takeAside(file: string, reading: Reading): void {
    this.#aside.add(file)
    void this.#take(file, reading).then(() => {
      this.#aside.delete(file)
      this.#wake()
    })
  }

  async #take(file: string, reading: Reading): Promise<void> {
    this.#unreadable.delete(file)
    switch (reading.kind) {
      case "text":
        return this.#takeText(file, reading.text)
      case "absent":
        return this.#takeAbsence(file)
      case "unreadable":
        this.#unreadable.add(file)
        return this.#tell(this.#collection.keep(file, unreadable(file, reading.reason)))
      default:
        return reading satisfies never
    }
  }

  async #takeText(file: string, text: string): Promise<void> {
    const isKnown = this.#collection.says(file, text)
    const manifest = isKnown ? undefined : await this.#collection.read(file, text)
    if (this.#signal.aborted) return
    const isUnfinished = manifest && (!/[\n}]$/.test(text) || this.#collection.isLess(file, manifest))
    if (this.#isSynced && isUnfinished && !this.#doubts.isSettled(file, text)) return
    this.#doubts.clear(file)
    if (manifest) this.#tell(this.#collection.accept(file, manifest))
  }

  /** Files go with their directory when it is unmounted or replaced, which does not mean that nothing is to be served. */
  async #takeAbsence(file: string): Promise<void> {
    if (!this.#collection.has(file) || !this.#doubts.isSettled(file, undefined)) return
    this.#doubts.clear(file)
    const { kind } = await this.#identify()
    if (kind !== "gone") this.#tell(this.#collection.remove(file))
  }

  /** Tells changes in the order in which they came to count, those of one reading together. */
  #tell(changes: readonly Change[]): void {
    if (this.#isReading || !this.#isSynced) for (const change of changes) this.#found.push(change)
    else this.#send(changes)
  }

  /** Notices that the directory is another one, as when a link is swapped, and reads all of it anew. */
  async #lookAfterDirectory(opened: string): Promise<void> {
    let known = opened
    while (!this.#signal.aborted) {
      const now = await this.#identify()
      if (now.kind === "gone") this.#complain("directory-gone", now.sentence)
      else if (now.identity !== known) await this.#reopen()
      known = now.kind === "gone" ? "" : now.identity
      for (const file of this.#unreadable) this.#touch(file)
      await sleep(lookMs, this.#signal)
    }
  }

  async #reopen(): Promise<void> {
    await this.#open()
    this.#send([{ kind: "problems", origin: this.#directory, problems: [] }])
    for (const file of this.#collection.files()) this.#touch(file)
  }

  async #identify() {
    try {
      const stats = await stat(this.#directory)
      if (stats.isDirectory()) return { kind: "there", identity: `${stats.dev}:${stats.ino}` } as const
      return { kind: "gone", sentence: `Cannot read ${this.#shown}: it is no directory` } as const
    } catch (error) {
      const [reason] = reasonOf(error).split(", stat")
      return { kind: "gone", sentence: `Cannot read ${this.#shown}: ${reason}` } as const
    }
  }

  get #shown(): string {
    return `the directory ${JSON.stringify(this.#directory)} of --manifests`
  }

  #complain(code: ProblemCode, message: string): void {
    const object = { kind: "Directory", namespace: "", name: this.#directory }
    const problem: Problem = { object, field: this.#directory, code, message }
    this.#send([{ kind: "problems", origin: this.#directory, problems: [problem] }])
  }

  #send(changes: readonly Change[]): void {
    if (changes.length > 0) this.#channel.send({ changes, synced: true })
  }
}

function isLarge(reading: Reading): boolean {
  return reading.kind === "text" && reading.text.length > largeLength
}

function unreadable(file: string, reason: string): Problem {
  const object = { kind: "File", namespace: "", name: file }
  return { object, field: file, code: "file-unreadable", message: `Cannot read ${file}: ${reason}` }
}
