// Instructions counted by valgrind.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

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

/** What callgrind counted in all, after the process has ended. */
export function totalIn(out: string): number {
  return Number(/^(?:summary|totals): (\d+)/m.exec(readFileSync(out, "utf8"))?.[1])
}

export function needValgrind(): void {
  try {
    execFileSync("valgrind", ["--version"], { stdio: "ignore" })
  } catch {
    process.stderr.write("This benchmark needs valgrind: run 'apt-get install valgrind', then try again\n")
    process.exit(1)
  }
}
