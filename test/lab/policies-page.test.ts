// docs/policies.md: its commands run as they are written, and the policy that it shows is the one that they write.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../support/paths.ts"

const page = readFileSync(join(root, "docs/policies.md"), "utf8")

/** Blocks of a language. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text)

test("the policy on the page is that of the starter", () => {
  expect(blocks("ts")).toEqual([readFileSync(join(root, "policy-as/starter/policy.ts"), "utf8")])
})

test("the commands of the page run one after the other", () => {
  const script = ["set -eu", ...blocks("sh"), "pwd; ls build/simulation"].join("\n")
  const env = { ...process.env, NO_COLOR: "1", NODE_TEST_CONTEXT: undefined }
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).not.toContain("FAILED")
  expect(stdout).toMatch(/^ok {6}is even by weight: /m)
  expect(stdout).toMatch(/^two-choices +\d+\.\d/m)
  expect(stdout).toMatch(/^ns per pick +10 endpoints/m)
  expect(stdout).toContain("/two-choices\nlatency.svg\np99.svg\nreport.md\nresult.json\nshare.svg\n")
})
