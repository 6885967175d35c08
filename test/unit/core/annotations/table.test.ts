import { expect, test } from "vitest"
import { formerNames } from "../../../../controller/core/annotations/former.ts"
import {
  annotations,
  knownNames,
  ownNames,
  withoutEffect,
} from "../../../../controller/core/annotations/table.ts"
import {
  aliasesWithoutEffect,
  namesWithoutEffect,
} from "../../../../controller/core/annotations/without-effect.ts"
import { ownPrefix } from "../../../../controller/core/options/conflicts.ts"

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

test("no name of former times is one of today, and none sends people to a name that nobody knows", () => {
  expect(knownNames.filter((name) => formerNames.has(name))).toEqual([])
  const told = [...formerNames.values()].flatMap((hint) =>
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

test("an entry is not listed as without effect at the same time", () => {
  expect(annotations.filter((entry) => withoutEffect.has(entry.name))).toEqual([])
})
