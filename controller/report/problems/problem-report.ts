import { contentOf, type Problem } from "../../model/problem.ts"
import { problemCatalogue } from "../../model/problems/catalogue.ts"
import { middleOf } from "../../support/incremental/middle.ts"
import type { Log } from "../../support/log.ts"
import { setOrDelete } from "../../support/maps.ts"

const levels = { error: "error", warning: "warn", info: "info" } as const

type Levels = Pick<Log, (typeof levels)[keyof typeof levels]>

/**
 * Tells the log about Problems once: when they appear and when they are gone. What stands unchanged from pass to pass is silent, and not looked at
 * again.
 */
export class ProblemReport {
  readonly #log: Levels
  #all: readonly Problem[] = []
  /** how often each of them stands */
  readonly #standing = new Map<string, number>()

  constructor(log: Levels) {
    this.#log = log
  }

  /** @param problems all that stand now; the same one twice counts once @returns those that did not stand before */
  update(problems: readonly Problem[]): readonly Problem[] {
    const { start, endBefore, endAfter } = middleOf(this.#all, problems)
    const [gone, come] = [this.#all.slice(start, endBefore), problems.slice(start, endAfter)]
    this.#all = problems
    const appeared = come.filter((problem) => this.#count(problem, 1) === 1)
    for (const problem of appeared) this.#tell(problem)
    for (const problem of gone)
      if (this.#count(problem, -1) === 0) this.#log.info(fieldsOf(problem), "Problem settled")
    return appeared
  }

  /** @returns how often it stands from now on */
  #count(problem: Problem, more: number): number {
    const content = contentOf(problem)
    const times = (this.#standing.get(content) ?? 0) + more
    setOrDelete(this.#standing, content, times === 0 ? undefined : times)
    return times
  }

  /** As loud as it is bad: what is left out or closed is an error. */
  #tell(problem: Problem): void {
    const { severity, remedy } = problemCatalogue[problem.code]
    this.#log[levels[severity]]({ ...fieldsOf(problem), severity, remedy }, "Problem")
  }
}

function fieldsOf({ object, field, code, message }: Problem) {
  const { kind, namespace, name } = object
  return { object: { kind, namespace, name }, field, code, detail: message }
}
