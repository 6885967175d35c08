import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../support/paths.ts"

const listed = readFileSync(join(root, "test/arm64/left-out.txt"), "utf8").trim().split("\n")
const sources = globSync(join(root, "test/nginx/**/*.test.ts")).map((path) => readFileSync(path, "utf8"))

test("what is left out under the emulator has a reason and is a test that exists", () => {
  expect(listed[0]).toMatch(/^# /)
  for (const name of listed.filter((line) => !line.startsWith("#"))) {
    expect(sources.filter((text) => text.includes(`test("${name}"`)).length, name).toBe(1)
  }
})
