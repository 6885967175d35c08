import fc from "fast-check"
import { expect, test } from "vitest"
import { type Directive, parseNginxSyntax } from "../../../../controller/core/snippets/syntax.ts"
import { dataBlocks, type TypedDirective } from "../../../../controller/model/typed-directive.ts"
import { printDirectives } from "../../../../controller/output/render/directives.ts"
import { hostile } from "../../../support/hostile.ts"

test("a directive is a line, a block is indented", () => {
  const types = { name: "types", args: [], block: [{ name: "text/html", args: ["html", "htm"] }] }
  const gzip = { name: "gzip_types", args: ["text/css", "a b"] }
  expect(printDirectives([gzip, types], 8)).toBe(
    [
      '        gzip_types text/css "a b";',
      "        types {",
      "            text/html html htm;",
      "        }",
    ].join("\n"),
  )
})

test("nothing is nothing", () => {
  expect(printDirectives([], 4)).toBe("")
})

test.each(["", "gzip on; return", "Gzip", "gzip\non", "}", "#", "$gzip"])("%j is no name", (name) => {
  expect(() => printDirectives([{ name, args: [] }], 0)).toThrow("as the name of a directive")
})

test("a NUL is not printed", () => {
  expect(() => printDirectives([{ name: "set", args: ["$a", "\0"] }], 0)).toThrow("Cannot print a NUL")
})

const word = fc
  .oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom(...hostile))
  .filter((text) => !text.includes("\0") && Buffer.byteLength(text) < 1000)

const { tree } = fc.letrec<{ tree: TypedDirective; list: readonly TypedDirective[] }>((tie) => ({
  list: fc.array(tie("tree"), { maxLength: 3 }),
  tree: fc.oneof(
    { depthSize: "small" },
    fc.record({ name: fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/), args: fc.array(word, { maxLength: 3 }) }),
    fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/).filter((name) => !dataBlocks.has(name)),
      args: fc.array(word, { maxLength: 2 }),
      block: tie("list"),
    }),
    fc.record({
      name: fc.constantFrom(...dataBlocks),
      args: fc.array(word, { maxLength: 2 }),
      block: fc.array(fc.record({ name: word, args: fc.array(word, { maxLength: 2 }) }), { maxLength: 3 }),
    }),
  ),
}))

test("whatever the tree, nginx's reader gets it back from what is printed: no word leaves its place, no block its braces", () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), (directives) => {
      const read = parseNginxSyntax(`${printDirectives(directives, 0)}\n`)
      expect(read.map(asTyped)).toEqual(directives)
    }),
    { numRuns: 3000, seed: 33 },
  )
})

function asTyped({ name, words, block }: Directive): TypedDirective {
  return { name, args: words, ...(block && { block: block.map(asTyped) }) }
}
