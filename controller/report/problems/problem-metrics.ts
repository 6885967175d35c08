import type { Problem } from "../../model/problem.ts"
import type { Declare } from "../../support/declare.ts"

/** Counts the Problems that stand. @returns is told all of them after each pass */
export function problemMetrics(declare: Declare): (standing: readonly Pick<Problem, "code">[]) => void {
  const problems = declare.gauge("wick_problems", "Problems of objects that stand now", ["code"])
  return (standing) => {
    problems.reset()
    for (const [code, { length }] of Map.groupBy(standing, ({ code }) => code)) problems.set({ code }, length)
  }
}
