import { describe, expect, test } from "vitest"
import type { ApiRequest } from "../../../../controller/input/cluster/api.ts"
import { readingOf } from "../../../../controller/input/cluster/reading.ts"

const object = (name: string, version = "7") => ({
  metadata: { namespace: "shop", name, resourceVersion: version },
  data: {},
})

/** Reads with these answers, and notes what was asked. */
function answering(...answers: readonly unknown[]) {
  const asked: ApiRequest[] = []
  const send = async (request: ApiRequest) => {
    asked.push(request)
    return answers[asked.length - 1]
  }
  return { asked, reading: readingOf({ send }, "Secret", new AbortController().signal) }
}

describe("one object", () => {
  test("is a list of what has its name, at least as new as was announced, with the selectors of the watch", async () => {
    const { asked, reading } = answering({ items: [object("tls")] })
    expect(await reading.one("shop/tls", "5")).toEqual({ version: "7", object: object("tls") })
    expect(asked).toEqual([
      {
        method: "GET",
        path: "/api/v1/namespaces/shop/secrets",
        query: {
          fieldSelector: "type!=helm.sh/release.v1,metadata.name=tls",
          resourceVersion: "5",
          resourceVersionMatch: "NotOlderThan",
        },
      },
    ])
  })

  test.each([
    ["there is none", { items: [] }],
    ["there is none, as some servers say it", { items: null }],
    ["another one came", { items: [object("other")] }],
  ])("is undefined when %s", async (_, answer) => {
    expect(await answering(answer).reading.one("shop/tls", "5")).toBeUndefined()
  })

  test.each([
    ["no list", { kind: "Secret" }],
    ["nothing", undefined],
    ["an object without a version", { items: [{ metadata: { namespace: "shop", name: "tls" } }] }],
    ["something that is no object", { items: ["tls"] }],
  ])("fails when the answer is %s", async (_, answer) => {
    await expect(answering(answer).reading.one("shop/tls", "5")).rejects.toThrow(/^the answer /)
  })
})

test("all of a namespace come page by page", async () => {
  const first = { metadata: { continue: "more" }, items: [object("one"), object("two")] }
  const { asked, reading } = answering(first, { metadata: {}, items: [object("three", "9")] })
  const pages: unknown[] = []
  for await (const page of reading.all("shop"))
    pages.push([...page].map(([name, { version }]) => [name, version]))
  expect(pages).toEqual([
    [
      ["shop/one", "7"],
      ["shop/two", "7"],
    ],
    [["shop/three", "9"]],
  ])
  expect(asked.map(({ query }) => query)).toEqual([
    { fieldSelector: "type!=helm.sh/release.v1", limit: "500" },
    { fieldSelector: "type!=helm.sh/release.v1", limit: "500", continue: "more" },
  ])
})
