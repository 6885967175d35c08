// What the chart makes is what a real API server takes.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ApiServer } from "../cluster/support/api-server.ts"
import { startCluster } from "./support/cluster.ts"
import { DryRun } from "./support/dry-run.ts"
import { type Job, renderAll } from "./support/helm.ts"
import { readRows, valuesOf } from "./support/rows.ts"

let server: ApiServer
let dryRun: DryRun
beforeAll(async () => {
  server = await startCluster()
  dryRun = new DryRun(server.admin)
})
afterAll(() => server.stop())

async function refused(jobs: readonly Job[]): Promise<string[]> {
  const objects = renderAll(jobs).flatMap((rendering) => rendering.objects.map(({ object }) => object))
  return [...(await dryRun.refused(objects)).values()]
}

test("with every value", async () => {
  const rows = readRows().filter((row) => row.refused === undefined)
  const jobs = rows.map(({ value, set, given = {} }) => ({
    values: JSON.stringify(valuesOf({ ...given, [value]: set })),
  }))
  expect(await refused(jobs)).toEqual([])
})

test("with values files as teams have them", async () => {
  const files = globSync(join(import.meta.dirname, "wild/*.yaml"))
  expect(files.length).toBeGreaterThanOrEqual(10)
  expect(await refused(files.map((file) => ({ values: readFileSync(file, "utf8") })))).toEqual([])
})
