import { expect, test } from "vitest"
import type { AnnotationParser } from "../../../../controller/core/annotations/parse.ts"
import { oneOf } from "../../../../controller/core/options/parser.ts"
import { gated } from "./gated.ts"

test("a word is taken whole", () => {
  const version = oneOf("1.0", "1.1")
  expect(gated(version, "1.0")).toBe("1.0")
  expect(["1x0", "1.1;", "1.10", "2", "1.1 1.0"].map((text) => gated(version, text))).toEqual(
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
      expect(gated(anything, text), `U+${code.toString(16)}`).toBeUndefined()
    }
  }
  expect(gated(anything, "größe ~ é")).toBe("größe ~ é")
})
