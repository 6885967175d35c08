import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../../model/problem.ts"
import { compareText } from "../../support/order.ts"

/** What sources report, by its origin, as a file of a directory is one. */
export class SourceProblems {
  readonly #byOrigin = new Map<string, readonly Problem[]>()
  #all: readonly Problem[] | undefined

  /** @returns whether anything is different */
  put(origin: string, problems: readonly Problem[]): boolean {
    if (isDeepStrictEqual(this.#byOrigin.get(origin) ?? [], problems)) return false
    if (problems.length > 0) this.#byOrigin.set(origin, problems)
    else this.#byOrigin.delete(origin)
    this.#all = undefined
    return true
  }

  /** In the order of their origins; the same list while nothing is different. */
  all(): readonly Problem[] {
    this.#all ??= [...this.#byOrigin]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([, problems]) => problems)
    return this.#all
  }
}
