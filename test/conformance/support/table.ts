import type { Outcome } from "./outcomes.ts"

/** A line for each test that did not pass, and how many did what. */
export function table(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome["state"]) => outcomes.filter(({ state }) => state === wanted).length
  const lines = outcomes.flatMap(({ test, state, cause = "" }) =>
    state === "passed" ? [] : [`${state}  ${test}  ${cause}`],
  )
  const counts = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`
  return `${[...lines, counts].join("\n")}\n`
}
