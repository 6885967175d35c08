// The last lines of `npm test`, which may be all that somebody sees: what failed with the command that runs just that, what did not have to run,
// and the sum.
import type { Task } from "./plan.ts"
import type { Outcome } from "./run.ts"

/** So many files or programs that failed are named; the others are in the logs. */
const maxFailures = 4
/** Longer messages are cut. */
const maxChars = 200

export function summary(
  outcomes: readonly Outcome[],
  tasks: readonly Task[],
  wasInterrupted: boolean,
): string[] {
  const failures = outcomes.filter(({ failed }) => failed > 0).flatMap(failuresOf)
  const more = failures.length - maxFailures
  const sum = (key: "passed" | "failed") => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  return [
    ...failures.slice(0, maxFailures).flatMap(({ what, again }) => [cut(what), `  again: ${again}`]),
    ...(more > 0 ? [`and ${more} more: the logs in out/test name them`] : []),
    ...unchanged(tasks),
    ...(wasInterrupted ? ["Interrupted: the rest did not run"] : []),
    `${sum("passed")} passed, ${sum("failed")} failed`,
  ]
}

interface Failure {
  readonly what: string
  readonly again: string
}

/** A line for each file of tests that failed; for a program that failed as a whole its log. */
function failuresOf({ part, files, log }: Outcome): Failure[] {
  const failed = files.filter((file) => file.failed > 0)
  if (failed.length === 0) return [{ what: `failed: ${part.name}: see ${log}`, again: part.again }]
  return failed.map(({ file, failures: [first = "", ...others] }) => {
    const more = others.length > 0 ? `(and ${others.length} more) ` : ""
    return { what: `failed: ${file}: ${more}${first}`, again: `${part.again} ${file}` }
  })
}

/** "Unchanged since 25 Nov: 430" */
function unchanged(tasks: readonly Task[]): string[] {
  const passes = tasks.flatMap((task) => task.unchanged)
  if (passes.length === 0) return []
  const tests = passes.reduce((total, { passed }) => total + passed, 0)
  const first = new Date(Math.min(...passes.map(({ atMs }) => atMs)))
  const day = first.toLocaleDateString("en-GB", { day: "numeric", month: "short" })
  return [`Unchanged since ${day}, not run again: ${tests} (WICK_TEST_ALL=1 runs them)`]
}

function cut(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)} …` : text
}
