import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../../../harness/paths.ts"
import { type Command, countCargo, readVitest, run } from "../../../run/runner.ts"

const ignore = () => {}

/** Runs a Node script as a part of `npm test`. */
const runScript = (script: string, count?: Command["count"]) => {
  const command = [process.execPath, "-e", script] as const
  return run({ command, ...(count === undefined ? {} : { count }) }, ignore, ignore)
}

describe("a part of npm test", () => {
  test("without counts is one check", async () => {
    expect(await runScript("")).toMatchObject({ passed: 1, failed: 0 })
    expect(await runScript("process.exit(3)")).toMatchObject({ passed: 0, failed: 1 })
  })

  test("that fails though all its tests passed has failed", async () => {
    const script = "console.log('test result: ok. 4 passed; 0 failed; 0 ignored'); process.exit(101)"
    expect(await runScript(script, countCargo)).toMatchObject({ passed: 4, failed: 1 })
  })

  test("shows all that it says as it says it", async () => {
    const said: string[] = []
    const script = "console.log('to stdout'); console.error('to stderr')"
    await run({ command: [process.execPath, "-e", script] }, (text) => said.push(text), ignore)
    expect(said.sort()).toEqual(["to stderr\n", "to stdout\n"])
  })

  test("that is killed has failed", async () => {
    expect(await runScript("process.kill(process.pid, 'SIGKILL')")).toMatchObject({ passed: 0, failed: 1 })
  })

  test("that does not exist has failed", async () => {
    const said: string[] = []
    const outcome = await run({ command: ["/nowhere/at-all"] }, (text) => said.push(text), ignore)
    expect(said.join("")).toContain("ENOENT")
    expect(outcome).toMatchObject({ passed: 0, failed: 1 })
  })
})

test("cargo's result lines are added up", () => {
  const line = (passed: number, failed: number) =>
    `test result: ${failed === 0 ? "ok" : "FAILED"}. ${passed} passed; ${failed} failed; 1 ignored; 0 measured\n`
  expect(countCargo(`running 3 tests\n${line(3, 0)}\n   Doc-tests x\n${line(2, 5)}`)).toEqual({
    passed: 5,
    failed: 5,
  })
})

describe("vitest's report", () => {
  const readReport = (text: string) => {
    const dir = mkdtempSync(join(tmpdir(), "wick-report-"))
    const file = join(dir, "report.json")
    writeFileSync(file, text)
    const results = readVitest(file)
    rmSync(dir, { recursive: true })
    return results
  }

  test("says what came of each file; one that cannot be loaded, or whose hook fails, is a failure", () => {
    const failed = { status: "failed", fullName: "adds up", failureMessages: ["1 is not 2\nat line 3"] }
    const passed = { status: "passed", fullName: "is there", failureMessages: [] }
    const skipped = { status: "skipped", fullName: "is for others", failureMessages: [] }
    const name = (file: string) => join(root, "test", file)
    const testResults = [
      { name: name("a.test.ts"), status: "failed", message: "No such module", assertionResults: [] },
      { name: name("b.test.ts"), status: "failed", message: "", assertionResults: [failed, passed] },
      { name: name("c.test.ts"), status: "passed", assertionResults: [passed, skipped] },
      { name: name("d.test.ts"), status: "failed", message: "In a hook", assertionResults: [passed] },
    ]
    expect(readReport(JSON.stringify({ testResults }))).toEqual([
      { file: "test/a.test.ts", passed: 0, failed: 1, failures: ["No such module"] },
      { file: "test/b.test.ts", passed: 1, failed: 1, failures: ["adds up: 1 is not 2"] },
      { file: "test/c.test.ts", passed: 1, failed: 0, failures: [] },
      { file: "test/d.test.ts", passed: 1, failed: 1, failures: ["In a hook"] },
    ])
  })

  test("that is cut off or missing says nothing", () => {
    expect(readReport('{"testResults": [')).toEqual([])
    expect(readVitest("/nowhere/report.json")).toEqual([])
  })
})
