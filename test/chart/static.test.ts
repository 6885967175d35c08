// The manifests of deploy/static are what the chart prints: `test/chart/run.sh static -u` prints them anew.
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { manifests, printManifest } from "./support/static.ts"

test.each(Object.entries(manifests))("%s", async (name, manifest) => {
  await expect(printManifest(name, manifest)).toMatchFileSnapshot(join(root, "deploy/static", name))
})
