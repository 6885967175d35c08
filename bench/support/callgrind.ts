// Instructions counted by valgrind.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Client } from "../../harness/ingress/passthrough.ts"
import { isRunning, signal } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

/**
 * The command before that of an nginx without a master. Counts in the event loop only: compiling a filter takes a thousand times as many
 * instructions, and never the same number. JIT code is new code at addresses that valgrind may have seen: it must look again.
 */
export function callgrind(out: string): string[] {
  const loop = ["--collect-atstart=no", "--toggle-collect=ngx_process_events_and_timers"]
  return ["valgrind", "--tool=callgrind", "--smc-check=all-non-file", ...loop, `--callgrind-out-file=${out}`]
}

/** The same for any program, with its start and its end: the difference of two runs has neither. */
export function wholeCallgrind(out: string): string[] {
  return ["valgrind", "--tool=callgrind", `--callgrind-out-file=${out}`]
}

/**
 * Ends an nginx without a master. Under valgrind a signal interrupts nothing: nginx heeds it when something wakes it up. It writes its counts then,
 * which may take long.
 */
export async function quit(pid: number, wake: () => Promise<unknown>): Promise<void> {
  signal(pid, "SIGQUIT")
  const isGone = async () => {
    await wake().catch(() => {})
    return !isRunning(pid)
  }
  await until("nginx to end", isGone, 60_000)
}

/** Wakes an nginx up that waits for connections. */
export async function comeAndGo(port: number): Promise<void> {
  const client = new Client(port)
  client.socket.once("connect", () => client.socket.destroy())
  await client.closed
}

/** What callgrind counted in all, after the process has ended. */
export function totalIn(out: string): number {
  const [, total] = /^(?:summary|totals): (\d+)/m.exec(readFileSync(out, "utf8")) ?? []
  if (total === undefined) throw new Error(`There are no counts in ${out}: the process was killed`)
  return Number(total)
}

/** What one costs, on average: what two runs differ in is neither their start nor their end. @param counted instructions of a run with so many */
export async function perOne(
  few: number,
  many: number,
  counted: (number: number) => Promise<number>,
): Promise<number> {
  const [more, less] = [await counted(many), await counted(few)]
  return (more - less) / (many - few)
}

export function needValgrind(): void {
  try {
    execFileSync("valgrind", ["--version"], { stdio: "ignore" })
  } catch {
    process.stderr.write("This benchmark needs valgrind: run 'apt-get install valgrind', then try again\n")
    process.exit(1)
  }
}
