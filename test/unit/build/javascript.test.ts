// The controller as it is in the image: JavaScript, with the files of its page.
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-javascript-"))
const folders = ["controller", "cli", "ui"]
beforeAll(() => {
  const script = join(root, "build/javascript.ts")
  for (const each of folders)
    execFileSync(nodeBinary, ["--no-warnings", script, join(root, each), join(folder, each)])
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  cpSync(join(root, "package.json"), join(folder, "package.json"))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What the page consists of, each file as text: `assets.js` asked by a Node of its own. */
function assetsOf(checkout: string, extension: string): Record<string, string> {
  const code = `const { loadAssets } = await import(${JSON.stringify(join(checkout, `ui/assets.${extension}`))})
    console.log(JSON.stringify([...await loadAssets()].map(([path, { body }]) => [path, body.toString()])))`
  const out = execFileSync(nodeBinary, ["--no-warnings", "--input-type=module", "--eval", code], {
    encoding: "utf8",
  })
  return Object.fromEntries(JSON.parse(out))
}

test("has no TypeScript, and what is imported is there", () => {
  const files = folders.flatMap((each) =>
    readdirSync(join(folder, each), { recursive: true, encoding: "utf8" }),
  )
  expect(files.filter((file) => file.endsWith(".ts") || file.endsWith("tsconfig.json"))).toEqual([])
  expect(readFileSync(join(folder, "controller/main.js"), "utf8")).not.toMatch(/from "\..*\.ts"/)
  const help = execFileSync(nodeBinary, [join(folder, "controller/main.js"), "ui", "--help"], {
    encoding: "utf8",
  })
  expect(help).toContain("Usage: wick ui")
})

test("its page is that of the checkout", () => {
  expect(assetsOf(folder, "js")).toEqual(assetsOf(root, "ts"))
})
