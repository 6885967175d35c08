// What tests, benchmarks, the laboratory and the demo share stands in harness/, so that none of them imports another.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { root } from "../../harness/paths.ts"

const folders = ["harness", "bench", "lab", "demo", "build", "test"]

/** Folder → the others that it may import of these. Tests are of everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  harness: [],
  bench: ["harness"],
  lab: ["harness"],
  demo: ["harness"],
  build: ["harness"],
  test: folders,
}

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path)),
)

function importsOf(source: string): string[] {
  const named = readFileSync(join(root, source), "utf8").matchAll(
    /(?:from |import |import\()"(\.{1,2}\/[^"]+)"/g,
  )
  return [...named].map(([, path = ""]) => join(dirname(source), path))
}

const folderOf = (path: string) => relative("", path).split("/")[0] ?? ""

test.each(folders)("%s imports only what it may", (folder) => {
  const own = sources.filter((source) => folderOf(source) === folder)
  const others = folders.filter((other) => other !== folder && !allowed[folder]?.includes(other))
  const wrong = own.flatMap((source) =>
    importsOf(source)
      .filter((target) => others.includes(folderOf(target)))
      .map((target) => `${source} imports ${target}`),
  )
  expect(own.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
})
