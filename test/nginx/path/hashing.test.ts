// Consistent hashing on a real nginx with four workers, from YAML to answers. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, beforeAll, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { Site } from "./site.ts"

const names = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"]
const uris = Array.from({ length: 60 }, (_, at) => `/item/${at}`)

let site: Site
beforeAll(async () => {
  site = await Site.start(names)
})
afterAll(() => site[Symbol.asyncDispose]())

const web = (annotations: Readonly<Record<string, string>>): Json =>
  ingress("demo/web", "foo.test/ → web:80", annotations)

/** The backends in the order of the endpoints' addresses. */
function inOrder(count: number): string[] {
  return [...site.backends]
    .slice(0, count)
    .sort((a, b) => a.port - b.port)
    .map(({ name }) => name)
}

/** Who answers each of the paths. */
async function owners(): Promise<Map<string, string>> {
  const answers = await Promise.all(uris.map(async (uri) => [uri, await site.answering(8, {}, uri)] as const))
  return new Map(answers.map(([uri, who]) => [uri, who.join()]))
}

test("271: an added endpoint takes some of the keys, and no other key moves; without it they come back", async () => {
  const hashed = web({ "upstream-hash-by": "$request_uri" })
  await site.put(...site.service("web", ...names.slice(0, 9)), hashed)
  const before = await owners()
  expect(new Set(before.values()).size).toBeGreaterThan(5)
  await site.put(...site.service("web", ...names), hashed)
  const after = await owners()
  const moved = uris.filter((uri) => before.get(uri) !== after.get(uri))
  expect(new Set(moved.map((uri) => after.get(uri)))).toEqual(new Set(moved.length > 0 ? ["b9"] : []))
  expect(moved.length).toBeLessThan(25)
  await site.put(...site.service("web", ...names.slice(0, 9)), hashed)
  expect(await owners()).toEqual(before)
})

test("variables are those of the request", async () => {
  await site.put(...site.service("web", ...names), web({ "upstream-hash-by": "$arg_user" }))
  expect(await site.answering(12, {}, "/a?user=one")).toEqual(await site.answering(12, {}, "/b?x=1&user=one"))
  const users = await Promise.all(uris.map((_, at) => site.answering(1, {}, `/?user=${at}`)))
  expect(new Set(users.flat()).size).toBeGreaterThan(5)
})

test("269: with subsets of 3, one URI meets at most 3 of 9", async () => {
  const subsets = { "upstream-hash-by": "$request_uri", "upstream-hash-by-subset": "true" }
  await site.put(...site.service("web", ...names.slice(0, 9)), web(subsets))
  const met = await Promise.all(uris.slice(0, 12).map((uri) => site.answering(40, {}, uri)))
  for (const some of met) expect(some.length).toBeLessThanOrEqual(3)
  expect(new Set(met.flat()).size).toBeGreaterThan(3)
})

test("281: 7 endpoints make 3 subsets, the last filled up with the first two", async () => {
  const subsets = {
    "upstream-hash-by": "$request_uri",
    "upstream-hash-by-subset": "true",
    "upstream-hash-by-subset-size": "3",
  }
  await site.put(...site.service("web", ...names.slice(0, 7)), web(subsets))
  const [a = "", b = "", c = "", d = "", e = "", f = "", g = ""] = inOrder(7)
  const wanted = [
    [a, b, c],
    [d, e, f],
    [g, a, b],
  ].map((subset) => subset.sort().join())
  const met = await Promise.all(uris.slice(0, 30).map((uri) => site.answering(40, {}, uri)))
  expect(new Set(met.map((some) => some.join()))).toEqual(new Set(wanted))
})

test("nothing of this needed a reload", () => site.expectOnlyPosts())
