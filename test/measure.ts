// What each file of the TypeScript tests costs: runs vitest and prints a row for each file, the dearest first, then sums of the folders. Processor
// time is nearly the same on a busy machine, time is not. What vitest itself needs to start and to read TypeScript is in no row.
//
//   build/node test/measure.ts [ARGUMENT OF VITEST…]
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodeBinary, root } from "../harness/paths.ts"
import type { Cost } from "./support/measured.ts"

const columns = "processor s\tseconds\tnginx\tin s\twick\tin s\n"
const temporary = mkdtempSync(join(tmpdir(), "wick-test-measure-"))
const costs = measured(process.argv.slice(2), join(temporary, "costs"))
rmSync(temporary, { recursive: true })

process.stdout.write(`\n${columns}`)
for (const cost of costs.toSorted((a, b) => b.processorSeconds - a.processorSeconds)) print(cost.file, [cost])
process.stdout.write(`\n${columns}`)
for (const [folder, some] of Object.entries(Object.groupBy(costs, folderOf))) print(folder, some ?? [])
print("all", costs)

function measured(args: readonly string[], file: string): readonly Cost[] {
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const env = { ...process.env, WICK_TEST_MEASURE: file }
  const { status } = spawnSync(nodeBinary, [vitest, "run", ...args], { cwd: root, env, stdio: "inherit" })
  process.exitCode = status ?? 1
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Cost)
}

/** test/nginx/path/cors.test.ts → test/nginx/path */
function folderOf({ file }: Cost): string {
  return file.split("/").slice(0, -1).slice(0, 3).join("/")
}

function print(name: string, some: readonly Cost[]): void {
  const sum = (key: "seconds" | "processorSeconds") =>
    some.reduce((all, cost) => all + cost[key], 0).toFixed(1)
  const servers = ["nginx", "wick"].flatMap((program) => {
    const starts = some.flatMap((cost) => cost.starts[program] ?? [])
    return [starts.length, (starts.reduce((all, ms) => all + ms, 0) / 1000).toFixed(1)]
  })
  process.stdout.write(`${[sum("processorSeconds"), sum("seconds"), ...servers, name].join("\t")}\n`)
}
