import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Directive, parseNginxSyntax, SyntaxFault } from "../../../../controller/core/snippets/syntax.ts"
import { quote, quoteWithVariables } from "../../../../controller/output/render/quote.ts"
import { hostile } from "../../../support/hostile.ts"

/** What is written, without where. */
function plain({ name, words, block }: Directive): object {
  return { name, words, ...(block && { block: block.map(plain) }) }
}

const words = (text: string) => parseNginxSyntax(`x ${text};`)[0]?.words

describe("nginx's syntax is read as nginx reads it", () => {
  test("directives and blocks", () => {
    expect(parseNginxSyntax("a 1;\nb { c 2 3; } # d;\ne{f{}}").map(plain)).toEqual([
      { name: "a", words: ["1"] },
      { name: "b", words: [], block: [{ name: "c", words: ["2", "3"] }] },
      { name: "e", words: [], block: [{ name: "f", words: [], block: [] }] },
    ])
  })

  test("directives and words have the line and the column where they begin, quotes included", () => {
    const [, block] = parseNginxSyntax("a;\n # b\n  c 'd\ne' f {\n\tg;}")
    expect(block).toMatchObject({ line: 3, column: 3 })
    expect(block?.places).toEqual([
      { line: 3, column: 5, isQuoted: true },
      { line: 4, column: 4, isQuoted: false },
    ])
    expect(block?.block?.[0]).toMatchObject({ name: "g", line: 5, column: 2 })
  })

  test("what is refused says where", () => {
    const fault = (text: string) => {
      try {
        return parseNginxSyntax(text)
      } catch (error) {
        return error instanceof SyntaxFault ? [error.what, error.line, error.column] : error
      }
    }
    expect(fault("a;\n  }")).toEqual(['unexpected "}"', 2, 3])
    expect(fault("a {\n b }")).toEqual(['"b" has no end', 2, 2])
    expect(fault(' "a')).toEqual(["a quote has no end", 1, 2])
  })

  test("quotes hold what would end a word", () => {
    expect(words(`"a b;{}#'" 'c"\n'`)).toEqual(["a b;{}#'", 'c"\n'])
    expect(words('"" a')).toEqual(["", "a"])
  })

  test("quotes, braces and hashes inside a word are a part of it", () => {
    expect(words(`a"b c#d e}f`)).toEqual([`a"b`, "c#d", "e}f"])
  })

  test("a backslash takes the next character with it", () => {
    expect(words(String.raw`a\;b "\"\\\n\d" \{`)).toEqual([String.raw`a\;b`, '"\\\n\\d', "\\{"])
  })

  test("the brace of a variable begins no block", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nginx's own
    expect(words("a${b}c $d")).toEqual(["a${b}c", "$d"])
    expect(parseNginxSyntax("a $b{}").map(plain)).toEqual([{ name: "a", words: ["$b"], block: [] }])
  })

  test.each([
    ["a", "ends in a word"],
    ["a b", "ends in a word"],
    ["a\\", "ends in a word"],
    ["a; \\", "ends in a word"],
    ["a \\\\\\", "ends in a word"],
    ['a "b\\', "a quote has no end"],
    ['a "b', "a quote has no end"],
    ['a "b"c;', "no blank after a quote"],
    [";", 'unexpected ";"'],
    ["a; }", 'unexpected "}"'],
    ["a {\n b;\n", 'unexpected "end" in line 3, column 1'],
    ["a { b }", '"b" has no end'],
    [`a ${"b".repeat(5000)};`, "too long"],
  ])("%s is refused", (text, why) => {
    expect(() => parseNginxSyntax(text)).toThrow(why)
  })
})

test("what was quoted comes back as it was, and is one word", () => {
  const text = fc
    .oneof(
      fc.string(),
      fc.constantFrom(...hostile),
      fc.array(fc.constantFrom(...hostile)).map((all) => all.join("")),
    )
    .filter((it) => !it.includes("\0") && it.length < 2000)
  fc.assert(
    fc.property(text, (it) => {
      expect(words(quoteWithVariables(it))).toEqual([it])
    }),
  )
  const plain = text.filter((it) => !it.includes("$"))
  fc.assert(
    fc.property(plain, (it) => {
      expect(words(`${quote(it)} end`)).toEqual([it, "end"])
    }),
  )
})
