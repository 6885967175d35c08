// Hosts and paths that others have already.
import { expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { asked, refusalOf, review, submitted, warningsOf, webhook } from "./reviews.ts"

const refusal = (others: readonly Json[], ...of: Parameters<typeof ingress>) =>
  refusalOf(asked({ others }, ...of))

test("the second Ingress with a host and path is refused, and the sentence names the first", () => {
  const others = [ingress("shop/web", "shop.test/ → web:80")]
  expect(refusal(others, "blog/web", "shop.test/ → web:80")).toBe(
    'spec.rules[0].http.paths[0].path: host "shop.test" and path "/" is already defined in ingress shop/web: write another host or path',
  )
  expect(refusal(others, "shop/next", "shop.test/ → web:80")).toContain(
    "write another host or path, or make this one a canary",
  )
})

test("a canary of another namespace is told that it gets no requests, and keeps nobody's canary out", () => {
  const main = ingress("shop/web", "shop.test/ → web:80")
  const foreign = ["blog/web", "shop.test/ → web:80", { canary: "true" }] as const
  expect(warningsOf(asked({ others: [main] }, ...foreign))).toEqual([
    'spec.rules[0].http.paths[0].path: host "shop.test" and path "/" is that of ingress shop/web: a canary belongs to the namespace of its primary, this one gets no requests',
  ])
  const others = [main, ingress(...foreign)]
  const own = ["shop/canary", "shop.test/ → next:80", { canary: "true" }] as const
  expect([refusal(others, ...own), warningsOf(asked({ others }, ...own))]).toEqual(["", []])
  const settings = { "cross-namespace": "allowed" }
  expect(refusalOf(asked({ others, settings }, ...own))).toContain("a path has one canary at most")
  expect(warningsOf(asked({ others: [main], settings }, ...foreign))).toEqual([])
})

test("a path of a host that the operator has given to the namespace is not taken by others'", () => {
  const others = [ingress("blog/web", "shop.test/ → web:80")]
  const own = ["shop/web", "shop.test/ → web:80"] as const
  expect(refusal(others, ...own)).not.toBe("")
  expect(refusalOf(asked({ others, settings: { "host-owner": "*.test: shop" } }, ...own))).toBe("")
  expect(refusalOf(asked({ others, settings: { "host-owner": "shop.test: other" } }, ...own))).not.toBe("")
})

test.each<[string, string, string, boolean]>([
  ["the same path", "shop.test/a → web:80", "shop.test/a → web:80", true],
  ["another path", "shop.test/a → web:80", "shop.test/b → web:80", false],
  ["another case", "shop.test/a → web:80", "shop.test/A → web:80", false],
  ["another host", "shop.test/a → web:80", "blog.test/a → web:80", false],
  ["no host", "/a → web:80", "/a → web:80", true],
  ["Exact after Prefix", "shop.test/a → web:80", "shop.test/a =→ web:80", true],
  ["Prefix after Exact", "shop.test/a =→ web:80", "shop.test/a → web:80", true],
  ["what Prefix has below it", "shop.test/a → web:80", "shop.test/a/ =→ web:80", true],
  ["a slash that Exact does not have", "shop.test/a =→ web:80", "shop.test/a/ =→ web:80", false],
  ["the default backend", "* → web:80", "* → web:80", false],
])("%s", (_, first, second, isRefused) => {
  expect(refusal([ingress("shop/one", first)], "shop/two", second) !== "").toBe(isRefused)
})

test("every rule counts, not only the first", () => {
  const others = [ingress("shop/web", "shop.test/b → web:80")]
  const rules = ["shop.test/a → web:80", "shop.test/b → web:80"]
  expect(refusal(others, "blog/web", rules)).toContain('path "/b" is already defined')
})

test.each<[string, string | undefined, string | undefined, boolean]>([
  ["both canaries", "true", "true", true],
  ["the new one", undefined, "true", false],
  ["the old one", "true", undefined, false],
  ["neither says anything", undefined, undefined, true],
  ["one says no", undefined, "false", false],
])("canaries: %s", (_, first, second, isRefused) => {
  const annotations = (canary: string | undefined) => (canary === undefined ? {} : { canary })
  const others = [ingress("shop/one", "shop.test/ → web:80", annotations(first))]
  expect(refusal(others, "shop/two", "shop.test/ → next:80", annotations(second)) !== "").toBe(isRefused)
})

test("who is let in to no purpose is told so", () => {
  const others = [ingress("shop/one", "shop.test/ → web:80")]
  const answer = asked({ others }, "shop/two", "shop.test/ → next:80", { canary: "false" })
  expect(refusalOf(answer)).toBe("")
  expect(warningsOf(answer).join()).toContain("is already defined in ingress shop/one")
})

test("a path that stands twice in one Ingress is a warning", () => {
  const rules = ["shop.test/ → web:80", "shop.test/ → other:80"]
  const answer = asked({}, "shop/web", rules)
  expect(refusalOf(answer)).toBe("")
  expect(warningsOf(answer).join()).toContain("is defined by an earlier rule of the Ingress")
})

test("its own former version is not another Ingress", () => {
  const others = [ingress("shop/web", "shop.test/ → web:80")]
  expect(refusal(others, "shop/web", "shop.test/ → web:81")).toBe("")
})

test("of several the oldest is named, whoever comes first in the list", () => {
  const others = [
    ingress("shop/young", "shop.test/ → web:80", {}, 9),
    ingress("shop/old", "shop.test/ → web:80", {}, 2),
  ]
  expect(refusal(others, "blog/web", "shop.test/ → web:80")).toContain("shop/old")
})

test("an update that does not touch the conflict is let in, one that makes it is not", () => {
  const { ask } = webhook({ others: [ingress("shop/one", "shop.test/ → web:80")] })
  const update = (object: Json, old: Json) =>
    ask(review(submitted(object), { operation: "UPDATE", oldObject: submitted(old) }))
  const second = ingress("shop/two", "shop.test/ → web:80")
  const canary = ingress("shop/two", "shop.test/ → web:80", { canary: "true" })
  const moved = ingress("shop/two", ["blog.test/ → web:80", "shop.test/ → web:80"])
  expect(refusalOf(update(second, second))).toBe("")
  expect(warningsOf(update(second, second)).join()).toContain("already defined")
  expect(refusalOf(update(moved, second))).toBe("")
  expect(refusalOf(update(second, canary))).toContain("already defined")
})
