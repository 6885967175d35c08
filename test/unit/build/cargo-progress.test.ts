import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"

const dir = mkdtempSync(join(tmpdir(), "wick-cargo-"))
afterAll(() => rmSync(dir, { recursive: true }))

const told = join(dir, "told")
const progressScript = join(root, "build/cargo-progress.sh")

/** What build/cargo-progress.sh prints and how it ends when `script` stands for cargo. */
function runWith(script: string, { secondsBetween = 3600, onTerminal = false } = {}) {
  writeFileSync(join(dir, "cargo"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = {
    ...process.env,
    PATH: `${dir}:${process.env.PATH}`,
    WICK_PROGRESS_SECONDS: `${secondsBetween}`,
  }
  const file = openSync(told, "w")
  const [command, ...parameters] = onTerminal
    ? ["script", "--quiet", "--return", "--flush", "--command", `${progressScript} build`, "/dev/null"]
    : [progressScript, "build"]
  const { status } = spawnSync(command ?? "", parameters, { env, stdio: ["ignore", file, file] })
  closeSync(file)
  return { status, told: readFileSync(told, "utf8") }
}

const bar = `printf '    Building [=> ] 1/9: a\\r    Building [==>] 2/9: b, c(build)  \\r' >&2`
/** Ends as soon as `text` has been told. */
const until = (text: string) =>
  `for attempt in $(seq 1200); do grep -q '${text}' '${told}' && exit; sleep 0.1; done`

test("cargo's own lines about progress are left out, warnings are not", () => {
  const script = `printf '   Compiling a v1\\n    Building [=> ] 1/2: a\\rwarning: unused\\n    Finished\\n' >&2`
  expect(runWith(script)).toEqual({ status: 0, told: "warning: unused\n" })
})

test("a failure is cargo's, with what it said", () => {
  const script = `[ "$1" = build ] && echo 'error: no such crate' >&2; exit 101`
  expect(runWith(script)).toEqual({ status: 101, told: "error: no such crate\n" })
})

test("a line now and then says how far it is", () => {
  const { told } = runWith(`${bar}; ${until(" of 9")}`, { secondsBetween: 1 })
  expect(told).toMatch(/^(wick: compiled 2 of 9 crates, 0 min \d+ s \(b\)\n)+$/)
})

test("on a terminal it is one line, which is gone in the end", () => {
  const { status, told } = runWith(`${bar}; ${until(" of 9")}; exit`, { secondsBetween: 1, onTerminal: true })
  expect(told.replaceAll("\u001b[K", "<erase>")).toMatch(
    /^(\r<erase>wick: compiled 2 of 9 crates, 0 min \d+ s \(b\))+\r<erase>$/,
  )
  expect(status).toBe(0)
})
