// The Gateway API's own conformance tests: some of each profile that take a second or two, and with WICK_TEST_ALL=1 all of them.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { triesAll } from "../support/runs.ts"
import { Rig } from "./support/rig.ts"
import { runSuite } from "./support/suite.ts"
import { table } from "./support/table.ts"

/** Of v1.7.0, without those for a service mesh and the one of a feature that is not supported yet. */
const countOfAll = 146
const unsupported = ["BackendTLSPolicySANValidation"]
const quick = [
  "GRPCRouteHeaderMatching",
  "HTTPRouteHTTPSListener",
  "HTTPRouteMatching",
  "HTTPRouteReferenceGrant",
  "ListenerSetHTTPRouting",
  "TCPRouteReferenceGrant",
  "TLSRouteSimpleSameNamespace",
  "UDPRoute",
]

test("wick passes the conformance tests of the Gateway API", { timeout: 3_600_000 }, async () => {
  const folder = join(root, "out/conformance")
  mkdirSync(folder, { recursive: true })
  await using rig = await Rig.start()
  const outcomes = await runSuite({
    kubeconfig: rig.server.adminKubeconfig(),
    tests: triesAll ? [] : quick,
    // The API server goes, and all with it.
    flags: ["-cleanup-base-resources=false"],
    log: join(folder, "test.log"),
  })
  const skipped = triesAll ? unsupported : []
  const lines = skipped.map((name) => `skipped  ${name}  \n`).join("")
  const passed = triesAll ? countOfAll : quick.length
  expect(table(outcomes)).toBe(`${lines}${passed} passed, 0 failed, ${skipped.length} skipped\n`)
})
