import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { root } from "../../../../harness/paths.ts"
import { until } from "../../../../harness/until.ts"
import type { ByFile, Part } from "../../../run/parts.ts"
import { Passed } from "../../../run/passed.ts"
import { type Item, type Task, taskOf } from "../../../run/plan.ts"
import { Run } from "../../../run/run.ts"
import { summary } from "../../../run/summary.ts"

let dir: string
let passed: Passed
let said: string
let edited: boolean
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "wick-run-"))
  passed = new Passed(join(dir, "passed"))
  said = ""
  edited = false
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(dir, { recursive: true })
})

const common = { again: "npm run it", inputs: ["nginx"], made: [] }

const program = (name: string, script: string): Part => ({
  ...common,
  kind: "whole",
  name,
  command: { command: [process.execPath, "-e", script] },
})

/** As vitest does, writes this of each file. */
const files = (results: Readonly<Record<string, "passed" | "failed">>, code = 0): ByFile => ({
  ...common,
  kind: "files",
  name: "tests",
  isTest: () => true,
  command: (_, report) => {
    const testResults = Object.entries(results).map(([file, status]) => ({
      name: join(root, file),
      status,
      assertionResults: [{ status, fullName: `says ${status}`, failureMessages: ["1 is not 2"] }],
    }))
    const script = `require("fs").writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(JSON.stringify({ testResults }))}); process.exit(${code})`
    return { command: [process.execPath, "-e", script] }
  },
})

const items = (...names: readonly string[]): Item[] =>
  names.map((file) => ({ file, inputs: [], fingerprint: `of-${file}` }))
const whole: Item = { inputs: [], fingerprint: "of-whole" }

const start = () =>
  new Run({
    passed,
    logs: join(dir, "logs"),
    fingerprintsNow: () => new Set(edited ? [] : ["of-a", "of-b", "of-whole"]),
  })

async function runAll(...tasks: readonly Task[]) {
  const run = start()
  const outcomes = await run.all([tasks])
  return { outcomes, lines: summary(outcomes, tasks, run.wasInterrupted) }
}

test("what passed is remembered, by file; what failed is not", async () => {
  const part = files({ a: "passed", b: "failed" }, 1)
  const { lines } = await runAll(taskOf(part, items("a", "b"), passed))
  expect(lines).toEqual(["failed: b: says failed: 1 is not 2", "  again: npm run it b", "1 passed, 1 failed"])
  expect(passed.find("of-a")).toMatchObject({ name: "a", passed: 1 })
  expect(passed.find("of-b")).toBeUndefined()
})

test("what did not have to run is told apart, and the last line counts what ran", async () => {
  passed.keep("of-a", { name: "a", passed: 430, atMs: Date.UTC(2026, 10, 25, 12) })
  const { lines } = await runAll(taskOf(files({ b: "passed" }), items("a", "b"), passed))
  expect(lines).toEqual([
    "Unchanged since 25 Nov, not run again: 430 (WICK_TEST_ALL=1 runs them)",
    "1 passed, 0 failed",
  ])
})

test("nothing is remembered of a program that failed though no file of tests did", async () => {
  const { lines } = await runAll(taskOf(files({ a: "passed" }, 1), items("a"), passed))
  expect(lines.at(-1)).toBe("1 passed, 1 failed")
  expect(passed.find("of-a")).toBeUndefined()
})

test("a program that says nothing of its tests has failed", async () => {
  const part: ByFile = { ...files({}), command: () => ({ command: [process.execPath, "-e", ""] }) }
  const { lines } = await runAll(taskOf(part, items("a"), passed))
  expect(lines.at(-1)).toBe("0 passed, 1 failed")
})

test("nothing is remembered of what was edited while it ran", async () => {
  edited = true
  await runAll(taskOf(files({ a: "passed" }), items("a"), passed), taskOf(program("x", ""), [whole], passed))
  expect(passed.find("of-a")).toBeUndefined()
  expect(passed.find("of-whole")).toBeUndefined()
})

test("a program is remembered as a whole, and its log is a file", async () => {
  const ok = taskOf(program("speaks", "console.log('hello')"), [whole], passed)
  const { outcomes, lines } = await runAll(ok)
  expect(outcomes).toMatchObject([{ passed: 1, failed: 0 }])
  expect(lines).toEqual(["1 passed, 0 failed"])
  expect(said).toMatch(/^ok {5}speaks: 1 passed, 0 failed \(\d+ s\)\n$/)
  expect(passed.find("of-whole")).toMatchObject({ name: "speaks", passed: 1 })
})

test("a failure does not keep what comes after it from running", async () => {
  const { outcomes, lines } = await runAll(
    taskOf(program("fails", "process.exit(3)"), [whole], passed),
    taskOf(program("works", ""), [whole], passed),
  )
  expect(outcomes.map(({ failed }) => failed)).toEqual([1, 0])
  expect(lines[0]).toMatch(/^failed: fails: see .*logs\/fails\.log$/)
})

test("the last ten lines say what failed, however much it is", async () => {
  const many = Array.from({ length: 40 }, (_, at) => `f${at}`)
  const part = files(Object.fromEntries(many.map((name) => [name, "failed" as const])), 1)
  const { lines } = await runAll(taskOf(part, items(...many), passed))
  expect(lines).toHaveLength(10)
  expect(lines[8]).toBe("and 36 more: the logs in out/test name them")
})

test("what is interrupted leaves nothing, and the rest does not run", async () => {
  const started = join(dir, "started")
  const script = `require("fs").writeFileSync(${JSON.stringify(started)}, ""); setInterval(() => {}, 1000)`
  const tasks = [
    taskOf(program("waits", script), [whole], passed),
    taskOf(program("next", ""), [whole], passed),
  ]
  const run = start()
  const all = run.all([tasks])
  await until("it to run", () => existsSync(started))
  run.interrupt("SIGTERM")
  const outcomes = await all
  expect(outcomes).toHaveLength(1)
  expect(summary(outcomes, tasks, run.wasInterrupted).slice(-2)[0]).toBe("Interrupted: the rest did not run")
  expect(passed.find("of-whole")).toBeUndefined()
})
