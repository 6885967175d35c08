import { describe, expect, test } from "vitest"
import { parseLabelSelector, selects } from "../../../../controller/model/objects/label-selector.ts"

// What is taken, refused and selected here is what an API server answers: test/cluster/objects.test.ts asks one.

const objects: readonly Readonly<Record<string, string>>[] = [
  {},
  { a: "b" },
  { a: "" },
  { a: "5", foo: "bar" },
  { "example.com/a": "b", in: "in" },
]

/** Numbers of the objects that are selected. */
function selected(text: string): readonly number[] {
  const parsed = parseLabelSelector(text)
  if (parsed.kind === "refused") throw new Error(parsed.reason)
  return [...objects.entries()].flatMap(([at, labels]) => (selects(parsed.value, labels) ? [at] : []))
}

describe("a selector", () => {
  test.each<[string, readonly number[]]>([
    ["", [0, 1, 2, 3, 4]],
    [" \t\n", [0, 1, 2, 3, 4]],
    ["a", [1, 2, 3]],
    ["!a", [0, 4]],
    ["! a", [0, 4]],
    ["a=b", [1]],
    ["a == b", [1]],
    ["a=", [2]],
    ["a=,foo", []],
    ["a!=b", [0, 2, 3, 4]],
    ["a!=", [0, 1, 3, 4]],
    ["a in (b,5)", [1, 3]],
    ["a in(b , 5)", [1, 3]],
    ["a in ()", [2]],
    ["a in (b,)", [1, 2]],
    ["a in (,,b,,)", [1, 2]],
    ["a notin (b,5)", [0, 2, 4]],
    ["a notin ()", [0, 1, 3, 4]],
    ["a>4", [3]],
    ["a<6", [3]],
    ["a<05", []],
    ["a,foo=bar", [3]],
    ["example.com/a=b", [4]],
    ["in in (in)", [4]],
    ["in,a notin (notin,in)", [4]],
  ])("%j", (text, expected) => {
    expect(selected(text)).toEqual(expected)
  })

  test("keeps its text", () => {
    expect(parseLabelSelector("a in (b)")).toMatchObject({ value: { text: "a in (b)" } })
  })

  test("names that every object of JavaScript has are no labels", () => {
    expect(selected("constructor")).toEqual([])
    expect(selected("!toString")).toEqual([0, 1, 2, 3, 4])
  })

  test.each([
    [",a", 'write the key of a label at the beginning, not ","'],
    ["a,", 'write the key of a label after ","'],
    ["a,,b", 'write the key of a label after ",", not ","'],
    ["a b", 'write =, ==, !=, in, notin, < or > after "a", not "b"'],
    ["a=b c", 'write a comma or nothing after "b", not "c"'],
    ["!a=b", 'write a comma or nothing after "a", not "="'],
    ["!!a", 'write the key of a label after "!", not "!"'],
    ["a=(b)", 'write a value after "=", not "("'],
    ["a===b", 'write a value after "==", not "="'],
    ["a in b", 'write ( after "in", not "b"'],
    ["a in (b", 'write a comma or ) after "b"'],
    ["a in (b c)", 'write a comma or ) after "b", not "c"'],
    ["a notin", 'write ( after "notin"'],
    ["a>", 'write a whole number after ">"'],
    ["a>b", '"b" is no whole number of 64 bits'],
    ["a>9223372036854775808", "is no whole number"],
    ["a/b/c", '"a/b/c" cannot be the key of a label'],
    ["/a", '"/a" cannot be the key of a label'],
    ["Up/a", '"Up/a" cannot be the key of a label'],
    ["x".repeat(64), "cannot be the key of a label"],
    ["a=-b", '"-b" cannot be the value of a label'],
    [`a=${"x".repeat(64)}`, "cannot be the value of a label"],
    ["a=é", '"é" cannot be the value of a label'],
  ])("%j is refused", (text, reason) => {
    const parsed = parseLabelSelector(text)
    expect(parsed.kind === "refused" && parsed.reason).toContain(reason)
  })
})
