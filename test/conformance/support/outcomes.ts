// What Go's tests print, read as what came of each of the conformance tests.

/** Of one test of the suite, with all that it is made of. */
export interface Outcome {
  readonly test: string
  readonly state: "passed" | "failed" | "skipped"
  /** why it failed, in the words of the suite */
  readonly cause?: string
}

const states = { PASS: "passed", FAIL: "failed", SKIP: "skipped" } as const

/** What all tests need failed: none of them has run. */
const setup = "setup"

/** @param output of `-test.v` */
export function outcomesIn(output: string, hasFailed: boolean): Outcome[] {
  const said = new Map<string, string[]>()
  const outcomes: Outcome[] = []
  let current = setup
  for (const line of output.split("\n")) {
    const speaking = /^=== [A-Z]+ +TestConformance(?:\/([^/\s]+))?/.exec(line)
    const [, word, test] = /^ *--- (PASS|FAIL|SKIP): TestConformance\/([^/\s]+) \(/.exec(line) ?? []
    if (speaking !== null) current = speaking[1] ?? setup
    else if (test !== undefined) outcomes.push(outcomeOf(test, states[word as keyof typeof states], said))
    else said.set(current, [...(said.get(current) ?? []), line.trim()])
  }
  const isExplained = !hasFailed || outcomes.some(({ state }) => state === "failed")
  return isExplained ? outcomes : [outcomeOf(setup, "failed", said), ...outcomes]
}

function outcomeOf(test: string, state: Outcome["state"], said: ReadonlyMap<string, string[]>): Outcome {
  return state === "failed" ? { test, state, cause: causeIn(said.get(test) ?? []) } : { test, state }
}

/** The first thing that was asserted and is not so, with what is said of it; else what was said last. */
function causeIn(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.startsWith("Error Trace:"))
  if (first < 0) return lines.findLast((line) => line !== "") ?? ""
  const block = lines.slice(first)
  const error = block.slice(
    block.findIndex((line) => line.startsWith("Error:")),
    block.findIndex((line) => line.startsWith("Test:")),
  )
  const messages = block.slice(0, 60).find((line) => line.startsWith("Messages:")) ?? ""
  return [...error, messages]
    .map((line) => line.replace(/^(Error|Messages):/, "").trim())
    .filter((line) => line !== "")
    .join(" ")
}
