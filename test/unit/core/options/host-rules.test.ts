import { expect, test } from "vitest"
import { hostRules, mayHave } from "../../../../controller/core/options/keys/host-rules.ts"

function rulesOf(text: string) {
  const parsed = hostRules.parse(text)
  if (parsed.kind === "refused") throw new Error(parsed.reason)
  return parsed.value
}

test.each<[string, string, boolean]>([
  ["shop", "shop.test", true],
  ["shop", "a.shop.test", true],
  ["shop", "a.b.shop.test", true],
  ["shop", "*.shop.test", true],
  ["shop", "*.a.shop.test", true],
  ["shop", "xshop.test", false],
  ["shop", "*.test", false],
  ["shop", "", false],
  ["shop", "x.apps.test", false],
  ["blog", "x.apps.test", true],
  ["blog", "apps.test", false],
  ["admin", "", true],
  ["admin", "shop.test", true],
  ["closed", "shop.test", false],
])("namespace %s and host %s", (namespace, host, may) => {
  const rules = rulesOf("shop: shop.test *.shop.test\nadmin: *; closed:\n*: *.apps.test")
  expect(mayHave(rules, namespace, host)).toBe(may)
})

test("without a rule everybody may have everything", () => {
  expect(mayHave(rulesOf(""), "shop", "")).toBe(true)
  expect(mayHave(rulesOf("shop: shop.test"), "constructor", "x.test")).toBe(true)
})

test.each(["shop", "Shop: a.test", "shop: a_b.test", "shop: a.test,b.test"])("%s is refused", (text) => {
  expect(hostRules.parse(text).kind).toBe("refused")
})
