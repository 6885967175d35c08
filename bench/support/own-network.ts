import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../../harness/paths.ts"

const mark = "WICK_BENCH_NETWORK"

/**
 * Has a benchmark run in a network of its own, where the addresses of pods exist (build/network.sh), and with a /run of its own, where a Pod has its
 * account: comes back there alone.
 *
 * @param file    the benchmark's
 * @param scripts of build/, which make what it needs beside an API server
 */
export function needOwnNetwork(file: string, ...scripts: readonly string[]): void {
  if (process.env[mark] !== undefined) return
  for (const script of ["apiserver.sh", ...scripts])
    execFileSync(join(root, "build", script), { stdio: "inherit" })
  const own = ["unshare", "--mount", "sh", "-ec", 'mount -t tmpfs run /run; exec "$@"', "own-run"]
  const command = [...own, process.execPath, file, ...process.argv.slice(2)]
  const env = { ...process.env, [mark]: "own" }
  const { status } = spawnSync(join(root, "build/network.sh"), command, { stdio: "inherit", env })
  process.exit(status ?? 1)
}
