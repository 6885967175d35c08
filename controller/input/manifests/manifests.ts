import { stat } from "node:fs/promises"
import { join } from "node:path"
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
import { watchTree } from "./tree.ts"

/** How long a version of a file that lost something has to stand before it counts. */
const settleMs = 50

/** How often the directory itself is looked at, which the watch of its content does not cover, and files that could not be read. */
const lookMs = 500

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
  readonly #collection = new Collection(() => (this.#isSynced ? Date.now() : this.#startedMs))
  #watcher: FSWatcher | undefined
  #isSynced = false
  #isReading = false

  constructor(directory: string, signal: AbortSignal) {
    this.#directory = directory
    this.#signal = signal
  }

  async *batches(): AsyncGenerator<Batch> {
    this.#signal.addEventListener("abort", () => this.#channel.close(), { once: true })
    const opened = await this.#identify()
    if (opened.kind === "gone") throw new Failure("manifests-unreadable", opened.sentence)
    try {
      await this.#open()
      yield { changes: await this.#readTouched(), synced: true }
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

  /** Reads what was touched and what is touched meanwhile, one after the other: a later version never overtakes an earlier one. */
  #wake(): void {
    if (this.#isReading || this.#touched.size === 0 || this.#signal.aborted) return
    this.#isReading = true
    void this.#readTouched().then((changes) => {
      this.#isReading = false
      this.#send(changes)
      this.#wake()
    })
  }

  async #readTouched(): Promise<readonly Change[]> {
    const changes: Change[] = []
    while (this.#touched.size > 0 && !this.#signal.aborted) {
      const files = [...this.#touched].slice(0, readers)
      for (const file of files) this.#touched.delete(file)
      const readings = await Promise.all(files.map((file) => readText(join(this.#directory, file))))
      for (const [index, reading] of readings.entries())
        changes.push(...(await this.#take(files[index] ?? "", reading)))
    }
    return changes
  }

  async #take(file: string, reading: Reading): Promise<readonly Change[]> {
    this.#unreadable.delete(file)
    switch (reading.kind) {
      case "text":
        return this.#takeText(file, reading.text)
      case "absent":
        return this.#takeAbsence(file)
      case "unreadable":
        this.#unreadable.add(file)
        return this.#collection.keep(file, unreadable(file, reading.reason))
      default:
        return reading satisfies never
    }
  }

  async #takeText(file: string, text: string): Promise<readonly Change[]> {
    const isKnown = this.#collection.says(file, text)
    const manifest = isKnown ? undefined : await this.#collection.read(file, text)
    const isUnfinished = manifest && (!/[\n}]$/.test(text) || this.#collection.isLess(file, manifest))
    if (this.#isSynced && isUnfinished && !this.#doubts.isSettled(file, text)) return []
    this.#doubts.clear(file)
    return manifest ? this.#collection.accept(file, manifest) : []
  }

  /** Files go with their directory when it is unmounted or replaced, which does not mean that nothing is to be served. */
  async #takeAbsence(file: string): Promise<readonly Change[]> {
    if (!this.#collection.has(file) || !this.#doubts.isSettled(file, undefined)) return []
    this.#doubts.clear(file)
    const { kind } = await this.#identify()
    return kind === "gone" ? [] : this.#collection.remove(file)
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

function unreadable(file: string, reason: string): Problem {
  const object = { kind: "File", namespace: "", name: file }
  return { object, field: file, code: "file-unreadable", message: `Cannot read ${file}: ${reason}` }
}
