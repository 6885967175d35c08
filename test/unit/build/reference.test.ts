import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import { pages } from "../../../build/reference/pages.ts"
import { outcomeOfAnnotation, outcomeOfKey } from "../../../build/reference/trial.ts"
import { families as annotationFamilies } from "../../../controller/core/annotations/about.ts"
import { annotations, withoutEffect } from "../../../controller/core/annotations/table.ts"
import { families as keyFamilies } from "../../../controller/core/options/about.ts"
import { ownPrefix } from "../../../controller/core/options/conflicts.ts"
import { noObjects } from "../../../controller/core/options/key.ts"
import { keys } from "../../../controller/core/options/key-table.ts"
import {
  keysOfNoUse,
  keysWithoutEffect,
  keysWithoutNeed,
} from "../../../controller/core/options/keys-without-effect.ts"
import { root, shared } from "../../support/paths.ts"

const aboutAnnotations = Object.assign({}, ...Object.values(annotationFamilies)) as Record<
  string,
  (typeof annotationFamilies)[string][string]
>
const aboutKeys = Object.assign({}, ...Object.values(keyFamilies)) as Record<
  string,
  (typeof keyFamilies)[string][string]
>

const knownKeys = new Set<string>([
  ...keys.map(({ name }) => name),
  ...keysWithoutEffect,
  ...keysOfNoUse,
  ...keysWithoutNeed,
])

test.each(Object.entries(pages()))("docs/reference/%s is what the tables print", (name, text) => {
  const committed = readFileSync(join(root, "docs/reference", name), "utf8")
  expect(committed, "run `npm run docs` and read what it changes").toBe(text)
})

describe("what the reference says", () => {
  test("it says for every annotation that has an effect", () => {
    expect(annotations.filter(({ name }) => aboutAnnotations[name] === undefined)).toEqual([])
  })

  test("it says for every key that has an effect", () => {
    expect(keys.filter(({ name }) => aboutKeys[name] === undefined)).toEqual([])
  })

  test("the defaults of keys as they are", () => {
    const plain = keys.flatMap(({ name, parse, initial }) => {
      const text = aboutKeys[name]?.initial.replaceAll("`", "") ?? ""
      const parsed = /^[\w./ -]+$/.test(text) ? parse(text, noObjects) : undefined
      return parsed?.kind === "value"
        ? [{ name, said: parsed.value as unknown, initial: initial as unknown }]
        : []
    })
    expect(plain.length).toBeGreaterThan(20)
    expect(plain.filter(({ said, initial }) => !isDeepStrictEqual(said, initial))).toEqual([])
  })

  test("about annotations of no other names", () => {
    const known = new Set(annotations.map(({ name }) => name))
    expect(Object.keys(aboutAnnotations).filter((name) => !known.has(name))).toEqual([])
  })

  test("about keys of no other names", () => {
    const known = new Set<string>([...keys.map(({ name }) => name), ...keysWithoutNeed])
    expect(Object.keys(aboutKeys).filter((name) => !known.has(name))).toEqual([])
  })
})

describe("whether a change reloads is tried out", () => {
  test("with numbers and redirects, which are data", () => {
    expect(outcomeOfAnnotation("proxy-read-timeout", "7", {})).toBe("post")
    expect(outcomeOfKey("load-balance", "ewma")).toBe("post")
  })

  test("with what nginx takes from its configuration alone", () => {
    expect(outcomeOfAnnotation("proxy-http-version", "1.0", {})).toBe("reload")
    expect(outcomeOfKey("keep-alive", "7")).toBe("reload")
  })

  test("with every example, which must be one that is taken", () => {
    for (const { name, isOwn } of annotations) {
      const { example = "", beside = {} } = aboutAnnotations[name] ?? {}
      outcomeOfAnnotation(isOwn ? `${ownPrefix}/${name}` : name, example, beside)
    }
    for (const { name } of keys) outcomeOfKey(name, aboutKeys[name]?.example ?? "")
  })

  test("with no example that is a mistake", () => {
    expect(() => outcomeOfAnnotation("proxy-read-timeout", "7s", {})).toThrow("without a unit, as in 7")
    expect(() => outcomeOfKey("keep-alive", "7s")).toThrow("keeps 75")
  })
})

const facts = join(shared, "spec")

describe.skipIf(!existsSync(facts))("of what ingress-nginx knows", () => {
  const namesIn = (file: string, field: string): string[] =>
    JSON.parse(readFileSync(join(facts, file), "utf8")).map((row: Record<string, string>) => row[field])

  test("every annotation has an entry or is known by name", () => {
    const names = namesIn("annotations.json", "name").map((name) => name.split("/")[1] ?? "")
    const entries = new Set(annotations.map(({ name }) => name))
    const without = names.filter((name) => !entries.has(name))
    console.info(`${without.length} of ${names.length} annotations have no entry: ${without.join(", ")}`)
    expect(without.filter((name) => !withoutEffect.has(name))).toEqual([])
  })

  test("every key has an entry or is known by name", () => {
    const names = namesIn("configmap.json", "key").filter((name) => name !== "(general)")
    const entries = new Set<string>([...keys.map(({ name }) => name), ...keysWithoutNeed])
    const without = names.filter((name) => !entries.has(name))
    console.info(`${without.length} of ${names.length} keys have no entry: ${without.join(", ")}`)
    expect(without.filter((name) => !knownKeys.has(name))).toEqual([])
  })
})
