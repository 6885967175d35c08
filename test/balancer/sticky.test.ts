/** Sessions by cookie: where they lead. */
import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { ingressRing } from "../support/reference-ring.ts"
import { backend, type PostedEndpoint, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { ask, MODES, nameOf, sticky, visit, workerOf } from "./sessions.ts"
import { Zones } from "./zones.ts"

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const ownerOf = (name: string) => md5(md5(name) + name)
const endpointsOf = (count: number, from = 0) => (backend("", from + count).endpoints ?? []).slice(from)

/** The value of a `Set-Cookie` header. */
function cookieOf(header: string | undefined): string {
  const value = /^SESSION=([^;]*)/.exec(header ?? "")?.[1]
  if (value === undefined) throw new Error(`No cookie: ${header}`)
  return value
}

test.each(MODES)("%s: a new session gets a cookie that leads to its endpoint from then on", (mode) => {
  const worker = workerOf(sticky(mode), 20)
  const seen = new Set<string>()
  for (let i = 0; i < 200; i++) {
    const { name, header } = ask(worker)
    seen.add(name)
    const cookie = cookieOf(header)
    expect(cookie).toMatch(new RegExp(`^[0-9a-f]{32}\\|${ownerOf("shop")}$`))
    for (let j = 0; j < 3; j++) expect(ask(worker, cookie)).toMatchObject({ name, header: undefined })
  }
  expect(seen.size).toBe(20)
})

test.each(MODES)("%s: every worker, and one that was just started, knows a session", (mode) => {
  const zones = new Zones()
  const worker = workerOf(sticky(mode), 50, { zones })
  const sessions = Array.from({ length: 50 }, () => ask(worker))
  const other = new Worker({ zones, seed: 99 })
  for (const { name, header } of sessions) {
    expect(ask(other, cookieOf(header))).toMatchObject({ name, header: undefined })
  }
})

test("balanced: any text before the bar is a key of ingress-nginx's ring, and stays", () => {
  const worker = workerOf(sticky("balanced"), 30)
  const names = endpointsOf(30).map(nameOf)
  const ring = ingressRing(names)
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" }).filter((key) => !key.includes("|")),
      fc.constantFrom("", "|", `|${ownerOf("shop")}`, "|other", "||"),
      (key, rest) => {
        expect(ask(worker, key + rest)).toMatchObject({ name: names[ring.find(key)], header: undefined })
      },
    ),
  )
})

test("persistent: the key is the MD5 of the backend's name and the endpoint's", () => {
  const worker = new Worker()
  visit(worker, "shop.test", "/")
  const hosts = ["10.0.0.1", "2001:db8::1", "10.250.250.250"]
  const names = ["10.0.0.1:1", "[2001:db8::1]:80", "10.250.250.250:65535"]
  const endpoints = hosts.map((address, i) => ({ address, port: [1, 80, 65535][i] as number }))
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 253, unit: fc.constantFrom(..."ab-0/.:") }),
      fc.nat(2),
      (name, i) => {
        if (name.startsWith(":")) return
        setBackends(worker, { name, endpoints, ...sticky("persistent") })
        worker.cookies.set("SESSION", `${md5(`${name}${names[i]}`)}|x`)
        worker.cookiesSet.clear()
        expect(nameOf(worker.pick(name))).toBe(names[i])
        expect(worker.cookiesSet.size).toBe(0)
        worker.cookies.clear()
        worker.pick(name)
        expect(cookieOf(worker.cookiesSet.get("SESSION")).split("|")[1]).toBe(ownerOf(name))
      },
    ),
    { numRuns: 300 },
  )
})

const key = md5("shop10.0.0.2:80")

test.each([
  ["empty", ""],
  ["a bar", "|"],
  ["no key", `|${ownerOf("shop")}`],
  ["garbage", "%00\u00ff\"'<>;,"],
  ["a key of another backend", `${md5("other10.0.0.2:80")}|${ownerOf("other")}`],
  ["an endpoint that is gone", md5("shop10.0.0.9:80")],
  ["upper case", key.toUpperCase()],
  ["too short", key.slice(1)],
  ["too long", `${key}0`],
  ["8 KiB", "x".repeat(8192)],
  ["the key of the balanced kind", "1700000000.123.42.999999"],
])("persistent: a cookie that names no endpoint is replaced: %s", (_, cookie) => {
  const worker = workerOf(sticky("persistent"))
  expect(ask(worker, key)).toMatchObject({ name: "10.0.0.2:80", header: undefined })
  const { name, header } = ask(worker, cookie)
  expect(cookieOf(header)).toBe(`${md5(`shop${name}`)}|${ownerOf("shop")}`)
})

test.each(["", "|", `|${ownerOf("shop")}`])("balanced: a cookie without a key is replaced: %j", (cookie) => {
  expect(ask(workerOf(sticky("balanced")), cookie).header).toBeDefined()
})

test("balanced: a key of 8 KiB leads to one endpoint", () => {
  const worker = workerOf(sticky("balanced"), 9)
  const { name } = ask(worker, "k".repeat(8192))
  expect(ask(worker, "k".repeat(8192))).toMatchObject({ name, header: undefined })
})

