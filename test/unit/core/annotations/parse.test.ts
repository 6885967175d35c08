import { describe, expect, test } from "vitest"
import {
  type AnnotationParser,
  basicText,
  cookieSeconds,
  count,
  gate,
  nameText,
  pattern,
  secondsAsMs,
  sizeWithBlanks,
  template,
  timeMs,
  urlText,
} from "../../../../controller/core/annotations/parse.ts"
import { oneOf } from "../../../../controller/core/options/values.ts"

function value<T>(parse: AnnotationParser<T>, text: string): T | undefined {
  const parsed = gate(parse)(text)
  return parsed.kind === "value" ? parsed.value : undefined
}

describe("seconds", () => {
  test.each([
    ["1", 1000],
    ["+60", 60_000],
    ["0060", 60_000],
    ["2147483", 2_147_483_000],
  ])("%s are %i ms", (text, ms) => expect(value(secondsAsMs, text)).toBe(ms))

  test.each([
    "",
    "0",
    "-5",
    "60s",
    "50k",
    "1.5",
    "1e3",
    " 60",
    "60 ",
    "60;",
    "x60",
    "0x10",
    "٣",
  ])("%j is refused", (text) => expect(value(secondsAsMs, text)).toBeUndefined())

  test("more than nginx can count are cut, with a remark", () => {
    const most = {
      kind: "value",
      value: 2_147_483_000,
      remark: expect.stringContaining("2147483 seconds are the most"),
    }
    expect(secondsAsMs("31536000")).toEqual(most)
    expect(secondsAsMs("9".repeat(400))).toEqual(most)
  })

  test("the refusal of a unit shows the number to write", () => {
    expect(secondsAsMs("180s")).toEqual({
      kind: "refused",
      reason: "write whole seconds without a unit, as in 180",
    })
  })
})

describe("sizes", () => {
  test.each([
    ["0", 0],
    ["1024", 1024],
    ["8k", 8192],
    ["8M", 8 * 1024 ** 2],
    ["2g", 2 * 1024 ** 3],
    ["8 m", 8 * 1024 ** 2],
    ["8388607g", 8_388_607 * 1024 ** 3],
  ])("%s is %i bytes", (text, bytes) => expect(value(sizeWithBlanks, text)).toBe(bytes))

  test.each([
    "",
    "15r",
    "8mb",
    "10b",
    "-1",
    "1.5m",
    "m",
    "8m;",
    "8388608g",
    "9".repeat(400),
    "8m\n",
    "\n8m",
  ])("%j is refused", (text) => expect(value(sizeWithBlanks, text)).toBeUndefined())
})

describe("whole numbers", () => {
  test.each([
    ["0", 0],
    ["+5", 5],
    ["007", 7],
    ["2147483647", 2_147_483_647],
  ])("%s is %i", (text, number) => expect(count(text)).toEqual({ kind: "value", value: number }))

  test.each([
    ["-1", 0, "0 is the least and is used instead"],
    ["2147483648", 2_147_483_647, "2147483647 is the most and is used instead"],
    ["9".repeat(400), 2_147_483_647, "2147483647 is the most and is used instead"],
  ])("%s is cut", (text, number, remark) =>
    expect(count(text)).toEqual({ kind: "value", value: number, remark }))

  test.each(["", "5%", "1.5", " 5", "0x10", "1e3"])("%j is refused", (text) =>
    expect(value(count, text)).toBeUndefined())
})

describe("seconds of a cookie", () => {
  test.each([
    ["0", 0],
    ["-0", 0],
    ["-1", -1],
    [" 172800 ", 172_800],
    ["-9999999999", -2_147_483_647],
  ])("%j are %i", (text, seconds) => expect(value(cookieSeconds, text)).toBe(seconds))

  test.each(["", "1d", "abc5", "1 000", "+5", "1.5"])("%j is refused", (text) =>
    expect(value(cookieSeconds, text)).toBeUndefined())
})

describe("times", () => {
  test.each([
    ["30s", 30_000],
    ["1ms", 1],
    ["1m30s", 90_000],
    ["1.5ms", 2],
  ])("%s is %i ms", (text, ms) => expect(value(timeMs, text)).toBe(ms))

  test.each(["", "0", "30", "-1s", "1us", "597h", "soon"])("%j is refused", (text) =>
    expect(value(timeMs, text)).toBeUndefined())
})

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
      ["$request_uri$host", "${arg_a}-x_$host", "plain", "$a{b}"],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
      ["$", "a$", "${a", "$-", "$a$ b", "${}", "a:b"],
    ],
  ])("%s", (_, parse, good, bad) => {
    expect(good.map((text) => value(parse, text))).toEqual(good.map((text) => text.trim()))
    expect(bad.filter((text) => value(parse, text) !== undefined)).toEqual([])
    expect(value(parse, "a".repeat(4096))).toHaveLength(4096)
    expect(value(parse, "a".repeat(4097))).toBeUndefined()
    expect(value(parse, " ")).toBeUndefined()
  })

  test("a long template is judged in no time", () => {
    const text = `${"$abcdefgh".repeat(450)}$`
    const start = performance.now()
    expect(value(template, text)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(100)
  })
})

test("a word is taken whole", () => {
  const version = oneOf("1.0", "1.1")
  expect(value(version, "1.0")).toBe("1.0")
  expect(["1x0", "1.1;", "1.10", "2", "1.1 1.0"].map((text) => value(version, text))).toEqual(
    Array(5).fill(undefined),
  )
})

test("the gate refuses every control character and line separator, wherever it stands", () => {
  const anything: AnnotationParser<string> = (text) => ({ kind: "value", value: text })
  const controls = [
    ...Array(0x20).keys(),
    ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
    0x2028,
    0x2029,
  ]
  for (const code of controls) {
    const character = String.fromCharCode(code)
    for (const text of [character, `${character}8m`, `8m${character}`, `8${character}m`]) {
      expect(value(anything, text), `U+${code.toString(16)}`).toBeUndefined()
    }
  }
  expect(value(anything, "größe ~ é")).toBe("größe ~ é")
})
