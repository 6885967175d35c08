// `npm run test:conformance [TEST…] [-FLAG…]`: the suite against wick, all of it or single tests. What did not pass is printed with its first cause; all
// that was said and the report are in out/conformance, and after a single test the objects that it left, and the routes in force.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"
import { gatewayObjectsOf, Rig } from "./support/rig.ts"
import { runSuite } from "./support/suite.ts"
import { table } from "./support/table.ts"

const words = process.argv.slice(2)
const tests = words.filter((word) => !word.startsWith("-"))
const folder = join(root, "out/conformance")
const inFolder = (file: string) => join(folder, file)
mkdirSync(folder, { recursive: true })

/** After a single test all stays as it was when it failed. */
const isKept = tests.length === 1
const flags = [
  `-report-output=${inFolder("report.yaml")}`,
  ...(isKept ? ["-cleanup-base-resources=false", "-cleanup-test-resources=false"] : []),
  ...words.filter((word) => word.startsWith("-")),
]

const rig = await Rig.start()
try {
  const kubeconfig = rig.server.adminKubeconfig()
  const outcomes = await runSuite({ kubeconfig, tests, flags, log: inFolder("suite.log") })
  process.stdout.write(table(outcomes))
  process.exitCode = outcomes.every(({ state }) => state === "passed") && outcomes.length > 0 ? 0 : 1
} finally {
  writeFileSync(inFolder("wick.log"), rig.wick.log())
  writeFileSync(inFolder("api-server.log"), rig.server.log())
  if (isKept) {
    writeFileSync(inFolder("nginx.conf"), rig.wick.conf())
    writeFileSync(inFolder("objects.yaml"), await gatewayObjectsOf(rig.server))
    writeFileSync(inFolder("routes.json"), (await rig.wick.control("GET", "/configuration/routes")).body)
  }
  await rig[Symbol.asyncDispose]()
}
