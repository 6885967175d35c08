// `npm run bench:balancer` in a tiny size: every measurement runs and what it says is possible. Times are not judged here.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../harness/paths.ts"
import { emptyCallback } from "../../lab/bench/empty.ts"
import { doubtAbout, text } from "../../lab/bench/report.ts"
import type { Results } from "../../lab/bench/results.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-bench-"))
afterAll(() => rmSync(folder, { recursive: true }))

let table = ""
let results: Results
const main = join(root, "lab/bench/main.ts")
const file = (name: string) => readFileSync(join(folder, name), "utf8")
const of = (name: string) => results.subjects.find(({ subject }) => subject.name === name)

beforeAll(() => {
  const tiny = ["--only", "round_robin,ewma,chash", "--sizes", "1,10", "--picks", "2000", "--repeats", "1"]
  table = execFileSync(nodeBinary, [main, ...tiny, "--out", folder], { encoding: "utf8", stdio: "pipe" })
  results = JSON.parse(file("results.json"))
})

test("every figure is there and possible", () => {
  for (const { timed, sized } of results.subjects) {
    expect(timed.map(({ endpoints }) => endpoints)).toEqual([1, 10])
    for (const { wholeNs, medianNs, hostNs } of timed) {
      expect(wholeNs).toBeGreaterThan(0)
      expect(hostNs).toBeGreaterThan(0)
      expect(medianNs).toBeGreaterThanOrEqual(wholeNs)
    }
    expect(sized).toHaveLength(2)
    for (const { updateNs, bytesPerEndpoint } of sized) {
      expect(updateNs).toBeGreaterThan(0)
      expect(bytesPerEndpoint).toBeGreaterThan(0)
    }
  }
  expect(of("ewma")?.timed.every(({ info }) => info !== undefined)).toBe(true)
  expect(of("round_robin")?.timed.every(({ info }) => info === undefined)).toBe(true)
})

test("what does not depend on time is right", () => {
  const [ordered] = of("round_robin")?.counted ?? []
  expect(ordered).toMatchObject({ endpoints: 10, spread: { picks: 2000, excess: 0, chiSquare: 0 } })
  const [hashed] = of("chash")?.counted ?? []
  expect(hashed?.moved).toMatchObject({ removedNeedlessly: 0, addedNeedlessly: 0 })
  expect(hashed?.moved?.removed).toBeGreaterThan(0.02)
  expect(hashed?.moved?.removed).toBeLessThan(0.3)
})

test("so few picks are said to be too few, and no time is negative", () => {
  const doubt = "With 2,000 picks a round is too short: times are noise. Take 100,000 at least."
  expect(table).toContain(doubt)
  expect(file("report.md")).toContain(doubt)
  expect(doubtAbout(100_000)).toBeUndefined()
  expect(`${table}${file("report.md")}`).not.toMatch(/-\d+(\.\d+)? ns/)
  const [round_robin] = results.subjects
  if (round_robin === undefined) throw new Error("nothing was measured")
  const noise = { ...round_robin, timed: round_robin.timed.map((one) => ({ ...one, filterNs: -3 })) }
  const [title, , row] = text({ ...results, subjects: [noise] })
    .split("\n")
    .slice(2)
  expect(title).toContain("Nanoseconds per pick")
  expect(row).toMatch(/^round_robin +too few picks +too few picks +≤ \S+ +– +– +– /)
})

test("table, report and plots show it", () => {
  expect(table).toContain("Nanoseconds per pick")
  expect(readdirSync(folder)).toEqual(["memory.svg", "pick.svg", "report.md", "results.json", "update.svg"])
  const report = file("report.md")
  for (const name of ["round_robin", "ewma", "chash"]) {
    expect(report).toContain(`| ${name} |`)
    expect(file("pick.svg")).toContain(`>${name}</text>`)
  }
  expect(report).toMatch(/Node v\d+\.\d+\.\d+, commit [0-9a-f]+/)
})

test("an empty callback makes the calls that it was told, with their arguments, in order", () => {
  const made: unknown[] = []
  const calls = [
    { name: "first", args: [1, -1, 127, 128, 0x7fffffff] },
    { name: "second", args: [] },
    { name: "first", args: [-64, -65, 63, 64, -0x80000000] },
  ]
  const witness =
    (name: string) =>
    (...args: number[]) =>
      made.push({ name, args })
  emptyCallback(calls, { first: witness("first"), second: witness("second") })(1)
  expect(made).toEqual(calls)
})
