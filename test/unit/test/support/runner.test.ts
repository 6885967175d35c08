import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../../support/paths.ts"
import { countCargo, countVitest, type Runner, run } from "../../../support/runner.ts"

const ignore = () => {}

/** Runs a Node script as a part of `npm test`. */
const runScript = (script: string, count?: Runner["count"]) => {
  const command = [process.execPath, "-e", script] as const
  return run({ name: "script", command, ...(count === undefined ? {} : { count }) }, ignore, ignore)
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
    await run(
      { name: "script", command: [process.execPath, "-e", script] },
      (text) => said.push(text),
      ignore,
    )
    expect(said.sort()).toEqual(["to stderr\n", "to stdout\n"])
  })

  test("that is killed has failed", async () => {
    expect(await runScript("process.kill(process.pid, 'SIGKILL')")).toMatchObject({ passed: 0, failed: 1 })
  })

  test("that does not exist has failed", async () => {
    const said: string[] = []
    const outcome = await run(
      { name: "absent", command: ["/nowhere/at-all"] },
      (text) => said.push(text),
      ignore,
    )
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
  const countReport = (text: string) => {
    const dir = mkdtempSync(join(tmpdir(), "wick-report-"))
    const file = join(dir, "report.json")
    writeFileSync(file, text)
    const counts = countVitest(file)
    rmSync(dir, { recursive: true })
    return counts
  }

  test("counts a file that cannot be loaded as a failure", () => {
    const failed = { status: "failed", fullName: "adds up", failureMessages: ["1 is not 2\nat line 3"] }
    const passed = { status: "passed", fullName: "is there", failureMessages: [] }
    const testResults = [
      {
        name: join(root, "test/a.test.ts"),
        status: "failed",
        message: "No such module",
        assertionResults: [],
      },
      { name: join(root, "test/b.test.ts"), status: "failed", assertionResults: [failed] },
      { name: join(root, "test/c.test.ts"), status: "passed", assertionResults: [passed] },
    ]
    expect(countReport(JSON.stringify({ numPassedTests: 1, numFailedTests: 1, testResults }))).toEqual({
      passed: 1,
      failed: 2,
      notes: ["failed: test/a.test.ts: No such module", "failed: test/b.test.ts: adds up: 1 is not 2"],
    })
  })

  test("that is cut off or missing is a failure", () => {
    expect(countReport('{"numPassedTests": 2')).toEqual({ passed: 0, failed: 1 })
    expect(countVitest("/nowhere/report.json")).toEqual({ passed: 0, failed: 1 })
  })
})
