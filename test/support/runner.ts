// One part of `npm test`: a program to run, and how to read from its output how many tests passed and failed.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { relative } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { root } from "./paths.ts"

export interface Counts {
  readonly passed: number
  readonly failed: number
  /** lines about single tests for the summary, which may be all that somebody sees */
  readonly notes?: readonly string[]
}

export interface Runner {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Counts the tests in what the program printed. Absent, or undefined: the program as a whole is one check. */
  readonly count?: (output: string) => Counts | undefined
}

export interface Outcome extends Counts {
  readonly name: string
  readonly seconds: number
}

/** Where a program's output goes as it comes. */
export type Show = (text: string) => void

/** Runs it. Never throws; a program that fails without a failed test counts as one failure. */
export async function run(
  runner: Runner,
  show: Show,
  onStart: (child: ChildProcess) => void,
): Promise<Outcome> {
  const startedMs = performance.now()
  const { code, output } = await execute(runner, show, onStart)
  const counts = runner.count?.(output) ?? (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed
  const seconds = (performance.now() - startedMs) / 1000
  return { name: runner.name, passed: counts.passed, failed, notes: counts.notes ?? [], seconds }
}

function execute(
  runner: Runner,
  show: Show,
  onStart: (child: ChildProcess) => void,
): Promise<{ code: number | null; output: string }> {
  const [program, ...args] = runner.command
  const child = spawn(program, args, {
    cwd: runner.cwd ?? root,
    env: { ...process.env, ...runner.env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  onStart(child)
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
    show(text)
  })
  child.stderr.setEncoding("utf8").on("data", show)
  return new Promise((resolve) => {
    child.on("error", (error) => {
      show(`${program}: ${error.message}\n`)
      resolve({ code: null, output })
    })
    child.on("close", (code) => resolve({ code, output }))
  })
}

/** Adds up the `test result:` lines of `cargo test`, one for each test binary and for the examples in the documentation. */
export function countCargo(output: string): Counts {
  const lines = [...output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm)]
  const sum = (at: number) => lines.reduce((total, line) => total + Number(line[at]), 0)
  return { passed: sum(1), failed: sum(2) }
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly VitestFile[]
}

interface VitestFile {
  readonly name: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly VitestTest[]
}

interface VitestTest {
  readonly status: string
  readonly fullName: string
  readonly failureMessages?: readonly string[]
}

/** Reads vitest's JSON report and removes it. A file that could not be loaded has no tests and counts as one failure. */
export function countVitest(reportFile: string): Counts {
  try {
    const report = JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport
    const broken = report.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      notes: report.testResults.flatMap(notesOf),
    }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(reportFile, { force: true })
  }
}

function notesOf({ name, status, message, assertionResults }: VitestFile): readonly string[] {
  const path = relative(root, name)
  if (status === "failed" && assertionResults.length === 0) return [`failed: ${path}: ${firstLine(message)}`]
  return assertionResults
    .filter((test) => test.status === "failed")
    .map(({ fullName, failureMessages: [first] = [] }) => `failed: ${path}: ${fullName}: ${firstLine(first)}`)
}

function firstLine(text = ""): string {
  return stripVTControlCharacters(text).split("\n")[0] ?? ""
}
