// What the process loads before it says anything: a command is asked at three in the morning, on a machine that has other things to do.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../../../harness/paths.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-start-"))
afterAll(() => rmSync(folder, { recursive: true }))
const counting = join(folder, "counting.mjs")
writeFileSync(
  counting,
  `import { registerHooks } from "node:module"
   const urls = []
   registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
   process.on("exit", () => process.stderr.write(JSON.stringify(urls)))`,
)

/** Modules that are no part of Node. */
function loaded(...args: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(
    nodeBinary,
    ["--import", counting, join(root, "controller/main.ts"), ...args],
    { encoding: "utf8" },
  )
  expect(stdout).not.toBe("")
  const urls: readonly string[] = JSON.parse(stderr.slice(stderr.lastIndexOf("[")))
  return urls.filter((url) => url.startsWith("file:"))
}

test.each([
  [["--help"], 20],
  [["version"], 30],
  [["problem"], 35],
  [["--help-flags"], 60],
])("wick %j", (args, most) => {
  const urls = loaded(...args)
  expect(urls.length).toBeLessThanOrEqual(most)
  const libraries = urls
    .map((url) => /\/node_modules\/(.+?)\//.exec(url)?.[1])
    .filter((name) => name !== undefined)
  expect(libraries.filter((name) => !["fastest-levenshtein", "ipaddr.js"].includes(name))).toEqual([])
})
