import { describe, expect, test } from "vitest"
import type { AnnotationParser } from "../../../../controller/core/annotations/parse.ts"
import {
  basicText,
  nameText,
  pattern,
  template,
  urlText,
} from "../../../../controller/core/annotations/texts.ts"
import { ends } from "../../../support/ends.ts"
import { gated } from "./gated.ts"

describe("texts", () => {
  test.each<readonly [string, AnnotationParser<string>, readonly string[], readonly string[]]>([
    ["basic", basicText, ["Do-Canary_1.0~/:", " a b "], ["a;b", "a=b", 'a"b', "é", "$a"]],
    ["names", nameText, ["X-Canary", " foo.bar "], ["a b", "a;b", "a,b"]],
    ["paths", urlText, ["/foo/bar?a=b&c,d:e", "/a b"], ["/a;b", "/a#b", "/(.*)", "/$1"]],
    [
      "patterns",
      pattern,
      ["^(always|a.*b)$", "[0-9]{2}\\w+?", "a&b=c:d/"],
      ["a b", "a,b", "a<b", "a#", "a;"],
    ],
    [
      "templates",
      template,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what users write
      ["$request_uri$host", "${arg_a}-x_$host", "plain", "$host{b}"],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
      ["$", "a$", "${a", "$-", "$a$ b", "${}", "a:b"],
    ],
  ])("%s", (_, parse, good, bad) => {
    expect(good.map((text) => gated(parse, text))).toEqual(good.map((text) => text.trim()))
    expect(bad.filter((text) => gated(parse, text) !== undefined)).toEqual([])
    const max = parse === nameText ? 253 : 4096
    expect(gated(parse, "a".repeat(max))).toHaveLength(max)
    expect(gated(parse, "a".repeat(max + 1))).toBeUndefined()
    expect(gated(parse, " ")).toBeUndefined()
  })

  test("a long template is judged without trying each way to part it", () => {
    const text = `${"$abcdefgh".repeat(450)}$`
    expect(ends(() => gated(template, text))).toBeUndefined()
  })
})
