import { expect, test } from "vitest"
import { cachesIn, withHeadersOfKept } from "../../../../controller/core/snippets/kept-answers.ts"
import type { TypedDirective } from "../../../../controller/model/typed-directive.ts"

/** `name word …`, separated by semicolons. */
const directives = (text: string): TypedDirective[] =>
  text.split("; ").flatMap((line) => {
    const [name = "", ...args] = line.split(" ")
    return name === "" ? [] : { name, args }
  })

const printed = (text: readonly TypedDirective[]) =>
  text.map(({ name, args }) => [name, ...args].join(" ")).join("; ")

const script = { levels: [{ hides: ["X-A"], passes: ["X-Pad"] }] }
const lists = (it: string) => `${it}_hide_header X-A; ${it}_pass_header X-Pad`

test.each([
  ["proxy_cache z", "", `proxy_cache z; ${lists("proxy")}`],
  ["fastcgi_cache z", "", `fastcgi_cache z; ${lists("fastcgi")}`],
  ["gzip on", "proxy_cache", `gzip on; ${lists("proxy")}`],
  ["proxy_cache off", "proxy_cache", "proxy_cache off"],
  ["gzip on", "", "gzip on"],
  // of a block around, whose lists are not the ones in force
  ["proxy_cache z; proxy_hide_header X-B", "", `proxy_cache z; ${lists("proxy")}`],
])("of %s in %s the text is %s", (text, around, expected) => {
  const caches = new Set(around === "" ? [] : [around])
  expect(printed(withHeadersOfKept(directives(text), script, caches))).toBe(expected)
})

test("without lists, or a script, a text stays the same object", () => {
  const text = directives("proxy_cache z")
  for (const none of [undefined, {}, { levels: [{}] }])
    expect(withHeadersOfKept(text, none, new Set())).toBe(text)
})

test("the last word of a cache counts", () => {
  expect([...cachesIn(directives("proxy_cache z; proxy_cache off; fastcgi_cache z"))]).toEqual([
    "fastcgi_cache",
  ])
})
