import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { matching } from "../../../../cli/diff/requests/patterns.ts"

describe("texts that a regular expression matches", () => {
  test.each([
    ["/api(/|$)(.*)", ["/api/", "/api", "/api/aa"]],
    ["/v[0-9]+/users", ["/v1/users", "/v9/users", "/v11/users", "/v99/users"]],
    ["/(?:a|b)(c)?\\1", ["/a", "/b", "/acc", "/bcc"]],
    ["(?i)/Shop", ["/Shop"]],
    ["/a{2,3}$", ["/aa"]],
  ])("%s", (pattern, texts) => expect(matching(pattern)).toEqual(texts))

  test("there is none of what only PCRE understands, or nobody can match", () => {
    expect(matching("/(?P<name>a)")).toEqual([])
    expect(matching("/a(?=b)$")).toEqual([])
    expect(matching("/(")).toEqual([])
    expect(matching("/a{100000}")).toEqual([])
  })

  test("all of them match, whatever the expression", () => {
    const piece = fc.constantFrom("a", "[b-d]", "\\d", "\\w+", "(x|y)", "(?:u|v)*", ".", "z?", "[^/]{2}", "/")
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `/${pieces.join("")}`)
    fc.assert(
      fc.property(pattern, (text) => {
        const texts = matching(text)
        expect(texts.length).toBeGreaterThan(0)
        for (const it of texts) expect(it).toMatch(new RegExp(`^${text}$`, "i"))
      }),
    )
  })

  test("no text is an error", () => {
    fc.assert(fc.property(fc.string(), (text) => void matching(text)))
  })
})
