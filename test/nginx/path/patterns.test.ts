// Which patterns compile is nginx's own PCRE's to say, and it says it before any request meets them.
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ingress } from "../../../harness/manifests.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { Site } from "./site.ts"
import { unharmed } from "./unharmed.ts"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a")
  plane = await startPlane({})
  await plane.apply({
    backends: { set: [backend("shop", backends)] },
    routes: { set: [host("shop.test", "shop")] },
  })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})

async function judged(patterns: readonly string[]): Promise<(string | null)[]> {
  const answer = await plane.nginx.control("POST", "/configuration/patterns", JSON.stringify(patterns))
  expect(answer.status).toBe(200)
  return answer.json() as (string | null)[]
}

/** Where PCRE2 sees a mistake: from 10.47 on, behind it rather than before it. */
const at = async (before: number, behind: number) => {
  const [verdict] = await judged(["/a)"])
  return verdict?.endsWith("at byte 3") ? behind : before
}

test.each([
  ["/cart(/|$)(.*)", null],
  ["/a|/b", null],
  ["/(?<year>[0-9]{4})/\\k<year>", null],
  ["/caf\u00e9", null],
  ["/", null],
  ["/a(", "missing closing parenthesis at byte 3"],
  ["/caf\u00e9(", "missing closing parenthesis at byte 7"],
  ['/"(?<n', "syntax error in subpattern name (missing terminator?) at byte 6"],
  ["/a{2,1}", "numbers out of order in {} quantifier at byte 6"],
  ["/\\", "\\ at end of pattern at byte 2"],
  ["/(?x)a #", null],
])("%s: %s", async (pattern, reason) => {
  expect(await judged([pattern, "/x"])).toEqual([reason, null])
})

test.each([
  ["/a)", "unmatched closing parenthesis", 2, 3],
  ["/a)|(b", "unmatched closing parenthesis", 2, 3],
  ["/[z-a]", "range out of order in character class", 4, 5],
  ["/((((a{1,50}){1,50}){1,50}){1,50})", "regular expression is too large", 34, 0],
])("%s: %s", async (pattern, reason, before, behind) => {
  expect(await judged([pattern, "/x"])).toEqual([`${reason} at byte ${await at(before, behind)}`, null])
})

test("the longest patterns that there may be are judged in time, as many as there may be", async () => {
  const long = (part: string) => `/${part.repeat(Math.floor(4095 / part.length))}`
  const costly = ["(a{1,9}){1,9}", "(?<n>a)?", "(a?)?", "[^a-z]*", "(?:a|b)*", "a*(?:b?)", "(?=a", "("]
  await unharmed(plane.nginx.port, async () => {
    const verdicts = await judged([...costly, ...costly].map(long))
    expect(verdicts.filter((verdict) => verdict === null)).toHaveLength(10)
  })
  expect(plane.nginx.errorLog()).not.toContain("deadline")
})

test("of an Ingress that do not compile are told, and everything else of the host is served", async () => {
  await using site = await Site.start(["a"])
  const regex = { "use-regex": "true" }
  await site.put(
    ...site.service("a", "a"),
    ingress("demo/good", "foo.test/good/[0-9]+$ ~→ a:80", regex),
    ingress("demo/bad", "foo.test/bad( ~→ a:80", regex),
  )
  expect((await site.get("/good/1")).body).toBe("a")
  expect((await site.get("/good/x")).status).toBe(404)
  expect((await site.get("/bad(")).status).toBe(404)
  await site.untilProblem("bad-pattern")
  const told = site.wick.log().match(/^.*"bad-pattern".*$/gm) ?? []
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    {
      object: { kind: "Ingress", namespace: "demo", name: "bad" },
      detail: expect.stringContaining("missing closing parenthesis at byte 5"),
    },
  ])
  await site.expectOnlyPosts()
})
