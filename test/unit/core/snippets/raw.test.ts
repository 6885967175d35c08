import fc from "fast-check"
import { expect, test } from "vitest"
import { compileSnippet } from "../../../../controller/core/snippets/compile.ts"
import type { CompilePlace } from "../../../../controller/core/snippets/scope.ts"
import { parseNginxSyntax } from "../../../../controller/core/snippets/syntax.ts"
import { printDirectives } from "../../../../controller/output/render/directives.ts"
import { hostile } from "../../../support/hostile.ts"

const compile = (text: string, place: CompilePlace) =>
  compileSnippet(text, place, { namespace: "shop", isVariable: () => true })

test.each([
  ["js_content main.hello;", "location"],
  ["js_header_filter a.b;", "location"],
  ["js_set $a b.c;", "server"],
  ["include /etc/passwd;", "location"],
  ["include /etc/passwd;", "server"],
  ["load_module /tmp/x.so;", "main"],
  ["root /;", "location"],
  ["alias /;", "location"],
  ["error_log /tmp/x debug;", "location"],
  ["access_log /tmp/x;", "location"],
  ["perl a::b;", "location"],
  ["content_by_lua 'x';", "location"],
  ["proxy_pass http://127.0.0.1:10246;", "location"],
  ["proxy_pass http://169.254.169.254;", "location"],
  ["proxy_pass http://unix:/run/wick/control/control.sock:/;", "location"],
  ["proxy_pass http://$http_x;", "location"],
  ["location /x { proxy_pass http://127.0.0.1:10246; }", "server"],
  ["proxy_temp_path /etc;", "location"],
] as const)("%s is refused in a %s of an Ingress, raw text or not", (text, place) => {
  const { raw, text: printed, refused } = compile(text, place)
  expect([raw, printed]).toEqual([[], []])
  expect(refused).not.toEqual([])
})

test("what is printed of raw text is that directive and no other, whatever is in it", () => {
  const word = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom(...hostile))
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), word, (words, inner) => {
      const args = words.map(quoted).join(" ")
      const text = `resolver ${args}; server { listen 9000; ${quoted(inner)} ${args}; location ${args} { return 204; } }`
      const { raw } = compile(text, "http")
      const printed = printDirectives(
        raw.map((it) => it.text),
        0,
      )
      expect(parseNginxSyntax(`${printed}\n`).map(({ name }) => name)).toEqual(raw.map((it) => it.directive))
    }),
    { numRuns: 2000, seed: 33 },
  )
})

test.each([
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
])("a word that every object of JavaScript has is a word: %s", (word) => {
  for (const text of [
    `${word} 1;`,
    `${word} { 1 2; }`,
    `if ($host ${word} x) { return 403; }`,
    `map $a $b { ${word} ${word}; }`,
  ]) {
    for (const place of ["main", "http", "server", "location", "stream"] as const) compile(text, place)
  }
  expect(compile(`if ($host ${word} x) { return 403; }`, "location").refused).toMatchObject([
    { mayGuard: true },
  ])
})
