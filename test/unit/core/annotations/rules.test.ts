import { describe, expect, test } from "vitest"
import { canonicalKey } from "../../../../controller/core/annotations/canonical.ts"
import {
  forbiddenAnnotations,
  missingAnnotations,
  riskyAnnotations,
} from "../../../../controller/core/annotations/rules.ts"
import { annotations } from "../../../../controller/core/annotations/table.ts"
import { parseSettings } from "../../../../controller/core/options/configmap.ts"
import { ingress, meta } from "../../../../harness/objects.ts"

const prefix = "nginx.ingress.kubernetes.io"

function rulesOf(data: Record<string, string>) {
  return {
    settings: parseSettings({ kind: "ConfigMap", meta: meta("wick/settings"), data }).settings,
    prefix,
  }
}

/** Every annotation, with all ways to write its key and its name in a rule. */
const all = annotations.map((entry) => {
  const own = entry.isOwn === true ? "wick.dev" : prefix
  const names = [entry.name, ...(entry.aliases ?? [])]
  return { name: entry.name, keys: names.map((it) => `${own}/${it}`), risk: entry.risk, names }
})

describe("every annotation, by every name that it has,", () => {
  test.each(all)("$name is one annotation", ({ keys, names }) => {
    for (const key of [...keys, ...names]) expect(canonicalKey(key, prefix)).toBe(keys[0])
  })

  test.each(all)("$name is forbidden by each of them", ({ keys, names }) => {
    for (const rule of [...keys, ...names]) {
      const rules = rulesOf({ "admission-forbidden-annotations": `x.test/y, ${rule}` })
      for (const key of keys) {
        const [fault] = forbiddenAnnotations(ingress("shop/a", "a.test/ → a:80", { [key]: "x" }), rules)
        expect(fault?.key).toBe(key)
      }
    }
  })

  test.each(all)("$name that is asked for may be written by each of them", ({ keys, names }) => {
    for (const rule of [...keys, ...names]) {
      const rules = rulesOf({ "admission-required-annotations": rule })
      const missing = (value: Record<string, string>) =>
        missingAnnotations(ingress("shop/a", "a.test/ → a:80", value), rules).length
      for (const key of keys)
        expect([missing({ [key]: "x" }), missing({ [key]: "" }), missing({})]).toEqual([0, 1, 1])
    }
  })

  test.each(all)("$name has one risk", ({ keys, risk }) => {
    for (const key of keys) {
      const found = riskyAnnotations(
        ingress("shop/a", "a.test/ → a:80", { [key]: "x" }),
        rulesOf({ "annotations-risk-level": "Low" }),
      )
      expect(found).toHaveLength(risk === "low" ? 0 : 1)
    }
  })
})

test("of two spellings the one that has an effect counts: that of today, unless it is empty", () => {
  const rules = rulesOf({ "admission-required-annotations": "whitelist-source-range" })
  const missing = (said: Readonly<Record<string, string>>) =>
    missingAnnotations(ingress("shop/a", "a.test/ → a:80", said), rules)
  expect(missing({ "whitelist-source-range": "10.0.0.0/8", "allowlist-source-range": "" })).toEqual([])
  expect(missing({ "whitelist-source-range": "", "allowlist-source-range": "" })).toHaveLength(1)
  expect(missing({ "whitelist-source-range": "", "allowlist-source-range": "10.0.0.0/8" })).toEqual([])
})

test("annotations of others are what they are", () => {
  expect(canonicalKey("example.test/whitelist-source-range", prefix)).toBe(
    "example.test/whitelist-source-range",
  )
  expect(canonicalKey("wick.dev/server-alias", prefix)).toBe("wick.dev/server-alias")
})
