// Documents that name places in the tree name ones that are there.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { anchorOf } from "../../../build/reference/markdown.ts"
import { getOrMake } from "../../../controller/support/maps.ts"
import { root } from "../../../harness/paths.ts"
import { pages } from "../../support/examples.ts"

const textOf = (path: string) => readFileSync(join(root, path), "utf8")

const known = new Map<string, ReadonlySet<string>>()

/** What a link may name in a page: its headings, as forges make anchors of them, and anchors that are written out. */
function anchorsOf(path: string): ReadonlySet<string> {
  return getOrMake(known, path, () => anchorsIn(path))
}

function anchorsIn(path: string): ReadonlySet<string> {
  const text = textOf(path).replaceAll(/^```.*?^```/gms, "")
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))
  const written = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = ""]) => name)
  return new Set([...headings, ...written])
}

describe.each(pages)("%s", (document) => {
  test("links to files that are there", () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to]) => to ?? "")
    expect(links.filter((to) => !existsSync(join(root, dirname(document), to)))).toEqual([])
  })

  test("links to headings and anchors that are there", () => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const missing = links.filter(([, to = "", name = ""]) => {
      const path = to === "" ? document : join(dirname(document), to)
      return path.endsWith(".md") && existsSync(join(root, path)) && !anchorsOf(path).has(name)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})

test("every decision has a number of its own", () => {
  const numbers = readdirSync(join(root, "docs/decisions")).map((name) => name.slice(0, 4))
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
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
