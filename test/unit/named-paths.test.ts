// Docs and comments name files, folders and decisions, and nothing tells them when one is moved.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"

const sources = /\.(?:ts|rs|md|sh|py|go|toml|grit)$/
const printed = /^(?:test\/(?:golden|fixtures)\/.*(?<!\.md)|bench\/results\/.*|deploy\/static\/.*)$/
const comment = /(?:^|\s)(?:\/\/[/!]?|#|\*)\s(?<text>.*)/

/** Words that look like a path and are none of this tree: examples, and files of others. */
const others = new Set([
  "build/policy.wasm",
  "demo/app",
  "deploy/ingress-nginx-controller",
  "doc/http-grpc-status-mapping.md",
  "demo/settings",
  "manifests/shop.yaml",
  "nginx/ingress/examples/NAME.rs",
  "pkg/util/webhook/client.go",
  "tools/record/events_cache.go",
])
const isElsewhere = (path: string) => /^(?:out|\.\.)\//.test(path) || others.has(path)

/** What stands in the tree, by any name that a page or a comment may give it. */
class Names {
  readonly #known = new Set<string>()
  readonly #pattern: RegExp

  constructor(files: readonly string[]) {
    for (const file of files) this.#add(file)
    const tops = new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]))
    const file = "(?:[\\w.-]+/)+[\\w.-]+\\.(?:ts|rs|md|sh|py|go|grit|yaml)\\b"
    const below = `(?:${[...tops].join("|").replaceAll(".", "\\.")})/[\\w./-]*\\w(?![\\w./-]*[*{…])`
    this.#pattern = new RegExp(`(?<![\\w./@$~{}<>:-])(?:${file}|${below})`, "g")
  }

  /** In full, from any folder's point of view, and without the ending of a test; folders, and decisions by their numbers. */
  #add(file: string): void {
    const parts = file.split("/")
    for (let at = 0; at < parts.length; at++) this.#known.add(parts.slice(at).join("/"))
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) this.#known.add(folder)
    this.#known.add(file.replace(/\.test\.ts$/, "")).add(file.replace(/^(docs\/decisions\/\d{4}).*/, "$1"))
  }

  /** The paths in a text that lead nowhere. */
  missingIn(text: string): readonly string[] {
    const paths = [...text.matchAll(this.#pattern)].map(([path]) => path)
    return paths.filter((path) => !isElsewhere(path) && !this.#known.has(path.replace(/^\.\//, "")))
  }
}

/** All of a page; of a source the comments alone, each on its line. */
function linesOf(file: string): readonly string[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n")
  return file.endsWith(".md") ? lines : lines.map((line) => comment.exec(line)?.groups?.text ?? "")
}

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
const names = new Names(files)

test("every path that docs and comments name is there", () => {
  const read = files.filter((file) => sources.test(file) && !printed.test(file))
  const missing = read.flatMap((file) =>
    linesOf(file).flatMap((line, at) => names.missingIn(line).map((path) => `${file}:${at + 1}: ${path}`)),
  )
  expect(read.length).toBeGreaterThan(1000)
  expect(missing).toEqual([])
})

test.each([
  "nginx/gone.rs",
  "docs/decisions/9999",
  "test/unit/nowhere",
  "core/translate/gone.ts",
  "controller/gone/",
])("%s would be found", (path) =>
  expect(names.missingIn(`as in ${path}, which`)).toEqual([path.replace(/\/$/, "")]))

test("no two decisions have the same number", () => {
  const numbers = files.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? [])
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})
