// Documents that name places in the tree name ones that are there.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../support/paths.ts"

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "lab/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`),
]
const textOf = (path: string) => readFileSync(join(root, path), "utf8")

describe.each(documents)("%s", (document) => {
  test("links to files that are there", () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) => to ?? "")
    expect(links.filter((to) => !existsSync(join(root, dirname(document), to)))).toEqual([])
  })
})

describe("docs/architecture.md", () => {
  test("names folders and files of the controller that are there", () => {
    const places = [...textOf("docs/architecture.md").matchAll(/`(controller\/[\w./-]+)`/g)]
    const missing = places.map(([, place]) => place ?? "").filter((place) => !existsSync(join(root, place)))
    expect(places.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

describe("docs/glossary.md", () => {
  const terms = [...textOf("docs/glossary.md").matchAll(/\[`(\w+)[^\]]*`\]\(\.\.\/([^)]+\.ts)\)/g)]

  test.each(terms.map(([, name = "", path = ""]) => [name, path]))("%s is a type of %s", (name, path) => {
    expect(textOf(path)).toMatch(new RegExp(`export (interface|type|class) ${name}\\b`))
  })
})
