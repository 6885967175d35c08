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
