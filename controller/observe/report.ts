import { type Problem, printName } from "../model/problem.ts"
import type { Log } from "./log.ts"

/** Tells the log about Problems once: when they appear and when they are gone. What stands unchanged from pass to pass is silent. */
export class ProblemReport {
  readonly #log: Pick<Log, "warn" | "info">
  #standing: ReadonlyMap<string, Problem> = new Map()

  constructor(log: Pick<Log, "warn" | "info">) {
    this.#log = log
  }

  /** @param problems all that stand now; the same one twice counts once */
  update(problems: readonly Problem[]): void {
    const now = new Map(problems.map((problem) => [keyOf(problem), problem]))
    for (const [key, problem] of now)
      if (!this.#standing.has(key)) this.#log.warn(fieldsOf(problem), "Problem")
    for (const [key, problem] of this.#standing)
      if (!now.has(key)) this.#log.info(fieldsOf(problem), "Problem settled")
    this.#standing = now
  }
}

/** Most Problems are the same objects from pass to pass, and a cluster may have thousands. */
const keys = new WeakMap<Problem, string>()

function keyOf(problem: Problem): string {
  const known = keys.get(problem)
  if (known !== undefined) return known
  const key = JSON.stringify(problem)
  keys.set(problem, key)
  return key
}

function fieldsOf({ object, field, code, message }: Problem) {
  return { object: printName(object), field, code, detail: message }
}
