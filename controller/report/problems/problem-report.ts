import type { Problem } from "../../model/problem.ts"
import { problemCatalogue } from "../../model/problems/catalogue.ts"
import type { Log } from "../../support/log.ts"

const levels = { error: "error", warning: "warn", info: "info" } as const

type Levels = Pick<Log, (typeof levels)[keyof typeof levels]>

/** Tells the log about Problems once: when they appear and when they are gone. What stands unchanged from pass to pass is silent. */
export class ProblemReport {
  readonly #log: Levels
  #standing: ReadonlyMap<string, Problem> = new Map()

  constructor(log: Levels) {
    this.#log = log
  }

  /** @param problems all that stand now; the same one twice counts once @returns those that did not stand before */
  update(problems: readonly Problem[]): readonly Problem[] {
    const before = this.#standing
    const now = new Map(problems.map((problem) => [keyOf(problem), problem]))
    this.#standing = now
    const appeared = without(now, before)
    for (const problem of appeared) this.#tell(problem)
    for (const problem of without(before, now)) this.#log.info(fieldsOf(problem), "Problem settled")
    return appeared
  }

  /** As loud as it is bad: what is left out or closed is an error. */
  #tell(problem: Problem): void {
    const { severity, remedy } = problemCatalogue[problem.code]
    this.#log[levels[severity]]({ ...fieldsOf(problem), severity, remedy }, "Problem")
  }
}

function without(
  some: ReadonlyMap<string, Problem>,
  others: ReadonlyMap<string, Problem>,
): readonly Problem[] {
  return [...some].filter(([key]) => !others.has(key)).map(([, problem]) => problem)
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
  const { kind, namespace, name } = object
  return { object: { kind, namespace, name }, field, code, detail: message }
}
