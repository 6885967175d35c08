// The Gateway API's own conformance tests: some of each profile that take a second or two, and with WICK_TEST_ALL=1 all of them.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { triesAll } from "../support/runs.ts"
import { Rig } from "./support/rig.ts"
import { runSuite } from "./support/suite.ts"
import { table } from "./support/table.ts"

/** Of v1.7.0, without those for a service mesh. */
const countOfAll = 147
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
  const passed = triesAll ? countOfAll : quick.length
  expect(table(outcomes)).toBe(`${passed} passed, 0 failed, 0 skipped\n`)
})
