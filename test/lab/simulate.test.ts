// `npm run simulate` as it is called: the same input, the same bytes; a mistake, one sentence.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../harness/paths.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-simulate-"))
afterAll(() => rmSync(folder, { recursive: true }))

const main = join(root, "lab/simulate/main.ts")
const at = (name: string) => join(folder, name)
const run = (...options: string[]) => execFileSync(nodeBinary, [main, ...options], { encoding: "utf8" })
const refusal = (...options: string[]) =>
  spawnSync(nodeBinary, [main, ...options], { encoding: "utf8" }).stderr.trim()

test("the same trace and seed give the same bytes, in the table and in every file", () => {
  const generate = ["--generate", "flapping", "--seconds", "3"]
  run(...generate, "--seed", "5", "--out", at("trace"))
  const simulate = (out: string) =>
    run("--trace", at("trace"), "--policy", "round_robin,chash", "--seed", "5", "--out", at(out))
  const files = (out: string) =>
    readdirSync(at(out)).map((name) => [name, readFileSync(join(at(out), name), "utf8")])
  const [first, second] = [simulate("a"), simulate("b")]
  run(...generate, "--policy", "round_robin,chash", "--seed", "5", "--out", at("c"))
  expect(first.replace("/a/", "/b/")).toBe(second)
  expect(files("a")).toEqual(files("b"))
  expect(files("a")).toEqual(files("c"))
  expect(readdirSync(at("a"))).toEqual(["latency.svg", "p99.svg", "report.md", "result.json", "share.svg"])
})

test("what is wrong is said in one sentence", () => {
  writeFileSync(at("bad"), "{}\n")
  expect(refusal("--generate", "storm", "--out", at("x"))).toMatch(
    /^There is no scenario "storm": choose one of steady, /,
  )
  expect(refusal("--trace", at("bad"), "--policy", "round_robin")).toBe(
    'Cannot read line 1 of the trace: "kind" must be one of "trace"',
  )
  expect(refusal("--trace", at("bad"), "--policy", "best")).toMatch(
    /^There is no policy "best": choose one of round_robin, /,
  )
  expect(refusal("--trace", at("bad"), "--policy", "round_robin+slow-start=soon")).toMatch(
    /^Cannot read "\+slow-start=soon" of a policy: /,
  )
  expect(refusal("--trace", at("bad"), "--policy", "round_robin", "--workers", "0")).toBe(
    '--workers must be a whole number from 1 to 64, not "0"',
  )
})
