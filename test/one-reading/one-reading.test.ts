// Requests as attackers write them are read in one way by route, checks, log, authentication service and backend, or are refused. Some of those that
// `run.ts` tries; the same each time.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { acceptedDisagreements } from "./accepted.ts"
import { bytesOf, type Case, generate } from "./grammar.ts"
import { disagreements, type Readings } from "./oracle.ts"
import { Random } from "./random.ts"
import { search, searchHttp2 } from "./search.ts"
import { OneReading } from "./site.ts"

let site: OneReading
beforeAll(async () => {
  execFileSync(join(root, "build/one-reading.sh"), { stdio: "inherit" })
  site = await OneReading.start()
})
afterAll(() => site?.[Symbol.asyncDispose]())

test("a thousand requests", async () => {
  const found = await search(site, 1, 600)
  expect(found.findings).toEqual([])
  expect(found.requests).toBeGreaterThan(1_000)
  expect(found.served).toBeGreaterThan(100)
})

test("a hundred by HTTP/2", async () => {
  expect(await searchHttp2(site, 1, 100)).toEqual([])
})

describe("what was found once", () => {
  const request = (line: string, ...headers: readonly string[]): Case => [{ line, headers, body: "" }]
  const found: readonly Case[] = [
    [
      "/#/../guarded",
      "/open#",
      "/open/../guarded/x",
      "/open/..;/guarded",
      "/open\\..\\guarded",
      "/open/%2e%2e%5cguarded",
    ].map((target) => request(`GET ${target} HTTP/1.1`, "Host: go.test")),
    request("GET /cut../guarded HTTP/1.1", "Host: cut.node.test"),
    request("GET /asks HTTP/1.1", "Host: node.test", "Cookie: Session=nobody; session=ann"),
    request("GET /asks HTTP/1.1", "Host: node.test", "Cookie: session=nobody", "X-User: evil"),
    request("GET / HTTP/1.1", "Host: node.test", "X-Forwarded-Prefix: /guarded", "Forwarded: for=10.9.8.7"),
  ]
    .flat(2)
    .map((message) => [message])

  test.each(
    found.map((messages) => [JSON.stringify(bytesOf(messages)), messages] as const),
  )("%s", async (_, messages) => {
    expect(await site.findings([await site.send(messages)])).toEqual([])
  })
})

describe("the comparison", () => {
  const good: Readings = {
    report: {
      who: "node",
      method: "GET",
      target: "/asks/x",
      host: "node.test",
      path: "/asks/x",
      normal: "/asks/x",
      prefix: "",
      forwardedFor: "127.0.0.1",
      realIp: "127.0.0.1",
      proto: "http",
      forwardedHost: "node.test",
      user: "ann",
      id: "1",
      length: "0",
    },
    logged: {
      id: "1",
      host: "node.test",
      uri: "/asks/x",
      target: "/asks/x",
      address: "127.0.0.1",
      method: "GET",
      scheme: "http",
      path: "/asks",
    },
    asked: {
      id: "1",
      url: "http://node.test/asks/x",
      realIp: "127.0.0.1",
      forwardedFor: "127.0.0.1",
      user: "ann",
    },
  }

  test("finds nothing where all agree", () => {
    expect(disagreements(good)).toEqual([])
  })

  test.each([
    { report: { host: "go.test" } },
    { report: { forwardedHost: "go.test" } },
    { report: { normal: "/guarded" } },
    { report: { path: "/open/../asks/x" } },
    { report: { target: "/other" } },
    { report: { method: "POST" } },
    { report: { prefix: "/evil" } },
    { report: { forwardedFor: "10.9.8.7" } },
    { report: { realIp: "10.9.8.7" } },
    { report: { proto: "https" } },
    { report: { user: "bob" } },
    { report: { user: "" } },
    { logged: { path: "/guarded" } },
    { logged: { host: "go.test" } },
    { asked: { user: "" } },
    { asked: { url: "http://node.test/open/../asks" } },
    { asked: { url: "http://go.test/asks/x" } },
    { asked: { realIp: "10.9.8.7" } },
  ] as const)("sees %j", (other: { report?: object; logged?: object; asked?: object }) => {
    const changed = {
      report: { ...good.report, ...other.report },
      logged: { ...good.logged, ...other.logged },
      asked: { ...good.asked, ...other.asked },
    } as Readings
    expect(disagreements(changed).length).toBeGreaterThan(0)
  })

  test("sees what the log does not know", () => {
    expect(disagreements({ ...good, logged: undefined })).toHaveLength(1)
  })
})

test("a seed is a case", () => {
  expect(bytesOf(generate(new Random(7)))).toBe(bytesOf(generate(new Random(7))))
  expect(
    new Set(Array.from({ length: 100 }, (_, seed) => bytesOf(generate(new Random(seed))))).size,
  ).toBeGreaterThan(95)
})

test("what is accepted has a reason", () => {
  for (const { reason } of acceptedDisagreements) expect(reason.length).toBeGreaterThan(20)
})
