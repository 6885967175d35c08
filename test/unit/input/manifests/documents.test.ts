import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { splitDocuments } from "../../../../controller/input/manifests/documents.ts"
import { ends } from "../../../support/ends.ts"

const values = (text: string): unknown[] =>
  [...parseAllDocuments(text, { logLevel: "silent" })]
    .map((document) => document.toJS())
    .filter((value) => value !== null)
const isReadable = (text: string) =>
  [...parseAllDocuments(text, { logLevel: "silent" })].every(({ errors }) => errors.length === 0)

describe("splitDocuments", () => {
  test.each([
    ["", []],
    ["\n\n# nothing\n---\n# here\n---\n...\n", []],
    ["a: 1\n", [1]],
    ["a: 1\n---\nb: 2\n", [1, 2]],
    ["---\na: 1\n---\n# c\n\n---\nb: 2", [1, 6]],
    ["---\r\na: 1\r\n---\r\nb: 2\r\n", [1, 3]],
    ["--- {a: 1}\n--- # c\nb: 2\n", [1, 2]],
    ["a: |\n  ---\n  b\n", [1]],
    ["a: ---b\n---c: 1\n", [1]],
    ["%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n---\nb: 2\n", [1]],
    ["\uFEFFa: 1\n---\nb: 2\n", [1, 2]],
  ])("%j begins pieces on the lines %j", (text, lines) => {
    expect(splitDocuments(text).map(({ line }) => line)).toEqual(lines)
  })

  test("the pieces hold what the file holds", () => {
    const line = fc.constantFrom(
      "---",
      "--- ",
      "--- # x",
      "...",
      "a: 1",
      "b: [1,",
      "2]",
      "c: |",
      "  text",
      "  ---",
      "# comment",
      "",
      "%YAML 1.2",
      "- x",
      "d: 'q",
      "q'",
      " ---",
      "---x: 1",
    )
    const text = fc
      .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"))
      .map(([lines, eol]) => lines.join(eol))
    fc.assert(
      fc.property(text, (text) => {
        fc.pre(isReadable(text))
        expect(splitDocuments(text).flatMap((piece) => values(piece.text))).toEqual(values(text))
      }),
      { numRuns: 1000 },
    )
  })

  test("every piece begins on the line it names", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("---", "a: 1", "# c", "", "%X")), (lines) => {
        for (const { text, line } of splitDocuments(lines.join("\n")))
          expect(
            lines
              .slice(line - 1)
              .join("\n")
              .startsWith(text),
          ).toBe(true)
      }),
    )
  })

  test("takes time in proportion to the text", () => {
    const text = `${"#".repeat(3_000_000)}\n${" ".repeat(3_000_000)}x\n`
    expect(ends(() => splitDocuments(text))).toHaveLength(1)
  })
})
