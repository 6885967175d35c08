import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

export interface WrkOptions {
  readonly port: number
  readonly host: string
  /** Asked for in turn. */
  readonly paths: readonly string[]
  /** Sent in turn; none if empty. */
  readonly cookies: readonly string[]
  readonly seconds: number
  readonly connections: number
  /** The core on which wrk's one thread runs. */
  readonly core: number
}

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

/** Keeps a process on one core. */
export function pin(pid: number, core: number): void {
  execFileSync("taskset", ["-pc", String(core), String(pid)], { stdio: "ignore" })
}

/** Puts load on a loopback port for some seconds, over kept connections. */
export async function wrk(options: WrkOptions): Promise<WrkResult> {
  const dir = mkdtempSync(join(tmpdir(), "wick-wrk-"))
  const script = join(dir, "requests.lua")
  writeFileSync(script, requestsScript(options))
  try {
    const load = ["-t1", `-c${options.connections}`, `-d${options.seconds}s`, "-s", script]
    const url = `http://127.0.0.1:${options.port}`
    const { stdout } = await promisify(execFile)("taskset", ["-c", `${options.core}`, "wrk", ...load, url])
    return result(stdout)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** As many different requests as there are paths or cookies, made before the run and sent in turn. */
function requestsScript({ host, paths, cookies }: WrkOptions): string {
  const texts = Array.from({ length: Math.max(paths.length, cookies.length) }, (_, n) => {
    const cookie = cookies.length === 0 ? "" : `Cookie: ${cookies[n % cookies.length]}\r\n`
    return `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: ${host}\r\n${cookie}\r\n`
  })
  return `local texts = {${texts.map((text) => JSON.stringify(text)).join(", ")}}
local n = 0
function request()
  n = n % #texts + 1
  return texts[n]
end
`
}

function result(output: string): WrkResult {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0)
  const broken =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? []
  const errors =
    number(/Non-2xx or 3xx responses: (\d+)/) + broken.reduce((sum, count) => sum + Number(count), 0)
  return { requests: number(/(\d+) requests in/), errors }
}
