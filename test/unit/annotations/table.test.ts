import { expect, test } from "vitest"
import { annotations, knownNames, withoutEffect } from "../../../controller/annotations/table.ts"
import { aliasesWithoutEffect, namesWithoutEffect } from "../../../controller/annotations/without-effect.ts"

test("136 annotations are known, each once", () => {
  const names = [...annotations.map((entry) => entry.name), ...namesWithoutEffect]
  expect(new Set(names).size).toBe(names.length)
  expect(names).toHaveLength(136)
})

test("no spelling has two meanings", () => {
  expect(new Set(knownNames).size).toBe(knownNames.length)
  expect(namesWithoutEffect.filter((name) => aliasesWithoutEffect.includes(name))).toEqual([])
})

test("no two entries fill the same field", () => {
  const fields = annotations.map((entry) => `${entry.place}.${entry.field}`)
  expect(new Set(fields).size).toBe(fields.length)
})

test("an entry is not listed as without effect at the same time", () => {
  expect(annotations.filter((entry) => withoutEffect.has(entry.name))).toEqual([])
})
