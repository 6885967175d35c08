import { execFileSync } from "node:child_process"
import { availableParallelism } from "node:os"

/** One half of the machine's cores. */
export type Half = "first" | "second"

/** Has processes, and what they start from now on, run there alone. */
export function runOn(half: Half, ...pids: readonly number[]): void {
  const middle = Math.max(1, Math.floor(availableParallelism() / 2))
  const cores = half === "first" ? `0-${middle - 1}` : `${middle}-${2 * middle - 1}`
  for (const pid of pids) execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores, String(pid)])
}
