// Tests of test/nginx that are left out where they say nothing: each has a reason and exists.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../../harness/paths.ts"

const sources = globSync(join(root, "test/nginx/**/*.test.ts")).map((path) => readFileSync(path, "utf8"))

test.each([
  "arm64/left-out.txt",
  "memory/left-out-asan.txt",
  "memory/left-out-memcheck.txt",
])("%s", (file) => {
  const listed = readFileSync(join(root, "test", file), "utf8")
    .trim()
    .split("\n")
  expect(listed[0]).toMatch(/^# /)
  for (const name of listed.filter((line) => !line.startsWith("#")))
    expect(sources.filter((text) => text.includes(name)).length, name).toBe(1)
})
