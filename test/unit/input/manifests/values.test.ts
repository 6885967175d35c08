import { describe, expect, test } from "vitest"
import { maxDepth, maxParseMs } from "../../../../controller/input/manifests/limits.ts"
import { ParseThread } from "../../../../controller/input/manifests/parse-thread.ts"
import { readValues } from "../../../../controller/input/manifests/values.ts"
import { patienceMs } from "../../../../harness/until.ts"

const read = (text: string, file = "a.yaml") => readValues({ text, line: 7 }, file)
const codes = (text: string, file?: string) =>
  read(text, file).problems.map(({ field, code }) => `${field} ${code}`)

/** A value that holds others `depth` deep, as block YAML. */
function block(depth: number, indent: string): string {
  return Array.from({ length: depth }, (_, i) => `${indent.repeat(i)}a:\n`).join("")
}

describe("depth", () => {
  const brackets = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

  test.each([
    ["brackets", brackets(maxDepth - 1), brackets(maxDepth + 1)],
    ["block maps", block(maxDepth - 1, " "), block(maxDepth + 2, " ")],
    ["compact lists", `${"- ".repeat(maxDepth - 1)}a`, `${"- ".repeat(maxDepth + 2)}a`],
    ["lists in the column of their key", lists(maxDepth / 2 - 1), lists(maxDepth / 2 + 1)],
  ])("YAML: %s", (_, allowed, refused) => {
    expect(codes(allowed)).toEqual([])
    expect(codes(refused)).toEqual(["a.yaml:7 manifest-too-large"])
  })

  test("JSON", () => {
    expect(codes(brackets(maxDepth), "a.json")).toEqual([])
    expect(codes(brackets(maxDepth + 1), "a.json")).toEqual(["a.json:7 manifest-too-large"])
    expect(codes(JSON.stringify({ a: '"['.repeat(1000) }), "a.json")).toEqual([])
  })

  test.each([
    ["many values beside each other", "- [{a: b}]\n".repeat(1000)],
    ["brackets in a literal text", `a: |\n${"  [[{{\n".repeat(200)}`],
    ["brackets in quotes", `a: "${"[{".repeat(200)}"\nb: '${"[{".repeat(200)}'`],
    ["a literal text far to the right", `a: |\n${" ".repeat(300)}b`],
    ["dashes", `a: ${"x-".repeat(300)}\n# ${"-".repeat(300)}`],
    ["many keys with lists", "a:\n- b: c\n  d:\n  - e\n".replace("a", "a") + keyed(500)],
  ])("%s are not deep", (_, text) => {
    expect(codes(text)).toEqual([])
  })

  function lists(levels: number): string {
    return Array.from({ length: levels }, (_, i) => {
      const indent = "  ".repeat(i)
      return i === 0 ? "a:\n" : `${"  ".repeat(i - 1)}- a:\n${i === levels - 1 ? `${indent}  - b\n` : ""}`
    }).join("")
  }
  function keyed(count: number): string {
    return Array.from({ length: count }, (_, i) => `k${i}:\n- b: [c]\n  d:\n  - e\n`).join("")
  }
})

describe("keys", () => {
  test("a key that is there twice is not YAML, at its line", () => {
    expect(codes("a: 1\nb: {c: 1,\n c: 2}\n")).toEqual(["a.yaml:9 not-yaml"])
    expect(read("a: 1\na: 2").problems[0]?.message).toBe(
      "Text at a.yaml:8 is not YAML: Map keys must be unique",
    )
  })

  test("10,000 are read, in YAML and JSON, and one more is not", () => {
    const keys = (count: number) =>
      JSON.stringify(
        Object.fromEntries(
          Array(count)
            .fill(0)
            .map((_, i) => [i, i]),
        ),
      )
    for (const file of ["a.yaml", "a.json"]) {
      expect(codes(keys(10_000), file)).toEqual([])
      expect(codes(keys(10_001), file)).toEqual([`${file}:7 manifest-too-large`])
    }
  })
})

describe("the thread", () => {
  const text = (length: number) => `a: ${"x".repeat(length)}\n---\n- b\n`
  const pairs = Array.from({ length: 100_000 }, (_, i) => `- k${i}: 1\n`).join("")
  /** The parser compares each key with all before it. */
  const slow = { text: `%YAML 1.1\n---\n!!omap\n${pairs}`, line: 1 }

  test("gives what is given without it, in order", async () => {
    const thread = new ParseThread(new AbortController().signal)
    const documents = [10, 10_000, 20_000].map((length) => ({ text: text(length), line: 1 }))
    const list = { text: JSON.stringify({ kind: "List", items: Array(5000).fill({ kind: "x" }) }), line: 1 }
    for (const document of [...documents, list, { text: `${"x".repeat(9000)}: [`, line: 3 }])
      expect(await thread.read(document, "a.yaml", { leftMs: 60_000 })).toEqual(
        readValues(document, "a.yaml"),
      )
  })

  test("that is ended has no values and one Problem, whatever it is at", async () => {
    const abort = new AbortController()
    const thread = new ParseThread(abort.signal)
    // It would have values in the end, and this timer would come after them if they were parsed here.
    const reading = thread.read(slow, "a.yaml", { leftMs: patienceMs })
    setTimeout(() => abort.abort(), 200)
    const { values, problems } = await reading
    expect([values, problems.map(({ code }) => code)]).toEqual([[], ["manifest-too-large"]])
  })

  test("takes no longer for all documents of a file than the file may", async () => {
    const thread = new ParseThread(new AbortController().signal)
    const budget = { leftMs: 500 }
    for (let at = 0; at < 20; at += 1) {
      const { values, problems } = await thread.read(slow, "a.yaml", budget)
      expect([values, problems]).toEqual([
        [],
        [expect.objectContaining({ code: "manifest-too-large", field: "a.yaml:1" })],
      ])
    }
    expect(Math.max(0, budget.leftMs)).toBe(0)
    const other = { text: text(10_000), line: 1 }
    expect((await thread.read(other, "b.yaml", { leftMs: 60_000 })).problems).toEqual([])
  })
})

test("a file may take as long as one document, and longer the more is in it", () => {
  expect(maxParseMs("")).toBe(20_000)
  expect(maxParseMs("x".repeat(2 ** 20))).toBe(36_000)
})
