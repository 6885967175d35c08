import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { root, shared } from "../../../../harness/paths.ts"
import { breaks } from "../../../run/changed.ts"
import {
  conformance,
  inCluster,
  inImage,
  type Part,
  rust,
  unit,
  withHelm,
  withNginx,
} from "../../../run/parts.ts"
import { Passed } from "../../../run/passed.ts"
import { type Item, itemsOf, taskOf } from "../../../run/plan.ts"
import { Reach } from "../../../run/reach.ts"
import { type Tree, treeOf } from "../../../run/tree.ts"
import { runs } from "../../../support/runs.ts"

const remembered: readonly Part[] = [...rust, withNginx, inCluster, conformance, withHelm, inImage]

let tree: Tree
let reach: Reach
/** Each part's items as they are. */
let present: ReadonlyMap<Part, readonly Item[]>
beforeAll(() => {
  tree = treeOf(root, shared)
  reach = new Reach(tree)
  present = new Map([...remembered, unit].map((part) => [part, items(part)]))
})

const presentOf = (part: Part) => present.get(part) ?? []

const items = (part: Part, of = tree, surroundings = ["node v1"]) =>
  itemsOf(part, { tree: of, reach, surroundings })

/** The checkout with one byte of a file changed. */
const withChanged = (changed: string): Tree => ({
  ...tree,
  read: (path) => (path === changed ? Buffer.concat([tree.read(path), Buffer.from(" ")]) : tree.read(path)),
})

const nameOf = (item: Item, part: Part) => item.file ?? part.name

describe.each(remembered)("$name", (part) => {
  test("a changed byte of an input brings back what depends on it, and nothing else", () => {
    const before = presentOf(part)
    const inputs = [...new Set(before.flatMap((item) => item.inputs))]
    fc.assert(
      fc.property(fc.constantFrom(...inputs), (changed) => {
        const after = items(part, withChanged(changed))
        const again = after.filter((item, at) => item.fingerprint !== before[at]?.fingerprint)
        const concerned = before.filter((item) => item.inputs.includes(changed))
        expect(again.map((item) => nameOf(item, part))).toEqual(concerned.map((item) => nameOf(item, part)))
        expect(again.length).toBeGreaterThan(0)
      }),
      runs(3),
    )
  })

  test("another version of a program brings all of it back", () => {
    const other = items(part, tree, ["node v2"])
    expect(presentOf(part).filter((item, at) => item.fingerprint === other[at]?.fingerprint)).toEqual([])
  })
})

/** What of all tests comes back when this path changes. */
function concerned(path: string): string[] {
  return remembered.flatMap((part) =>
    presentOf(part)
      .filter((item) => breaks([path])(item, part))
      .map((item) => nameOf(item, part)),
  )
}

test("what a change of each folder concerns", () => {
  expect(concerned("docs/differences.md")).toEqual([])
  expect(concerned("bench/results/cluster.md")).toEqual([])
  const ofTemplate = concerned("nginx/templates/http.liquid")
  expect(ofTemplate).toContain("test/nginx/path/redirects.test.ts")
  expect(ofTemplate).toContain("test/cluster/end-to-end.test.ts")
  expect(ofTemplate).not.toContain("test/nginx/wasm/select.test.ts")
  const ofStore = concerned("nginx/kv/src/lib.rs")
  expect(ofStore).toContain("cargo test (rows under loom)")
  expect(ofStore).toContain("rustfmt and clippy")
  expect(ofStore).toContain("test/nginx/wasm/select.test.ts")
  const ofController = concerned("controller/sync/pass.ts")
  expect(ofController).toContain("test/nginx/path/redirects.test.ts")
  expect(ofController).toContain("test/cluster/end-to-end.test.ts")
  expect(ofController).toContain("test/image/traffic.test.ts")
  expect(ofController.filter((name) => name.startsWith("cargo") || name.includes("/wasm/"))).toEqual([])
  const ofChart = concerned("deploy/chart/values.yaml")
  expect(ofChart).toContain("test/chart/values.test.ts")
  expect(ofChart.filter((name) => name.startsWith("test/nginx") || name.startsWith("cargo"))).toEqual([])
})

test("no file of tests is in two parts, and none is in no part", () => {
  const all = [...remembered, unit].flatMap((part) => presentOf(part).flatMap(({ file }) => file ?? []))
  const there = tree.files("test").filter((path) => path.endsWith(".test.ts"))
  expect(all.sort()).toEqual([...there].sort())
})

describe("what passed", () => {
  const dir = mkdtempSync(join(tmpdir(), "wick-passed-"))
  const passed = new Passed(dir)
  afterAll(() => rmSync(dir, { recursive: true }))

  test("does not run again, and is counted", () => {
    const [first] = presentOf(withNginx)
    if (first?.fingerprint === undefined) throw new Error("It has no fingerprint")
    expect(taskOf(withNginx, [first], passed)).toMatchObject({ items: [first], unchanged: [] })
    const pass = { name: "it", passed: 7, atMs: 1 }
    passed.keep(first.fingerprint, pass)
    expect(taskOf(withNginx, [first], passed)).toMatchObject({ items: [], unchanged: [pass] })
    expect(taskOf(withNginx, [first], undefined)).toMatchObject({ items: [first], unchanged: [] })
  })

  test("is forgotten when nobody has asked for two weeks", () => {
    passed.keep("old", { name: "it", passed: 7, atMs: 1 })
    passed.prune(Date.now() + 13 * 86_400_000)
    expect(passed.find("old")).toBeDefined()
    passed.prune(Date.now() + 15 * 86_400_000)
    expect(passed.find("old")).toBeUndefined()
  })
})
