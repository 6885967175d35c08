// The suites of this folder under helm-unittest, which renders each template by itself: as tests of other charts' users do. They ask what those of
// ingress-nginx's chart ask; so the names of templates are the same, and what belongs to several is in files that begin with an underscore.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { chart } from "./support/helm.ts"

test("every suite passes", async () => {
  const args = ["--color=false", "--file", "../../test/chart/suites/*_test.yaml", chart]
  const run = promisify(execFile)(join(root, "out/helm-unittest"), args)
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/^Tests: +185 passed, 185 total$/m)
})
