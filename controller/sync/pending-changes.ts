import { reached } from "../support/stages.ts"

/** While nothing can be brought to nginx, changes come on and on. Those that have waited longest are kept: they say how bad it is. */
const maxPending = 1000

/** When changes came that are not in force yet: from then on somebody waits for each of them. Times are those of `performance.now()`. */
export class PendingChanges {
  #cameMs: number[] = []

  /** Something that is served came to be another. */
  came(nowMs = performance.now()): void {
    reached("came")
    if (this.#cameMs.length < maxPending) this.#cameMs.push(nowMs)
  }

  /** Those that a pass which begins now carries out, the oldest first. */
  take(): readonly number[] {
    const taken = this.#cameMs
    this.#cameMs = []
    return taken
  }

  /** The pass did not get so far. */
  putBack(cameMs: readonly number[]): void {
    this.#cameMs = [...cameMs, ...this.#cameMs].slice(0, maxPending)
  }
}