test.each(MODES)("%s: only the sessions of an endpoint that goes must move", (mode) => {
  const worker = workerOf(sticky(mode), 20)
  const sessions = Array.from({ length: 300 }, () => {
    const { name, header } = ask(worker)
    return { name, cookie: cookieOf(header) }
  })
  const moved = (endpoints: PostedEndpoint[]) => {
    setBackends(worker, { name: "shop", endpoints, ...sticky(mode) })
    return sessions.filter(({ name, cookie }) => ask(worker, cookie).name !== name)
  }
  const gone = "10.0.0.7:80"
  const left = endpointsOf(20).filter((endpoint) => nameOf(endpoint) !== gone)
  expect(moved(left)).toEqual(sessions.filter(({ name }) => name === gone))
  expect(moved(endpointsOf(20).toReversed())).toEqual([])
  const came = ["10.0.0.21:80", "10.0.0.22:80"]
  const rebalanced = moved(endpointsOf(22)).map(({ cookie }) => ask(worker, cookie).name)
  expect(new Set(rebalanced)).toEqual(new Set(mode === "balanced" ? came : []))
})

test.each(MODES)("%s: after a failure the session moves with its cookie if the settings say so", (mode) => {
  for (const count of [2, 16]) {
    const worker = workerOf(sticky(mode, { change_on_failure: true }), count)
    for (let i = 0; i < 50; i++) {
      const first = ask(worker)
      const tags = [first.tag]
      for (let attempt = 1; attempt < count; attempt++) {
        const { name, tag, header } = ask(worker, cookieOf(first.header), tags)
        expect(tags).not.toContain(tag)
        tags.push(tag)
        expect(ask(worker, cookieOf(header))).toMatchObject({ name, header: undefined })
      }
      expect(tags).toContain(ask(worker, undefined, tags).tag)
    }
  }
})

test.each(MODES)("%s: else it stays where it is, however often that fails", (mode) => {
  const worker = workerOf(sticky(mode), 5)
  const { name, tag, header } = ask(worker)
  const tags = [tag]
  for (let attempt = 1; attempt < 4; attempt++) {
    expect(ask(worker, cookieOf(header), tags)).toMatchObject({ name, header: undefined })
    tags.push(tag)
  }
})

test.each(MODES)("%s: a request without a cookie tries others, and gets the cookie of the last", (mode) => {
  const worker = workerOf(sticky(mode), 4)
  const tags: number[] = []
  for (let attempt = 0; attempt < 4; attempt++) {
    const { name, tag, header } = ask(worker, undefined, tags)
    expect(tags).not.toContain(tag)
    tags.push(tag)
    expect(ask(worker, cookieOf(header)).name).toBe(name)
  }
})

test.each(MODES)("%s: new sessions are spread by weight", (mode) => {
  const worker = new Worker()
  visit(worker, "shop.test", "/")
  setBackends(worker, { ...backend("shop", [1, 1, 4]), ...sticky(mode) })
  const heavy = Array.from({ length: 3000 }, () => ask(worker).name).filter((name) => name === "10.0.0.3:80")
  // Two thirds; on a ring of 960 points give or take a standard deviation of 5 %.
  expect(heavy.length).toBeGreaterThan(1650)
  expect(heavy.length).toBeLessThan(2350)
})

test.each(MODES)("%s: 1 and 10,000 endpoints", (mode) => {
  for (const count of [1, 10_000]) {
    const worker = workerOf(sticky(mode), count)
    for (let i = 0; i < 50; i++) {
      const { name, header } = ask(worker)
      expect(ask(worker, cookieOf(header))).toMatchObject({ name, header: undefined })
    }
  }
})

test.each(MODES)("%s: no memory is taken by sessions and changes", (mode) => {
  const worker = workerOf(sticky(mode), 20)
  const cycle = () => {
    for (const count of [20, 21, 3, 100, 1]) {
      setBackends(worker, { name: "shop", endpoints: endpointsOf(count, count % 7), ...sticky(mode) })
      for (let i = 0; i < 10; i++) ask(worker, "x".repeat(i * 500))
    }
  }
  for (let i = 0; i < 5; i++) cycle()
  const bytes = worker.memoryBytes
  for (let i = 0; i < 50; i++) cycle()
  expect(worker.memoryBytes).toBe(bytes)
})

test.each(MODES)("%s: where the host knows no cookies, each request is a new session", (mode) => {
  const worker = workerOf(sticky(mode), 4, { abilities: { request: false } })
  expect(new Set(Array.from({ length: 100 }, () => ask(worker, key).name)).size).toBe(4)
})

test.each(MODES)("%s: the same seed makes the same choices and cookies", (mode) => {
  const headers = () => {
    const worker = workerOf(sticky(mode), 9, { seed: 5 })
    return Array.from({ length: 20 }, () => ask(worker).header)
  }
  expect(headers()).toEqual(headers())
})

test("a change of mode is in force at once, and replaces what it cannot read", () => {
  const worker = workerOf(sticky("balanced"), 9)
  const balanced = cookieOf(ask(worker).header)
  setBackends(worker, { ...backend("shop", 9), ...sticky("persistent") })
  const { name, header } = ask(worker, balanced)
  expect(ask(worker, cookieOf(header))).toMatchObject({ name, header: undefined })
})
