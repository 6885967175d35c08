// Runs the tasks of `npm test`: rows side by side, what of each ran and how it went on the terminal, all that the programs say in files.
import type { ChildProcess } from "node:child_process"
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { root } from "../../harness/paths.ts"
import type { Part } from "./parts.ts"
import type { Passed } from "./passed.ts"
import type { Task } from "./plan.ts"
import { type FileResult, type Result, readVitest, run } from "./runner.ts"

/** What came of a part. */
export interface Outcome {
  readonly part: Part
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** of tests by file */
  readonly files: readonly FileResult[]
  /** all that the program said: a path below the checkout */
  readonly log: string
}

export interface Options {
  readonly passed: Passed
  /** Folder of the logs. */
  readonly logs: string
  /** The fingerprints of all items of a part as the sources are now, which somebody may have edited meanwhile. */
  readonly fingerprintsNow: (part: Part) => ReadonlySet<string>
}

const minuteMs = 60_000

export class Run {
  readonly #options: Options
  readonly #reports = mkdtempSync(join(tmpdir(), "wick-test-run-"))
  readonly #children = new Set<ChildProcess>()
  readonly #running = new Set<string>()
  #wasInterrupted = false

  constructor(options: Options) {
    this.#options = options
    rmSync(options.logs, { recursive: true, force: true })
    mkdirSync(options.logs, { recursive: true })
  }

  get wasInterrupted(): boolean {
    return this.#wasInterrupted
  }

  /** From a terminal the signal reaches the programs as well; from elsewhere it has to be passed on. */
  interrupt(signal: NodeJS.Signals): void {
    this.#wasInterrupted = true
    for (const child of this.#children) child.kill(signal)
  }

  async all(rows: readonly (readonly Task[])[]): Promise<readonly Outcome[]> {
    const sign = setInterval(() => say(`       still running: ${[...this.#running].join(", ")}`), minuteMs)
    const outcomes = await Promise.all(rows.map((row) => this.#row(row)))
    clearInterval(sign)
    rmSync(this.#reports, { recursive: true, force: true })
    return outcomes.flat()
  }

  async #row(tasks: readonly Task[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    for (const task of tasks)
      if (!this.#wasInterrupted && task.items.length > 0) outcomes.push(await this.#task(task))
    return outcomes
  }

  async #task(task: Task): Promise<Outcome> {
    const { part } = task
    const name = part.name.replace(/\W+/g, "-").replace(/-$/, "")
    const logFile = join(this.#options.logs, `${name}.log`)
    const report = join(this.#reports, `${name}.json`)
    const files = task.items.flatMap(({ file }) => file ?? [])
    const command = part.kind === "whole" ? part.command : part.command(files, report)
    const log = createWriteStream(logFile)
    this.#running.add(part.name)
    const result = await run(
      command,
      (text) => log.write(text),
      (child) => this.#children.add(child.once("close", () => this.#children.delete(child))),
    )
    this.#running.delete(part.name)
    await new Promise((resolve) => log.end(resolve))
    const outcome = outcomeOf(part, result, part.kind === "files" ? readVitest(report) : [], logFile)
    this.#keep(task, outcome, result.isOk)
    say(lineOf(outcome))
    return outcome
  }

  /** A part that failed as a whole has nothing that passed: what broke it may have broken the others without their knowing. */
  #keep({ part, items }: Task, outcome: Outcome, isOk: boolean): void {
    if (this.#wasInterrupted || part.inputs === undefined) return
    const isTold = outcome.files.some(({ failed }) => failed > 0)
    if (!isOk && !isTold) return
    const now = this.#options.fingerprintsNow(part)
    for (const { file, fingerprint } of items) {
      const passed = passedOf(outcome, file)
      if (passed === undefined || fingerprint === undefined || !now.has(fingerprint)) continue
      this.#options.passed.keep(fingerprint, { name: file ?? part.name, passed, atMs: Date.now() })
    }
  }
}

/** How many tests of the file, or of the part as a whole, passed; `undefined` when one failed or none ran. */
function passedOf(outcome: Outcome, file: string | undefined): number | undefined {
  const { passed, failed } =
    file === undefined
      ? outcome
      : (outcome.files.find((each) => each.file === file) ?? { passed: 0, failed: 1 })
  return failed === 0 ? passed : undefined
}

function outcomeOf(part: Part, result: Result, files: readonly FileResult[], logFile: string): Outcome {
  const { seconds, isOk } = result
  const log = relative(root, logFile)
  if (part.kind === "whole")
    return { part, passed: result.passed, failed: result.failed, seconds, files, log }
  const sum = (key: "passed" | "failed") => files.reduce((total, file) => total + file[key], 0)
  // Without a report nobody knows whether anything ran.
  const isBroken = !isOk || files.length === 0
  const failed = Math.max(sum("failed"), isBroken ? 1 : 0)
  return { part, passed: sum("passed"), failed, seconds, files, log }
}

function lineOf({ part, passed, failed, seconds }: Outcome): string {
  return `${failed === 0 ? "ok    " : "FAILED"} ${part.name}: ${passed} passed, ${failed} failed (${seconds.toFixed(0)} s)`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
