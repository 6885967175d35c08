// Paths that a backend could read as another one's than the route whose checks were asked: refused, unless all readings lead to the same route.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Echo } from "../../../harness/echo.ts"
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

const backend = new Echo()
let site: Site
beforeAll(async () => {
  await backend.start()
  site = await Site.start([])
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})

/** Status, and the target that the backend was asked for. */
async function ask(target: string) {
  backend.asked.length = 0
  const answer = await rawRequest(
    site.wick.port,
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: foo.test\r\nConnection: close\r\n\r\n`, "latin1"),
  )
  return [Number(answer.slice(9, 12)), backend.asked.map(({ url }) => url).join(" ")] as const
}

describe("between paths with checks and without", () => {
  beforeAll(async () => {
    await site.put(
      ingress("demo/open", "foo.test/open → app:80", {}, 1),
      ingress("demo/guarded", "foo.test/guarded → app:80", { "denylist-source-range": "127.0.0.0/8" }, 2),
      ...serviceOn("demo/app", [backend.port]),
    )
  })

  const between = [
    "/..",
    "/%2e%2e",
    "/.%2E",
    "%2f..",
    "/..;",
    "/..;a=b",
    "\\..",
    "%5c..",
    "/x/../..",
    "//..",
    "/./..",
  ]

  test.each(between)("%s leads from neither to the other", async (up) => {
    for (const slash of ["/", "%2f", "\\", "//"]) {
      const targets = [`/open${up}${slash}guarded`, `/guarded${up}${slash}open`]
      for (const target of [...targets, ...targets.map((it) => `${it}/x?y`)]) {
        const [status, url] = await ask(target)
        expect([400, 403, 404], `${target}: ${url}`).toContain(status)
        expect(url, target).toBe("")
      }
    }
  })

  test("what stays in its path is passed on as it came", async () => {
    for (const target of [
      "/open/a/../b",
      "/open/./b",
      "/open/a%2fb",
      "/open//b",
      "/open/a;b",
      "/open/a%5cb",
      "/open/%2e%2e%2fopen/x",
    ])
      expect(await ask(target)).toEqual([200, target])
  })
})

test("rewriting leaves no dots that lead out of what the backend is to see", async () => {
  const rewrite = { "use-regex": "true", "rewrite-target": "/inside/$1" }
  await site.put(
    ingress("demo/api", "foo.test/api(.*) → app:80", rewrite),
    ...serviceOn("demo/app", [backend.port]),
  )
  await until("the Ingress", async () => (await ask("/api/x"))[0] === 200)
  for (const target of [
    "/api../x",
    "/api..",
    "/api.",
    "/api./x",
    "/api..%2fx",
    "/api..;/x",
    "/api..\\x",
    "/api..%5cx",
  ])
    expect(await ask(target), target).toEqual([400, ""])
  expect(await ask("/api/x..y")).toEqual([200, "/inside//x..y"])
})
