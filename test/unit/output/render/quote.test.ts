import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { quote, quoteWithVariables } from "../../../../controller/output/render/quote.ts"
import { hostile } from "../../../support/hostile.ts"

describe("quote", () => {
  test.each([
    [8080, "8080"],
    ["/run/wick/nginx.pid", "/run/wick/nginx.pid"],
    ["[::]:80", "[::]:80"],
    ["@location-3f9a0c12", "@location-3f9a0c12"],
    ["", '""'],
    ["a b", '"a b"'],
    ["#no comment", '"#no comment"'],
    ['say "hi";', '"say \\"hi\\";"'],
    ["back\\slash", '"back\\\\slash"'],
    ["two\nlines", '"two\\nlines"'],
  ])("prints %j as %s", (value, printed) => {
    expect(quote(value)).toBe(printed)
  })

  test.each([
    undefined,
    null,
    true,
    Number.NaN,
    {},
    ["a"],
    "$uri",
    "NUL \0",
  ])("does not print %j", (value) => {
    expect(() => quote(value)).toThrow("Cannot print")
  })
})

describe("quoteWithVariables", () => {
  test("keeps variables and quotes always", () => {
    expect(quoteWithVariables('$remote_addr "$request"')).toBe('"$remote_addr \\"$request\\""')
  })
})

describe("whatever the text", () => {
  test("what is printed is one argument that reads as the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile)), (text) => {
        fc.pre(!text.includes("\0"))
        expect(readArguments(`${quoteWithVariables(text)};`)).toEqual([text])
        if (!text.includes("$")) expect(readArguments(`${quote(text)};`)).toEqual([text])
      }),
      { numRuns: 2000 },
    )
  })
})

/** nginx's reader, from its documentation and source (ngx_conf_read_token), for one directive without a block. */
function readArguments(line: string): string[] {
  const found: string[] = []
  let at = 0
  while (line[at] !== ";") {
    const quoteMark = line[at] === '"' || line[at] === "'" ? line[at] : undefined
    if (quoteMark) at += 1
    let text = ""
    while (quoteMark ? line[at] !== quoteMark : !/[\s;{]/.test(line[at] ?? ";")) {
      const pair = { "\\\\": "\\", '\\"': '"', "\\'": "'", "\\n": "\n", "\\r": "\r", "\\t": "\t" }[
        line.slice(at, at + 2)
      ]
      text += pair ?? line[at]
      at += pair ? 2 : 1
      if (at >= line.length) throw new Error(`"${line}" does not end`)
    }
    found.push(text)
    if (quoteMark) at += 1
  }
  if (at !== line.length - 1) throw new Error(`"${line}" goes on after its end`)
  return found
}
