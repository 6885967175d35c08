// What each file of tests costs, for test/measure.ts: vitest runs this before each file where WICK_TEST_MEASURE names a file, which gets a line of JSON.
import { appendFileSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { afterAll, expect } from "vitest"
import { root } from "../../harness/paths.ts"
import { takeStarts } from "../../harness/starts.ts"

/** A file of tests: from its import to its last hook. */
export interface Cost {
  readonly file: string
  readonly seconds: number
  /** user and system, of the process that runs the file, and of all that it has started and that has ended */
  readonly processorSeconds: number
  /** milliseconds until each of the servers was ready */
  readonly starts: Readonly<Record<string, readonly number[]>>
}

const begun = performance.now()
const worked = processorSeconds()

afterAll(() => {
  const cost: Cost = {
    file: relative(root, expect.getState().testPath ?? ""),
    seconds: (performance.now() - begun) / 1000,
    processorSeconds: processorSeconds() - worked,
    starts: takeStarts(),
  }
  appendFileSync(process.env.WICK_TEST_MEASURE ?? "/dev/null", `${JSON.stringify(cost)}\n`)
})

/** Source: proc_pid_stat(5): utime, stime, cutime and cstime, in hundredths. */
function processorSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100
}
