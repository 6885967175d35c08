/** What a pick takes beside the built-in policies: each measured in a process of its own, the best round counts. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../harness/paths.ts"
import { textTable } from "../support/table.ts"
import type { Subject } from "./subject.ts"

const sizes = [10, 100, 1000] as const
const builtIn = ["round_robin", "least_conn", "p2c", "ewma", "chash"] as const

interface Round {
  readonly selectNs: number
  readonly infoNs?: number
}

/** @returns a table, for a terminal */
export async function bench(subject: Subject, picks: number, say: (line: string) => void): Promise<string> {
  const rows: string[][] = []
  const add = async (name: string, measure: (endpoints: number) => Promise<readonly Round[]>) => {
    say(`measuring ${name} …`)
    const cells: string[] = []
    for (const endpoints of sizes) cells.push(nanoseconds(await measure(endpoints)))
    rows.push([name, ...cells])
  }
  await add(subject.name, (endpoints) => measured("lab/policy/measure.ts", [subject.file], endpoints, picks))
  await add("(a policy that does nothing)", (endpoints) =>
    measured("lab/policy/measure.ts", ["nothing"], endpoints, picks),
  )
  for (const name of builtIn) {
    await add(name, (endpoints) => measured("lab/bench/measure.ts", ["picks", name], endpoints, picks))
  }
  return textTable(["ns per pick", ...sizes.map((size) => `${size} endpoints`)], rows)
}

/** The best round: other programs only ever add. */
function nanoseconds(rounds: readonly Round[]): string {
  return String(Math.round(Math.min(...rounds.map(({ selectNs }) => selectNs))))
}

async function measured(
  script: string,
  what: readonly string[],
  endpoints: number,
  picks: number,
): Promise<readonly Round[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, script),
    ...what,
    String(endpoints),
    String(picks),
  ])
  return JSON.parse(stdout) as readonly Round[]
}
