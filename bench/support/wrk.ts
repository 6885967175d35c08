import { execFile, execFileSync } from "node:child_process"
import { promisify } from "node:util"

export interface WrkResult {
  readonly requests: number
  /** Answers that were not 2xx or 3xx, and broken connections. */
  readonly errors: number
}

/** Ends the process with one sentence when wrk is missing. */
export function needWrk(): void {
  try {
    execFileSync("sh", ["-c", "command -v wrk"], { stdio: "ignore" })
  } catch {
    process.stderr.write("This benchmark needs wrk: run 'apt-get install wrk', then try again\n")
    process.exit(1)
  }
}

/** Puts load on a URL for some seconds, from one thread on the given core. */
export async function wrk(
  url: string,
  host: string,
  seconds: number,
  connections: number,
  core: number,
): Promise<WrkResult> {
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "-H", `Host: ${host}`, url]
  const { stdout } = await promisify(execFile)("taskset", ["-c", String(core), "wrk", ...options])
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
  const broken =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? []
  const errors =
    number(/Non-2xx or 3xx responses: (\d+)/) + broken.reduce((sum, count) => sum + Number(count), 0)
  return { requests: number(/(\d+) requests in/), errors }
}
