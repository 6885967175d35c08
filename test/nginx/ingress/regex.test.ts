// Routes whose paths are patterns: nginx's PCRE, asked by the module; the order is tested in nginx/routes.
import { afterAll, beforeAll, expect, test } from "vitest"
import { answering, type Ingress, startIngress } from "../../../harness/ingress/ingress.ts"
import type { Route } from "../../../harness/ingress/records.ts"
import { until } from "../../../harness/until.ts"

let ingress: Ingress
beforeAll(async () => {
  ingress = await startIngress({
    workers: 2,
    http: "large_client_header_buffers 4 32k;",
    locations: answering("plain", "$proxy_upstream_name"),
  })
})
afterAll(() => ingress[Symbol.asyncDispose]())

const regex = (path: string, backend: string): Route => ({ path, match: "regex", backend })
const table = async (host: string, answers: Readonly<Record<string, string>>) => {
  for (const [path, answer] of Object.entries(answers))
    expect([path, await ingress.ask(host, path)]).toEqual([path, answer])
}

test("an exact route comes first, then the first pattern that matches, then the longest prefix", async () => {
  await ingress.route("order.test", [
    { path: "/id/long/prefix", backend: "prefix" },
    { path: "/id/7", match: "exact", backend: "exact" },
    regex("/id/[0-9]+$", "number"),
    regex("/id/.+", "id"),
    { path: "/", backend: "root" },
  ])
  await table("order.test", {
    "/id/7": "exact",
    "/id/8": "number",
    "/ID/8": "number",
    "/id/8/": "id",
    "/id/long/prefix/x": "id",
    "/id/": "root",
    "/x/id/8": "root",
    "/%69d/%38": "number",
    "//id//8?x=/y": "number",
  })
})

test("a group may be empty, and the end may be left open", async () => {
  await ingress.route("group.test", [regex("/something(/|$)(.*)", "something")])
  await table("group.test", {
    "/something": "something",
    "/something/": "something",
    "/something/new": "something",
    "/somethingelse": "404",
  })
})

test("what ingress-nginx's locations match is matched: bare alternatives, control characters, any bytes", async () => {
  await ingress.route("odd.test", [
    regex("/a|/b", "bare"),
    regex("/é.x", "bytes"),
    regex("/line.end$", "line"),
  ])
  await table("odd.test", {
    "/a": "bare",
    "/x/b": "bare",
    "/x/a": "404",
    "/%c3%a9%ffx": "bytes",
    "/line%20end%0A": "line",
    "/line%0Aend": "404",
  })
})

test("a text that is no pattern leaves its route out, and the log says so", async () => {
  await ingress.route("bad.test", [regex("/a(b", "bad"), regex("/a(b)?", "good")])
  expect(await ingress.ask("bad.test", "/ab")).toBe("good")
  const line =
    'Cannot match the pattern "/a(b", its route is passed over: missing closing parenthesis at byte 4'
  await until("the log line", () => ingress.nginx.errorLog().includes(line))
})

test("a match that takes too many steps ends the request, and no other route gets it", async () => {
  await ingress.route("bomb.test", [regex("/(a+)+$", "bomb"), { path: "/", backend: "open" }])
  expect(await ingress.ask("bomb.test", "/aaaa")).toBe("bomb")
  expect(await ingress.ask("bomb.test", "/b")).toBe("open")
  expect(await ingress.ask("bomb.test", `/${"a".repeat(20_000)}!`)).toBe("500")
  await until("the log line", () =>
    ingress.nginx.errorLog().includes('the pattern "/(a+)+$" takes too many steps'),
  )
  expect(await ingress.ask("bomb.test", "/aaaa")).toBe("bomb")
})

test("many slow patterns together end a request as well", async () => {
  // Each looks for each byte through the rest of the path: some milliseconds at 8 KiB, and not too many steps.
  const slow = Array.from({ length: 64 }, () => regex("/(.*)(?=.*=z)(.*)", "slow"))
  await ingress.route("slow.test", [...slow, { path: "/", backend: "rest" }])
  // The patterns become machine code in the course of some requests to each worker; until then they take too many steps.
  for (let n = 0; n < 20; n += 1) expect(await ingress.ask("slow.test", "/short")).toBe("rest")
  // The line may have to wait until another one is ten seconds old.
  const isTold = () => ingress.nginx.errorLog().includes("the patterns of its host take more than 50ms")
  await until("the log line", async () => {
    expect(await ingress.ask("slow.test", `/${"a".repeat(8000)}=!`)).toBe("500")
    return isTold()
  })
})

test("a long path is matched as a short one", async () => {
  await ingress.route("long.test", [
    regex("/(.*)/edit$", "edit"),
    regex("/((?!admin).)*$", "public"),
    regex("/(.*)", "rest"),
  ])
  const path = `/${"a".repeat(8000)}/${"b/".repeat(100)}`
  await table("long.test", {
    [`${path}edit`]: "edit",
    [`${path}edited`]: "public",
    [`${path}admin`]: "rest",
  })
})

test("a thousand patterns are a record like any other, and a new one is in force at once", async () => {
  const routes = (word: string) =>
    Array.from({ length: 1000 }, (_, n) => regex(`/(${word}${n})(/|$)(.*)`, `${word}-${n}`))
  for (const word of ["app", "new"]) {
    await ingress.route("many.test", routes(word))
    for (const n of [999, 0, 500])
      expect(await ingress.ask("many.test", `/${word}${n}/x`)).toBe(`${word}-${n}`)
    expect(await ingress.ask("many.test", `/${word}1000`)).toBe("404")
  }
})

test("changes under load: every answer is that of a record that was in force", async () => {
  const record = (n: number) => [regex(`/v(${n}|0)/(.*)`, `b${n}`), { path: "/", backend: "none" }]
  await ingress.route("change.test", record(1))
  let isDone = false
  const seen = new Map<string, number>()
  const load = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const answer = await ingress.ask("change.test", "/v0/x")
      seen.set(answer, (seen.get(answer) ?? 0) + 1)
    }
  })
  for (let n = 2; n <= 60; n += 1) {
    await ingress.route("change.test", record(n))
    expect(await ingress.ask("change.test", `/v${n}/x`)).toBe(`b${n}`)
    expect(await ingress.ask("change.test", `/v${n - 1}/x`)).toBe("none")
  }
  isDone = true
  await Promise.all(load)
  expect([...seen.keys()].every((answer) => /^b\d+$/.test(answer))).toBe(true)
})
