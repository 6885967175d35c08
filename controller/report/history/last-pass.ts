import type { Observed } from "../../model/observed.ts"
import type { Problem } from "../../model/problem.ts"

/** The result of the last pass, for the page and metrics. */
export class LastPass {
  #problems: readonly Problem[] = []
  #observed: Observed | undefined
  #ended: { readonly atMs: number; readonly ms: number } | undefined

  /** All that stand. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Absent before anything is in force. */
  get observed(): Observed | undefined {
    return this.#observed
  }

  /** The last one that came through. */
  get ended(): { readonly atMs: number; readonly ms: number } | undefined {
    return this.#ended
  }

  told(problems: readonly Problem[]): void {
    this.#problems = problems
  }

  inForce(observed: Observed): void {
    this.#observed = observed
  }

  passed(ms: number, nowMs = Date.now()): void {
    this.#ended = { atMs: nowMs, ms }
  }
}
