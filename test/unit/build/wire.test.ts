import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { printed } from "../../../build/wire/files.ts"
import { root } from "../../../harness/paths.ts"
import * as abi from "../../../wire/abi.ts"
import type { Fields } from "../../../wire/field.ts"
import { foreignFunctions } from "../../../wire/foreign.ts"
import { kinds } from "../../../wire/kinds.ts"
import { overrides } from "../../../wire/overrides.ts"
import { posted, records } from "../../../wire/schema.ts"

const tables: readonly (readonly [string, Fields])[] = Object.entries(posted)
const ofRecords = Object.entries(records).map(([name, { fields }]): readonly [string, Fields] => [
  name,
  fields,
])

test.each(Object.entries(await printed()))("%s is what the schema prints", (path, text) => {
  const committed = readFileSync(join(root, path), "utf8")
  expect(committed, "run `npm run wire` and read what it changes").toBe(text)
})

describe("the schema", () => {
  test.each(ofRecords)("a record's ids are from 1 to 127, each once: %s", (_, fields) => {
    const ids = fields.map(({ id = 0 }) => id)
    expect(ids.filter((id) => id < 1 || id > 127)).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(tables)("an object has at most 64 fields, each name once: %s", (_, fields) => {
    expect(fields.length).toBeLessThanOrEqual(64)
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
  })

  test("a field came with a version that there was", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const number = (text: string) =>
      text
        .replace(/-.*/, "")
        .split(".")
        .reduce((sum, part) => sum * 1000 + Number(part), 0)
    const all = [...tables, ...ofRecords].flatMap(([, fields]) => fields)
    expect(all.filter(({ since }) => !(number(since) <= number(version)))).toEqual([])
  })

  test("an override says how its fixture looks", () => {
    expect(overrides.filter(({ example }) => example === undefined)).toEqual([])
  })

  test("no two kinds share a key, a list or a letter", () => {
    const all = [
      kinds.map((kind) => kind.prefix),
      kinds.map((kind) => kind.list),
      kinds.map((kind) => kind.letter),
    ]
    for (const values of all) expect(new Set<string>(values).size).toBe(kinds.length)
  })
})

describe("the ABI", () => {
  const bytes = { u32: 4, u64: 8, "u32[16]": 64, bytes: 0 } as const

  test("the fields of the attempt record follow each other, each at a multiple of its size", () => {
    const ends = abi.attempt.map(({ at, type }) => at + bytes[type])
    expect(abi.attempt.map(({ at }) => at)).toEqual([0, ...ends.slice(0, -1)])
    expect(abi.attempt.filter(({ at, type }) => type === "u64" && at % 8 !== 0)).toEqual([])
    expect(abi.recordBytes.filter % 8).toBe(0)
  })

  test("bits are bits, and codes count from 0", () => {
    const numbers = (list: readonly abi.Named[]) => list.map(({ number }) => number)
    for (const list of [abi.wants, abi.flags, abi.needs])
      expect(numbers(list)).toEqual(list.map((_, place) => 2 ** place))
    for (const { codes } of [...Object.values(abi.codes), { codes: abi.outcomes }])
      expect(numbers(codes)).toEqual(codes.map((_, place) => place))
  })

  test.each(["filter", "policy"] as const)("no two foreign functions of a %s have one name", (guest) => {
    const names = foreignFunctions[guest]
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^wick_[a-z_]+$/.test(name))).toEqual([])
  })
})

describe("the fixtures", () => {
  const folder = join(root, "test/fixtures/wire")
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"))
  const all = names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n")

  test.each(tables)("have every field that is posted: %s", (_, fields) => {
    const wanted = fields.filter(({ type }) => type !== "ignored").map(({ name }) => name)
    expect(wanted.filter((name) => !all.includes(`"${name}":`))).toEqual([])
  })
})
