// Runs one program of `npm test`, and reads how many of its tests passed and failed.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { root } from "../../harness/paths.ts"

export interface Counts {
  readonly passed: number
  readonly failed: number
}

export interface Command {
  readonly command: readonly [string, ...string[]]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Counts the tests in what the program printed. Absent: the program as a whole is one check. */
  readonly count?: (output: string) => Counts
}

export interface Result extends Counts {
  /** The program ended with 0. */
  readonly isOk: boolean
  readonly seconds: number
}

/** Where a program's output goes as it comes. */
export type Show = (text: string) => void

/** Runs it. Never throws; a program that fails without a failed test counts as one failure. */
export async function run(
  command: Command,
  show: Show,
  onStart: (child: ChildProcess) => void,
): Promise<Result> {
  const startedMs = performance.now()
  const { code, output } = await execute(command, show, onStart)
  const counts = command.count?.(output) ?? { passed: code === 0 ? 1 : 0, failed: 0 }
  const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed
  return { isOk: code === 0, passed: counts.passed, failed, seconds: (performance.now() - startedMs) / 1000 }
}

function execute(
  runner: Command,
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

/** What came of one file of tests. */
export interface FileResult extends Counts {
  /** path in the checkout */
  readonly file: string
  /** What its failed tests are called and say, a line each. */
  readonly failures: readonly string[]
}

interface VitestReport {
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

/** Reads vitest's JSON report: nothing when there is none. A file that could not be loaded has no tests and counts as one failure. */
export function readVitest(reportFile: string): readonly FileResult[] {
  try {
    return (JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport).testResults.map(resultOf)
  } catch {
    return []
  }
}

function resultOf({ name, status, message, assertionResults }: VitestFile): FileResult {
  const file = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === "failed")
  const passed = assertionResults.filter((test) => test.status === "passed").length
  const failures = failed.map(
    ({ fullName, failureMessages: [first] = [] }) => `${fullName}: ${firstLine(first)}`,
  )
  // A hook that fails is no test's failure.
  if (status === "failed" && failed.length === 0) failures.push(firstLine(message))
  return { file, passed, failed: failures.length, failures }
}

function firstLine(text = ""): string {
  return stripVTControlCharacters(text).split("\n")[0] ?? ""
}
