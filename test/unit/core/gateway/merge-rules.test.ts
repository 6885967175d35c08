import { expect, test } from "vitest"
import { openAccess } from "../../../../controller/core/declared/access.ts"
import { noFilters } from "../../../../controller/core/declared/filters.ts"
import { plainProxying } from "../../../../controller/core/declared/proxying.ts"
import type { Rule } from "../../../../controller/core/declared/rule.ts"
import { mergeRules } from "../../../../controller/core/gateway/hosts/merge-rules.ts"
import type { BuiltRule } from "../../../../controller/core/gateway/routes/built-route.ts"
import type { HttpRoute } from "../../../../controller/model/objects/gateway/http-route.ts"
import { meta } from "../../../../harness/objects.ts"

const side = { scheme: "http", port: 80 } as const

/** `[=|~]path[ CONDITION]` of a route: exact, or a pattern, with the sign; the condition is a header. */
function rule(name: string, text: string, createdMs = 0, actions?: Rule["actions"]): BuiltRule {
  const [place = "", header] = text.split(" ")
  const match = ({ "=": "exact", "~": "regex" } as const)[place.slice(0, 1)] ?? "prefix"
  const path = place.replace(/^[=~]/, "")
  const conditions = header === undefined ? [] : [{ of: "header", name: header, value: "1" } as const]
  const route: HttpRoute = {
    ...{ kind: "HTTPRoute", generation: 1, parents: [], hostnames: [], rules: [] },
    meta: meta(`demo/${name}`, {}, createdMs),
  }
  const made: Rule = {
    source: { kind: "HTTPRoute", namespace: "demo", name },
    ...{
      field: "",
      backendAt: "",
      path,
      match,
      filters: noFilters,
      access: openAccess,
      proxying: plainProxying,
    },
    ...(conditions.length > 0 && { conditions }),
    ...(actions && { actions }),
  }
  return {
    match: { path, match, conditions, methods: 0, headers: conditions.length, parameters: 0 },
    ...{ route, at: 0, on: () => made },
  }
}

/** Each as `path CONDITION → route`. */
function merged(...levels: BuiltRule[][]): readonly string[] {
  return mergeRules(levels, side).rules.map(({ path, match, conditions = [], source }) => {
    const place = `${{ exact: "=", regex: "~", pattern: "~~" }[String(match)] ?? ""}${path}`
    return [place, ...conditions.map((condition) => condition.name), "→", source.name].join(" ")
  })
}

test("of one name exact paths come first, then longer ones, then more headers, then the older route, then the first by name", () => {
  expect(
    merged([
      rule("young", "/a", 2),
      rule("old", "/a", 1),
      rule("exact", "=/a", 9),
      rule("long", "/a/b", 9),
      rule("header", "/a X", 9),
      rule("b", "/c"),
      rule("a", "/c"),
    ]),
  ).toEqual(["=/a → exact", "/a/b → long", "/a X → header", "/c → a", "/a → old"])
})

test("a rule of a more specific name comes before longer paths of others", () => {
  expect(merged([rule("exact", "/path")], [rule("wild", "/path/prefix")])).toEqual(["/path → exact"])
})

test("what its conditions leave goes on to the other", () => {
  expect(merged([rule("exact", "/path A")], [rule("wild", "/path/prefix B")])).toEqual([
    "/path A → exact",
    "/path/prefix A → exact",
    "/path/prefix B → wild",
  ])
})

test("paths that do not overlap need no copies, and a longer path of the more specific name none either", () => {
  expect(merged([rule("exact", "/a/b")], [rule("wild", "/a"), rule("wild", "/abc")])).toEqual([
    "/a/b → exact",
    "/abc → wild",
    "/a → wild",
  ])
})

test("exact paths of a less specific name are hidden by prefixes", () => {
  expect(merged([rule("exact", "/")], [rule("wild", "=/x")])).toEqual(["/ → exact"])
  expect(merged([rule("exact", "/ A")], [rule("wild", "=/x")])).toEqual([
    "/ A → exact",
    "=/x A → exact",
    "=/x → wild",
  ])
})

test("patterns of a less specific name get what prefixes leave, and nothing of a prefix of everything", () => {
  expect(
    merged([rule("exact", "/a"), rule("exact", "/a.b/c X")], [rule("wild", "~/.*"), rule("wild", "/z")]),
  ).toEqual([
    "/a.b/c X → exact",
    "/a → exact",
    "~~^/a\\.b/c(?:/|\\z) X → exact",
    "~~^/a(?:/|\\z) → exact",
    "~/.* → wild",
    "/z → wild",
  ])
  expect(merged([rule("exact", "/")], [rule("wild", "~/.*")])).toEqual(["/ → exact"])
  expect(merged([rule("exact", "/ X"), rule("exact", "=/b")], [rule("wild", "~/.*")])).toEqual([
    "=/b → exact",
    "/ X → exact",
    "~~^/ X → exact",
    "~/.* → wild",
  ])
})

test("an exact path of a less specific name comes behind patterns, and before its own", () => {
  expect(
    merged([rule("exact", "~/api/.*")], [rule("wild", "~/api/l.*"), rule("wild", "=/api/login")]),
  ).toEqual(["~/api/.* → exact", "~~^/api/login\\z → wild", "~/api/l.* → wild"])
  expect(
    merged([rule("a", "~/x")], [rule("b", "/api X")], [rule("c", "=/api/login"), rule("c", "=/api/login Y")]),
  ).toEqual([
    "~/x → a",
    "/api X → b",
    "~~^/api(?:/|\\z) X → b",
    "~~^/api/login\\z Y → c",
    "~~^/api/login\\z → c",
  ])
})

test("a copy replaces as much of the path as the rule that it is of", () => {
  const actions = { rewrite: { path: { of: "prefix", by: "/new" } } } as const
  const { rules } = mergeRules([[rule("exact", "/a A", 0, actions)], [rule("wild", "/a/b")]], side)
  expect(rules.map(({ path, actions }) => [path, actions?.rewrite?.path?.by])).toEqual([
    ["/a", "/new"],
    ["/a/b", "/new/b"],
    ["/a/b", undefined],
  ])
})

test("a rule that fits nothing that is not another route's is told, and one that a route says twice is not", () => {
  const { rules, shadowed } = mergeRules(
    [
      [rule("young", "/a", 2), rule("old", "/a", 1), rule("headers", "/b X"), rule("same", "/b X", 3)],
      [rule("wild", "/a", 0)],
    ],
    side,
  )
  expect(rules.map(({ source }) => source.name)).toEqual(["headers", "old"])
  const names = shadowed.map(({ rule, by }) => [rule.source.name, by.source.name])
  expect(names).toEqual([
    ["same", "headers"],
    ["young", "old"],
  ])
  const twice = rule("twice", "/a")
  expect(mergeRules([[twice, twice]], side)).toMatchObject({ rules: [{ path: "/a" }], shadowed: [] })
})
