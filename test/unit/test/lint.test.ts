// The rules of test/lint, by what they refuse. biome.json says where they count.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"

const refused = {
  "no test reads a clock": [
    "const startMs = performance.now()",
    "const before = process.hrtime.bigint()",
    "const { user } = process.cpuUsage()",
    "const spent = cpuSecondsOf(1)",
    "const tookMs = Date.now() - startMs",
    "const leftMs = endMs - Date.now()",
  ],
  "a wait is for something": [
    'import { setTimeout as pause } from "node:timers/promises"',
    "await new Promise((resolve) => setTimeout(resolve, 300))",
    'await until("it to come", () => true, 5000)',
  ],
  "how long others took has no upper bound": [
    "expect(answer.firstByteMs).toBeLessThan(1000)",
    "expect(totalSeconds).toBeLessThanOrEqual(3)",
  ],
  "servers answer once, and let connections wait": [
    "createServer((request, response) => response.end())",
    "createServer(async (_, response) => void response.end())",
    'socket.on("data", () => socket.end("answer"))',
    'socket.on("error", () => {}).on("data", (bytes) => { if (bytes) socket.end() })',
  ],
  "single tests have no bound": [
    'test("it works", () => {}, 60_000)',
    'test.each([1])("%i works", () => {}, 60_000)',
  ],
  "no signal goes to all of the run": [
    'process.kill(wick.nginxPid ?? 0, "SIGKILL")',
    "process.kill(pid, name)",
  ],
  "tests of time are on a list": ['import { timed } from "../support/timed.ts"'],
}
const allowed = [
  'process.kill(process.pid, "SIGSTOP")',
  "process.kill(pid, 0)",
  "createServer({ keepAliveTimeout: keptMs }, (_, response) => response.end())",
  "createServer((socket) => socket.end())",
  'socket.once("data", () => socket.end("answer"))',
  'socket.on("data", () => socket.writableEnded || socket.end("answer"))',
  'test.each([1, 2])("%i is a number", () => {})',
  "const expired = new Date(Date.now() - 1000)",
  'import { setImmediate as turn } from "node:timers/promises"',
  'await until("it to come", () => true, 3 * patienceMs)',
  "setTimeout(() => response.end(), 300)",
  "expect(answer.firstByteMs).toBeGreaterThan(90)",
  "expect(answer.bytes).toBeLessThan(1000)",
]

let dir = ""
let found: readonly string[] = []
const at = (index: number) => `planted-${index}.test.ts`
const lines = [...Object.values(refused).flat(), ...allowed]

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "wick-lint-"))
  mkdirSync(join(dir, "test"))
  const { plugins } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"))
  const absolute = plugins.map((one: { path: string }) => ({ ...one, path: join(root, one.path) }))
  writeFileSync(join(dir, "biome.json"), JSON.stringify({ plugins: absolute }))
  for (const [index, line] of lines.entries()) writeFileSync(join(dir, "test", at(index)), `${line}\n`)
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const { stdout, stderr } = spawnSync(
    nodeBinary,
    [biome, "lint", "--reporter=github", "--max-diagnostics=none", "."],
    { cwd: dir, encoding: "utf8" },
  )
  found = lines.filter((_, index) =>
    `${stdout}${stderr}`
      .split("\n")
      .some((text) => text.includes("title=plugin") && text.includes(at(index))),
  )
})
afterAll(() => rmSync(dir, { recursive: true }))

test.each(Object.entries(refused))("%s", (_, planted) => {
  expect(planted.filter((line) => !found.includes(line))).toEqual([])
})

test("everything else is", () => {
  expect(allowed.filter((line) => found.includes(line))).toEqual([])
})

test("each rule counts", () => {
  const { plugins } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"))
  const files = readdirSync(join(root, "test/lint")).map((file) => `./test/lint/${file}`)
  expect(plugins.map(({ path }: { path: string }) => path).sort()).toEqual(files.sort())
})
