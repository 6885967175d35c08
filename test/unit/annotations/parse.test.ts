import { describe, expect, test } from "vitest"
import {
  type AnnotationParser,
  gate,
  secondsAsMs,
  sizeWithBlanks,
} from "../../../controller/annotations/parse.ts"
import { oneOf } from "../../../controller/options/values.ts"

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
