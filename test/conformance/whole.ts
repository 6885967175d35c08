// `npm run test:conformance [TEST…] [-FLAG…]`: the suite against wick, all of it or single tests. All that was said is in out/conformance; what failed is
// printed, with the first cause.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"
import type { Outcome } from "./support/outcomes.ts"
import { Rig } from "./support/rig.ts"
import { runSuite } from "./support/suite.ts"

const words = process.argv.slice(2)
const tests = words.filter((word) => !word.startsWith("-"))
const flags = words.filter((word) => word.startsWith("-"))
const folder = join(root, "out/conformance")
mkdirSync(folder, { recursive: true })

const rig = await Rig.start()
try {
  const log = join(folder, "suite.log")
  const outcomes = await runSuite({ kubeconfig: rig.server.adminKubeconfig(), tests, flags, log })
  process.stdout.write(table(outcomes))
  process.exitCode = outcomes.some(({ state }) => state === "failed") || outcomes.length === 0 ? 1 : 0
} finally {
  writeFileSync(join(folder, "wick.log"), rig.wick.log())
  writeFileSync(join(folder, "api-server.log"), rig.server.log())
  await rig[Symbol.asyncDispose]()
}

function table(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome["state"]) => outcomes.filter((outcome) => outcome.state === state).length
  const lines = outcomes.flatMap(({ test, state, cause }) =>
    state === "passed" ? [] : [`${state}  ${test}  ${cause ?? ""}`],
  )
  return `${lines.join("\n")}\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`
}
