// What the chart makes is what a real API server takes.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ApiServer } from "../cluster/support/api-server.ts"
import { startCluster } from "./support/cluster.ts"
import { DryRun } from "./support/dry-run.ts"
import { renderAll } from "./support/helm.ts"
import { readRows, valuesOf } from "./support/rows.ts"

let server: ApiServer
let dryRun: DryRun
beforeAll(async () => {
  server = await startCluster()
  dryRun = new DryRun(server.admin)
})
afterAll(() => server.stop())

test("with every value", async () => {
  const rows = readRows().filter(({ refused }) => refused === undefined)
  const renderings = renderAll(
    rows.map(({ value, set, given = {} }) => ({
      values: JSON.stringify(valuesOf({ ...given, [value]: set })),
    })),
  )
  const refused = await dryRun.refused(
    renderings.flatMap(({ objects }) => objects.map(({ object }) => object)),
  )
  expect([...refused.values()]).toEqual([])
})
