// What `npm test` runs once everything is built: the checks, and the tests of each language. What passed on this machine with the same inputs does
// not run again, and is counted apart; WICK_TEST_ALL=1 runs everything, with more runs of properties and with tests that take time for what it is.
// `--quick` has the checks and the tests without an nginx; `--changed [REVISION]` what the changes since a revision, HEAD by default, can break.
// Everything runs even when something before it failed. The last line sums it all up.
import { join } from "node:path"
import { root, shared } from "../harness/paths.ts"
import { breaks, changedSince } from "./run/changed.ts"
import {
  cache,
  checks,
  clippy,
  conformance,
  inCluster,
  inImage,
  type Part,
  prepared,
  rust,
  unit,
  withHelm,
  withNginx,
} from "./run/parts.ts"
import { Passed } from "./run/passed.ts"
import { itemsOf, type Known, taskOf } from "./run/plan.ts"
import { Reach } from "./run/reach.ts"
import { Run } from "./run/run.ts"
import { summary } from "./run/summary.ts"
import { surroundingsOf } from "./run/surroundings.ts"
import { treeOf } from "./run/tree.ts"

const [mode, revision = "HEAD"] = process.argv.slice(2)
if (mode !== undefined && mode !== "--quick" && mode !== "--changed")
  throw new Error(`${mode} is not known: --quick, or --changed with a revision`)

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stdout.write("Not root: the image is not tested\n")

/** Side by side; within one of them one after the other. Each waits much of its time, so that three of them fill two cores. */
const rows: readonly (readonly Part[])[] =
  mode === "--quick"
    ? [[...checks, clippy], [{ ...unit, isTest: isQuick }]]
    : [
        rust,
        [prepared, ...checks, unit, withNginx],
        [withHelm, inCluster, conformance, ...(isRoot ? [inImage] : [])],
      ]

function isQuick(path: string): boolean {
  return unit.isTest(path) && !path.startsWith("test/balancer/") && !path.startsWith("test/lab/")
}

const surroundings = surroundingsOf(process.env)
const passed = new Passed(join(cache, "passed"))
passed.prune(Date.now())
const remembered = process.env.WICK_TEST_ALL === "1" ? undefined : passed
const isWanted = mode === "--changed" ? breaks(changedSince(root, revision)) : undefined
const known = knowledge()
const tasks = rows.map((row) => row.map((part) => taskOf(part, itemsOf(part, known), remembered, isWanted)))
const run = new Run({
  passed,
  logs: join(root, "out/test"),
  fingerprintsNow: (part) =>
    new Set(itemsOf(part, knowledge()).flatMap(({ fingerprint }) => fingerprint ?? [])),
})
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => run.interrupt(name))
const outcomes = await run.all(tasks)
for (const line of summary(outcomes, tasks.flat(), run.wasInterrupted)) process.stdout.write(`${line}\n`)
const failed = outcomes.some((outcome) => outcome.failed > 0)
process.exitCode = run.wasInterrupted ? 130 : failed ? 1 : 0

function knowledge(): Known {
  const tree = treeOf(root, shared)
  return { tree, reach: new Reach(tree), surroundings }
}
