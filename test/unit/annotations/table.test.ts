import { expect, test } from "vitest"
import { annotations, knownNames, ownNames, withoutEffect } from "../../../controller/annotations/table.ts"
import { aliasesWithoutEffect, namesWithoutEffect } from "../../../controller/annotations/without-effect.ts"

test("136 annotations of ingress-nginx are known, each once", () => {
  const theirs = annotations.filter((entry) => !entry.isOwn)
  const names = [...theirs.map((entry) => entry.name), ...namesWithoutEffect]
  expect(new Set(names).size).toBe(names.length)
  expect(names).toHaveLength(136)
})

test("what an annotation needs is there", () => {
  const names = annotations.map((entry) => entry.name)
  const needed = annotations.flatMap((entry) => entry.needs ?? [])
  expect(needed.filter((name) => !names.includes(name))).toEqual([])
})

test("no spelling has two meanings", () => {
  const all = [...knownNames, ...ownNames]
  expect(new Set(all).size).toBe(all.length)
  expect(namesWithoutEffect.filter((name) => aliasesWithoutEffect.includes(name))).toEqual([])
})

test("no two entries fill the same field", () => {
  const fields = annotations.map((entry) => `${entry.place}.${entry.field}`)
  expect(new Set(fields).size).toBe(fields.length)
})

test("an entry is not listed as without effect at the same time", () => {
  expect(annotations.filter((entry) => withoutEffect.has(entry.name))).toEqual([])
})
