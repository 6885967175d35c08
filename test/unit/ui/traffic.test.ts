import { expect, test } from "vitest"
import type { RequestCount } from "../../../controller/model/request-count.ts"
import { answers } from "../../../ui/answers.ts"
import type { IngressTraffic } from "../../../ui/api.ts"
import { Question } from "../../../ui/question.ts"
import { Traffic } from "../../../ui/traffic.ts"
import { sourcesOf } from "./sources.ts"

const counted = (ingress: string, status: string, count: number): RequestCount => ({ ingress, status, count })

/** What nginx has counted at each look, in parts. */
function trafficOf(...looks: readonly (readonly (readonly RequestCount[])[])[]) {
  let asked = 0
  const traffic = new Traffic(async function* () {
    yield* looks[asked++] ?? []
  })
  return { traffic, asked: () => asked }
}

test("totals are of all pages and statuses, rates since the look before", async () => {
  const { traffic } = trafficOf(
    [[counted("a/a", "200", 10), counted("a/a", "503", 1)], [counted("a/a", "404", 2)]],
    [
      [counted("a/a", "200", 30), counted("a/a", "503", 6)],
      [counted("a/a", "404", 2)],
      [counted("b/b", "5xx", 5)],
    ],
  )
  expect(await traffic.look(0)).toEqual([{ ingress: "a/a", total: { requests: 13, errors: 1, refused: 2 } }])
  expect(await traffic.look(5000)).toEqual([
    {
      ingress: "a/a",
      total: { requests: 38, errors: 6, refused: 2 },
      perSecond: { requests: 5, errors: 1, refused: 0 },
    },
    {
      ingress: "b/b",
      total: { requests: 5, errors: 5, refused: 0 },
      perSecond: { requests: 1, errors: 1, refused: 0 },
    },
  ])
})

test("what counts anew is no negative rate, and a look of long ago says nothing", async () => {
  const { traffic } = trafficOf(
    [[counted("a/a", "200", 100)]],
    [[counted("a/a", "200", 20)]],
    [[counted("a/a", "200", 30)]],
  )
  await traffic.look(0)
  expect((await traffic.look(10_000))?.[0]?.perSecond?.requests).toBe(2)
  expect((await traffic.look(200_000))?.[0]).not.toHaveProperty("perSecond")
})

test("nginx is asked once, however many look, and again after a failure", async () => {
  const { traffic, asked } = trafficOf([[]], [[]])
  await Promise.all([traffic.look(0), traffic.look(1), traffic.look(2000)])
  expect(asked()).toBe(1)
  await traffic.look(3000)
  expect(asked()).toBe(2)
  let isAway = true
  const other = new Traffic(async function* () {
    if (isAway) throw new Error("away")
    yield []
  })
  await expect(other.look(0)).rejects.toThrow("away")
  isAway = false
  expect(await other.look(1)).toEqual([])
})

test("there is none where nginx does not count", async () => {
  const { traffic } = trafficOf([])
  expect(await traffic.look(0)).toBeUndefined()
  const answer = await answers.traffic(new Question(new URLSearchParams()), sourcesOf([], { traffic }))
  expect(answer).toEqual({ total: 0, offset: 0, items: [], isCounted: false })
})

test("those that fail come first, then the busiest, of those that are searched for", async () => {
  const one = (ingress: string, requests: number, errors: number): IngressTraffic => {
    const perSecond = { requests, errors, refused: 0 }
    return { ingress, total: { requests: 1000, errors: 1000 - requests, refused: 0 }, perSecond }
  }
  const all = [
    one("shop/idle", 0, 0),
    one("shop/busy", 900, 0),
    one("shop/ill", 5, 1),
    one("pay/busy", 900, 0),
  ]
  const sources = sourcesOf([], { traffic: { look: async () => all } })
  const names = async (query: string) => {
    const { items } = await answers.traffic(new Question(new URLSearchParams(query)), sources)
    return items.map(({ ingress }) => ingress)
  }
  expect(await names("")).toEqual(["shop/ill", "pay/busy", "shop/busy", "shop/idle"])
  expect(await names("q=SHOP&limit=2")).toEqual(["shop/ill", "shop/busy"])
})
