import { once } from "node:events"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Problem } from "../../model/problem.ts"
import type { Document } from "./documents.ts"
import { linesOf, type PerObject } from "./field-lines.ts"
import { isTooLong, maxParseSeconds } from "./limits.ts"
import { formatOf, readValues, tooMuch, type Values } from "./values.ts"

export interface Question {
  readonly document: Document
  readonly file: string
  /** asks for the lines of these fields in the place of the values */
  readonly fields?: PerObject<string>
}

/** A part of the values, or the end of them. */
export type Answer = { readonly values: readonly unknown[] } | { readonly problems: readonly Problem[] }

/** What the thread may still need for the documents of one version of a file. */
export interface Budget {
  leftMs: number
}

/** Characters of a document that is parsed where it is needed, which takes some milliseconds and less than asking the thread. */
const smallLength = 8 * 1024

/** More than `maxDocumentMebibytes` of YAML and `maxFileMebibytes` of JSON need. */
const maxHeapMebibytes = 1024

/** How long the thread waits for the next document; it keeps its memory until then. */
const idleMs = 1000

/**
 * Parses documents, large ones in a thread of its own, one after the other: whatever is in them, the process goes on, and what needs too
 * much time or memory is a Problem. The thread is there while there are large documents.
 */
export class ParseThread {
  readonly #signal: AbortSignal
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  /** @param signal ends the thread; what is asked then has no values */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Never rejects. @param budget of the file; what this document takes is subtracted */
  async read(document: Document, file: string, budget: Budget): Promise<Values> {
    const { text } = document
    if (text.length <= smallLength || isTooLong(text, formatOf(file))) return readValues(document, file)
    return this.#queued({ document, file }, budget)
  }

  /** As `linesOf`; nothing when the document is too long, or would take too much time or memory. Never rejects. */
  async linesOf(
    document: Document,
    file: string,
    fields: PerObject<string>,
    budget: Budget,
  ): Promise<PerObject<number>> {
    // The parser of YAML, which JSON needs only here.
    if (isTooLong(document.text, "YAML")) return []
    if (document.text.length <= smallLength) return linesOf(document, formatOf(file), fields)
    const { values } = await this.#queued({ document, file, fields }, budget)
    return values as PerObject<number>
  }

  #queued(question: Question, budget: Budget): Promise<Values> {
    const answer = this.#last.then(() => this.#timed(question, budget))
    this.#last = answer
    return answer
  }

  async #timed(question: Question, budget: Budget): Promise<Values> {
    const { document, file } = question
    if (budget.leftMs <= 0) return { values: [], problems: [tooMuch(file, document.line, tooSlow)] }
    const startMs = performance.now()
    const values = await this.#ask(question, Math.ceil(Math.min(budget.leftMs, maxParseSeconds * 1000)))
    budget.leftMs -= performance.now() - startMs
    return values
  }

  async #ask(question: Question, maxMs: number): Promise<Values> {
    const { document, file } = question
    const deadline = AbortSignal.timeout(maxMs)
    const signal = AbortSignal.any([this.#signal, deadline])
    clearTimeout(this.#idle)
    try {
      signal.throwIfAborted()
      this.#worker ??= startWorker()
      return await answerOf(this.#worker, question, signal)
    } catch (error) {
      await this.#end()
      const reason = deadline.aborted ? tooSlow : reasonFor(error)
      return { values: [], problems: [tooMuch(file, document.line, reason)] }
    } finally {
      this.#idle = setTimeout(() => void this.#end(), idleMs).unref()
    }
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

function startWorker(): Worker {
  // Beside this file, and what this file is: TypeScript, or in the image JavaScript (build/javascript.ts).
  const file = `./parse-worker${extname(import.meta.filename)}`
  const worker = new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMebibytes },
  })
  worker.on("error", () => {}) // who asked hears of it, too
  worker.unref()
  return worker
}

/** @throws what ended the thread, or the signal */
async function answerOf(worker: Worker, question: Question, signal: AbortSignal): Promise<Values> {
  const values: unknown[] = []
  const end = new AbortController()
  const ended = once(worker, "exit", { signal: AbortSignal.any([signal, end.signal]) })
  const problems = new Promise<readonly Problem[]>((resolve, reject) => {
    const take = (answer: Answer) => {
      if ("values" in answer) values.push(...answer.values)
      else {
        worker.off("message", take)
        resolve(answer.problems)
      }
    }
    worker.on("message", take)
    ended.then(() => reject(new Error("the thread ended")), reject)
  })
  worker.postMessage(question)
  try {
    return { values, problems: await problems }
  } finally {
    end.abort()
  }
}

const tooSlow = "parsing it, or the file up to it, takes too long"

function reasonFor(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return `parsing it takes more than ${maxHeapMebibytes} MiB of memory`
  return "it cannot be parsed"
}
