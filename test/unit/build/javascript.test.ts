// The controller as it is in the image: JavaScript, with the files of its page.
import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { SourceMap } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nodeBinary, root } from "../../../harness/paths.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-javascript-"))
beforeAll(() => make(folder))
afterAll(() => rmSync(folder, { recursive: true }))

/** As the Dockerfile does; beside it a file that a test asks. */
function make(to: string): void {
  const script = join(root, "build/javascript.ts")
  execFileSync(nodeBinary, ["--no-warnings", script, to, "ui/assets.ts"])
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"))
  cpSync(join(root, "package.json"), join(to, "package.json"))
}

/** What was made: path → text. */
function filesOf(made: string): Record<string, string> {
  const inside = (part: string) => readdirSync(join(made, part), { recursive: true, encoding: "utf8" })
  const paths = ["controller", "ui"].flatMap((part) => inside(part).map((path) => join(part, path)))
  const files = paths.filter((path) => statSync(join(made, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(made, path), "utf8")]))
}

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
  const files = filesOf(folder)
  expect(Object.keys(files).filter((file) => /\.ts$|tsconfig\.json$/.test(file))).toEqual([])
  for (const [file, text] of Object.entries(files)) {
    const imported = [...text.matchAll(/\b(?:from|import\() ?"(\.[^"]*)"/g)].map(([, path = ""]) => path)
    const missing = imported.filter((path) => !existsSync(join(folder, dirname(file), path)))
    expect(missing, file).toEqual([])
  }
})

test("says the same as in a checkout, of manifests too, which a thread of its own reads", () => {
  const manifests = join(folder, "manifests")
  mkdirSync(manifests)
  const ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: a, namespace: 1 }\n"
  writeFileSync(join(manifests, "a.yaml"), ingress)
  const lint = (main: string) => {
    const { status, stdout, stderr } = spawnSync(nodeBinary, [main, "lint", manifests], { encoding: "utf8" })
    return { status, stdout, stderr }
  }
  const said = lint(join(folder, "controller/main.js"))
  expect(said.stdout).toContain("a.yaml:3")
  expect(said).toEqual(lint(join(root, "controller/main.ts")))
})

test("its page is that of the checkout", () => {
  expect(assetsOf(folder, "js")).toEqual(assetsOf(root, "ts"))
})

test("stack traces name files and lines of the checkout", () => {
  const files = filesOf(folder)
  const named = Object.entries(files).filter(([file]) => file.endsWith(".map"))
  const sources = named.flatMap(([file, map]) =>
    (JSON.parse(map).sources as string[]).map((source) => join(dirname(file), source)),
  )
  expect(sources.length).toBeGreaterThan(700)
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])

  const { "controller/main.js": made = "", "controller/main.js.map": map = "" } = files
  const line = made.split("\n").findIndex((each) => each.startsWith("async function look("))
  const origin = new SourceMap(JSON.parse(map)).findEntry(line, 0)
  const source = readFileSync(join(root, "controller/main.ts"), "utf8").split("\n")
  expect(origin).toMatchObject({ originalSource: "main.ts" })
  expect(source["originalLine" in origin ? origin.originalLine : -1]).toMatch(/^async function look\(/)
})

test("is the same each time it is made", () => {
  const again = mkdtempSync(join(tmpdir(), "wick-javascript-"))
  make(again)
  const files = filesOf(again)
  expect(Object.keys(files).length).toBeGreaterThan(100)
  expect(filesOf(folder)).toEqual(files)
  rmSync(again, { recursive: true })
})
