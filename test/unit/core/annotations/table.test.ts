import { expect, test } from "vitest"
import { removedNames } from "../../../../controller/core/annotations/removed.ts"
import { annotations, knownNames, ownNames } from "../../../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../../../controller/core/options/conflicts.ts"

test("136 annotations of ingress-nginx are known, each once", () => {
  const theirs = annotations.filter((entry) => !entry.isOwn)
  const names = theirs.map((entry) => entry.name)
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
  const spellings = annotations.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  expect(new Set(spellings).size).toBe(spellings.length)
})

test("no removed name is one of today, and none sends people to a name that nobody knows", () => {
  expect(knownNames.filter((name) => removedNames.has(name))).toEqual([])
  const told = [...removedNames.values()].flatMap((hint) =>
    [...hint.matchAll(/"([\w./-]+)"/g)].map(([, name]) => name),
  )
  expect(told.length).toBeGreaterThan(5)
  const known = new Set([...knownNames, ...ownNames.map((name) => `${ownPrefix}/${name}`)])
  expect(told.filter((name = "") => !known.has(name))).toEqual([])
})

test("no two entries fill the same field", () => {
  const fields = annotations.map((entry) => `${entry.place}.${entry.field}`)
  expect(new Set(fields).size).toBe(fields.length)
})
