import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"

const mark = "WICK_BENCH_NETWORK"

/**
 * Has a benchmark run in a network of its own, where the addresses of pods exist (build/network.sh): comes back there alone.
 *
 * @param file    the benchmark's
 * @param scripts of build/, which make what it needs beside an API server
 */
export function needOwnNetwork(file: string, ...scripts: readonly string[]): void {
  if (process.env[mark] !== undefined) return
  for (const script of ["apiserver.sh", ...scripts])
    execFileSync(join(root, "build", script), { stdio: "inherit" })
  const command = [process.execPath, file, ...process.argv.slice(2)]
  const env = { ...process.env, [mark]: "own" }
  const { status } = spawnSync(join(root, "build/network.sh"), command, { stdio: "inherit", env })
  process.exit(status ?? 1)
}
