// What others wrote and we ship: its licences allow that, there is little of it twice, and the bills of materials say where it came from.
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { coreRuleSets } from "../../../build/image-bill.ts"
import { billOf, crates, duplicates, isAllowed, noticeOf, npmPackages } from "../../../build/third-party.ts"
import { root } from "../../../harness/paths.ts"

const artifacts = [
  // Two versions each, of which we choose neither: wasmtime, ngx, pino and the Kubernetes client bring them.
  ["nginx-modules", crates(), ["allocator-api2", "cpufeatures", "embedded-io", "hashbrown"]],
  ["launcher", crates("launcher", ["wick-launcher"]), []],
  ["controller", npmPackages(), ["@types/node", "sonic-boom", "undici-types"]],
] as const

test.each([
  ["MIT", true],
  ["MIT OR GPL-3.0", true],
  ["(MIT AND Zlib)", true],
  ["MIT/Apache-2.0", true],
  ["GPL-3.0", false],
  ["MIT AND GPL-3.0", false],
  ["unknown", false],
])("a licence %s is allowed: %s", (license, expected) => {
  expect(isAllowed(license)).toBe(expected)
})

describe.each(artifacts)("%s", (artifact, components, twice) => {
  test("contains only what may be shipped", () => {
    expect(components.length).toBeGreaterThan(artifact === "launcher" ? 2 : 10)
    expect(components.filter(({ license }) => !isAllowed(license))).toEqual([])
  })

  test("contains little twice", () => {
    expect(duplicates(components)).toEqual(twice)
  })

  test("has a bill of materials that names version, origin and hash of everything", () => {
    const bill = billOf(artifact, components) as { components: { purl: string; hashes?: unknown[] }[] }
    expect(bill.components.map(({ purl }) => purl)).toEqual(components.map(({ purl }) => purl))
    expect(bill.components.filter(({ hashes }) => hashes === undefined)).toEqual([])
  })

  test("has notices with the licence's text, where one came with it", () => {
    const without = components.filter((component) => noticeOf(component).split("\n\n").length < 3)
    expect(without.length).toBeLessThan(components.length / 4)
  })
})

test("rules of others in an image are in its bill, with their licence", () => {
  const rules = coreRuleSets(join(root, "out/modsecurity"))
  expect(rules.map(({ purl }) => purl)).toEqual([
    "pkg:golang/github.com/corazawaf/coraza-coreruleset/v4@v4.22.0",
    "pkg:golang/github.com/corazawaf/coraza-coreruleset/v4@v4.25.0",
  ])
  for (const set of rules) expect(noticeOf(set)).toContain("Apache License")
  expect(coreRuleSets(join(root, "out/none"))).toEqual([])
})
