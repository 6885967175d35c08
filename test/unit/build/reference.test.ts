import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import { counts, countsTable, withCounts } from "../../../build/reference/counts.ts"
import { pages } from "../../../build/reference/pages.ts"
import { outcomeOfAnnotation, outcomeOfKey } from "../../../build/reference/trial.ts"
import { annotations, plannedAnnotations, plannedByName } from "../../../controller/core/annotations/table.ts"
import { noObjects } from "../../../controller/core/options/key.ts"
import { keys, plannedKeys, unneededKeys } from "../../../controller/core/options/key-table.ts"
import { unusedKeys } from "../../../controller/core/options/keys/unused.ts"
import { root, shared } from "../../../harness/paths.ts"

const knownKeys = new Set<string>([
  ...[...keys, ...plannedKeys, ...unneededKeys].map(({ name }) => name),
  ...unusedKeys,
])

test.each(Object.entries(pages()))("%s is what the tables print", (path, text) => {
  const committed = readFileSync(join(root, path), "utf8")
  expect(committed, "run `npm run docs` and read what it changes").toBe(text)
})

describe("what the reference says", () => {
  test("it says for every annotation that has an effect", () => {
    const page = pages()["docs/reference/annotations.md"] ?? ""
    expect(
      annotations.filter(
        ({ name }) => !new RegExp(`^\\| <a id="${name}"></a>\`(wick.dev/)?${name}\``, "m").test(page),
      ),
    ).toEqual([])
  })

  test("it says for every key that has an effect, and for those that need none", () => {
    const page = pages()["docs/reference/configmap.md"] ?? ""
    expect(
      [...keys, ...unneededKeys].filter(
        ({ name }) => !page.includes(`\n| <a id="${name}"></a>\`${name}\` |`),
      ),
    ).toEqual([])
  })

  test("the defaults of keys as they are", () => {
    const plain = keys.flatMap(({ name, parse, initial, default: written, shownDefault = written }) => {
      const text = shownDefault.replaceAll("`", "")
      const parsed = /^[\w./ -]+$/.test(text) ? parse(text, noObjects) : undefined
      return parsed?.kind === "value"
        ? [{ name, said: parsed.value as unknown, initial: initial as unknown }]
        : []
    })
    expect(plain.length).toBeGreaterThan(20)
    expect(plain.filter(({ said, initial }) => !isDeepStrictEqual(said, initial))).toEqual([])
  })
})

describe("whether a change reloads is tried out", () => {
  test("with numbers and redirects, which are data", () => {
    expect(outcomeOfAnnotation({ name: "proxy-read-timeout", example: "7" })).toBe("post")
    expect(outcomeOfKey({ name: "load-balance", example: "ewma" })).toBe("post")
  })

  test("with what nginx takes from its configuration alone", () => {
    expect(outcomeOfAnnotation({ name: "proxy-http-version", example: "1.0" })).toBe("reload")
    expect(outcomeOfKey({ name: "keep-alive", example: "7" })).toBe("reload")
  })

  test("with every example, which must be one that is taken", () => {
    for (const entry of annotations) outcomeOfAnnotation(entry)
    for (const entry of keys) outcomeOfKey(entry)
  })

  test("with no example that is a mistake", () => {
    expect(() => outcomeOfAnnotation({ name: "proxy-read-timeout", example: "7s" })).toThrow(
      "without a unit, as in 7",
    )
    expect(() => outcomeOfKey({ name: "keep-alive", example: "7s" })).toThrow("its default applies")
  })
})

describe("the counts", () => {
  const totals = counts.map(({ effective, unneeded, planned }) => effective + unneeded + planned)

  test("are of all that ingress-nginx has", () => {
    expect(totals).toEqual([136, 193, 72])
  })

  test("are printed between the marks, whatever stood there, and nothing else is changed", () => {
    const page = (between: string) => `# a\n\n<!-- counts -->\n${between}<!-- /counts -->\n\nb\n`
    expect(withCounts(page("old\n"))).toBe(page(`\n${countsTable("docs/reference/")}\n\n`))
    expect(withCounts("no marks")).toBe("no marks")
  })
})

const facts = join(shared, "spec")

type Annotations = readonly { name: string; scope: string; risk: string; aliases: string[] }[]

describe.skipIf(!existsSync(facts))("of what ingress-nginx knows", () => {
  const namesIn = (file: string, field: string): string[] =>
    JSON.parse(readFileSync(join(facts, file), "utf8")).map((row: Record<string, string>) => row[field])

  test("every annotation has an entry or is known by name", () => {
    const names = namesIn("annotations.json", "name").map((name) => name.split("/")[1] ?? "")
    const entries = new Set(annotations.map(({ name }) => name))
    const without = names.filter((name) => !entries.has(name))
    console.info(`${without.length} of ${names.length} annotations have no entry: ${without.join(", ")}`)
    expect(without.filter((name) => !plannedByName.has(name))).toEqual([])
  })

  test("risk and deprecated names of annotations are those of ingress-nginx, and the scope except for whole servers", () => {
    const plain = (name: string) => name.split("/")[1] ?? ""
    const theirs = JSON.parse(readFileSync(join(facts, "annotations.json"), "utf8")) as Annotations
    const all = [...annotations, ...plannedAnnotations]
    const ours = theirs.map(({ name }) => all.find((entry) => entry.name === plain(name)))
    // no text of these snippets reaches nginx.conf, as it does there
    const riskOf = (entry: (typeof all)[number] | undefined) =>
      entry?.risk === "parsed" ? "critical" : entry?.risk
    expect(ours.map((entry) => [entry?.name, riskOf(entry), entry?.aliases ?? []])).toEqual(
      theirs.map(({ name, risk, aliases }) => [plain(name), risk, aliases.map(plain)]),
    )
    const scopes = theirs.map(({ scope }, at) => (ours[at]?.scope === "server" ? "server" : scope))
    expect(ours.map((entry) => entry?.scope)).toEqual(scopes)
  })

  test("every key has an entry or is known by name", () => {
    const names = namesIn("configmap.json", "key").filter((name) => name !== "(general)")
    const entries = new Set<string>([
      ...keys.map(({ name }) => name),
      ...unneededKeys.map(({ name }) => name),
    ])
    const without = names.filter((name) => !entries.has(name))
    console.info(`${without.length} of ${names.length} keys have no entry: ${without.join(", ")}`)
    expect(without.filter((name) => !knownKeys.has(name))).toEqual([])
  })
})
