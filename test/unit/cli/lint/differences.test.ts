import { expect, test } from "vitest"
import { sections } from "../../../../cli/lint/differences/sections.ts"

const rows = sections.flatMap((section) => Object.entries(section.rows))

test("every difference has a name of its own, in kebab case", () => {
  const names = rows.map(([name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
})

test("a difference says what both do, without a final dot", () => {
  const texts = rows.flatMap(([, { what, before, now, why = "" }]) => [what, before, now, why])
  expect(texts.filter((text) => text.endsWith("."))).toEqual([])
  expect(rows.filter(([, { what, before, now }]) => [what, before, now].includes(""))).toEqual([])
})

test("what lint prints is in sentences, and no row of a table", () => {
  const printed = rows.filter(([, { concerns }]) => typeof concerns === "function")
  const texts = printed.flatMap(([rule, { what, before, now }]) =>
    [what, before, now].map((text) => ({ rule, text })),
  )
  const isShort = (text: string) => text.split(" ").length < 3
  const isLabel = (text: string) => /^(?:`[^`]+`(?:, | and )?)+(?:$|:)/.test(text)
  const isParticiple = (text: string) => /^[A-Z][a-z]+ed\b/.test(text)
  const isFragment = (text: string) => isShort(text) || isLabel(text) || isParticiple(text)
  expect(texts.filter(({ text }) => isFragment(text))).toEqual([])
})
