/** Sessions by cookie: where they lead, when a cookie is issued, and its text. */
import { createHash } from "node:crypto"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { ingressRing } from "../support/reference-ring.ts"
import { backend, type PostedEndpoint, setBackends } from "./build.ts"
import { Worker, type WorkerOptions } from "./host.ts"
import { Zones } from "./zones.ts"

const MODES = ["balanced", "persistent"] as const
type Fields = { [field: string]: unknown }

const HERE = { "shop.test": ["/", "/cart"] }

const sticky = (mode: string, cookie: Fields = {}): Fields => ({
  sessionAffinityConfig: {
    name: "cookie",
    mode,
    cookieSessionAffinity: { name: "SESSION", locations: HERE, ...cookie },
  },
})

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const ownerOf = (name: string) => md5(md5(name) + name)
const nameOf = ({ address, port }: { address: string; port: string | number }) => `${address}:${port}`
const endpointsOf = (count: number, from = 0) => (backend("", from + count).endpoints ?? []).slice(from)

/** Requests go to `shop.test/`. */
function workerOf(fields: Fields, count = 3, options: WorkerOptions = {}): Worker {
  const worker = new Worker(options)
  visit(worker, "shop.test", "/")
  setBackends(worker, { ...backend("shop", count), ...fields })
  return worker
}

function visit(worker: Worker, host: string, location: string): void {
  worker.properties.set("ngx\0ingress_host", host).set("ngx\0location_path", location)
}

/** What a request with this cookie gets: an endpoint, and the `Set-Cookie` header if there is one. */
function ask(worker: Worker, cookie?: string, tried: readonly number[] = []) {
  worker.cookies.clear()
  worker.cookiesSet.clear()
  if (cookie !== undefined) worker.cookies.set("SESSION", cookie)
  const { tag, ...endpoint } = worker.pick("shop", tried)
  return { name: nameOf(endpoint), tag, header: worker.cookiesSet.get("SESSION") }
}

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

test.each<[string, string, string, Fields, boolean]>([
  ["the host and a location of it", "shop.test", "/cart", {}, true],
  ["another location", "shop.test", "/c", {}, false],
  ["a longer location", "shop.test", "/cart/", {}, false],
  ["another host", "other.test", "/", {}, false],
  ["a wildcard's record", "*.shop.test", "/", { locations: { "*.shop.test": ["/"] } }, true],
  [
    "the record of a host that has a wildcard beside it",
    "a.shop.test",
    "/",
    { locations: { "*.shop.test": ["/"] } },
    false,
  ],
  ["every other host", "_", "/", { locations: { _: ["/"] } }, true],
  [
    "a host of several",
    "b.test",
    "/b",
    { locations: { "a.test": ["/a"], "b.test": ["/a", "/b"], c: ["/"] } },
    true,
  ],
  [
    "a location of another host of several",
    "a.test",
    "/b",
    { locations: { "a.test": ["/a"], "b.test": ["/b"] } },
    false,
  ],
  ["no locations", "shop.test", "/", { locations: {} }, false],
])("is a cookie issued? %s", (_, host, location, cookie, isIssued) => {
  for (const mode of MODES) {
    const worker = workerOf(sticky(mode, cookie))
    visit(worker, host, location)
    expect(ask(worker).header !== undefined).toBe(isIssued)
  }
})

test.each<[string, string | undefined, Fields, boolean]>([
  ["its own", "shop", {}, true],
  ["another's", "shops", {}, false],
  ["nobody's", "", {}, false],
  ["unknown", undefined, {}, false],
  ["those that it takes part in", "main", { sessions_of: "main" }, true],
  ["its own, of which it has none", "shop", { sessions_of: "main" }, false],
])("is a cookie issued where the route's sessions are %s?", (_, session, cookie, isIssued) => {
  for (const mode of MODES) {
    const worker = workerOf(sticky(mode, { locations: {}, ...cookie }))
    visit(worker, "any.test", "/any")
    if (session !== undefined) worker.properties.set("ngx\0route_session", session)
    const { header } = ask(worker)
    expect(header !== undefined).toBe(isIssued)
    if (isIssued) expect(header).toContain("; Path=/any;")
  }
})

test("no cookie is issued where the host does not tell host and location", () => {
  const worker = workerOf(sticky("balanced"))
  worker.properties.delete("ngx\0ingress_host")
  expect(ask(worker).header).toBeUndefined()
  visit(worker, "shop.test", "/")
  worker.properties.delete("ngx\0location_path")
  expect(ask(worker).header).toBeUndefined()
})

/** The attributes of the cookie that a request with these settings gets. */
function attributes(cookie: Fields, prepare: (worker: Worker) => void = () => {}): string {
  const worker = workerOf(sticky("persistent", cookie))
  prepare(worker)
  return (ask(worker).header ?? "").replace(/^[^;]*/, "")
}

test("the attributes come in the order of ingress-nginx", () => {
  const all = {
    expires: "172800",
    maxage: "86400",
    domain: "shop.test",
    path: "/a?b=c",
    secure: true,
    samesite: "Strict",
  }
  expect(attributes(all)).toBe(
    "; Expires=Thu, 16-Nov-23 22:13:20 GMT; Max-Age=86400; Domain=shop.test; Path=/a?b=c; Secure; HttpOnly; SameSite=Strict",
  )
  expect(attributes({})).toBe("; Path=/; HttpOnly")
})

test("without a path of its own the cookie is for the location", () => {
  expect(attributes({}, (worker) => visit(worker, "shop.test", "/cart"))).toBe("; Path=/cart; HttpOnly")
})

test("a location that cannot stand in a cookie is left to the browser", () => {
  for (const location of ["/a;Domain=evil.test", "/a\r\nX: y", "/a\x7f"]) {
    const visitHere = (worker: Worker) => visit(worker, "shop.test", location)
    expect(attributes({ locations: { "shop.test": [location] } }, visitHere)).toBe("; HttpOnly")
  }
})

test("over HTTPS the cookie is secure", () => {
  const https = (worker: Worker) => worker.properties.set("ngx\0https", "on")
  const http = (worker: Worker) => worker.properties.set("ngx\0https", "")
  expect(attributes({}, https)).toBe("; Path=/; Secure; HttpOnly")
  expect(attributes({ secure: false }, https)).toBe("; Path=/; Secure; HttpOnly")
  expect(attributes({ secure: false }, http)).toBe("; Path=/; HttpOnly")
  expect(attributes({ secure: true }, http)).toBe("; Path=/; Secure; HttpOnly")
})

test("seconds may be negative", () => {
  expect(attributes({ expires: "-1700000000", maxage: -5 })).toBe(
    "; Expires=Thu, 01-Jan-70 00:00:00 GMT; Max-Age=-5; Path=/; HttpOnly",
  )
  expect(attributes({ expires: -100_000_000_000 })).toContain("Expires=Thu, 01-Jan-70 00:00:00 GMT")
})

test("dates are those of the calendar, with four digits of the year after 2037", () => {
  const worker = workerOf({})
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 4e9 }),
      (expires, now) => {
        worker.time = now
        setBackends(worker, { ...backend("shop", 1), ...sticky("persistent", { expires }) })
        const [weekday, day, month, year, clock] = new Date((now + expires) * 1000).toUTCString().split(" ")
        const shownYear = Number(year) > 2037 ? Number(year) : year?.slice(2)
        expect(ask(worker).header).toContain(
          `; Expires=${weekday} ${day}-${month}-${shownYear} ${clock} GMT;`,
        )
      },
    ),
    { numRuns: 500 },
  )
})

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 12_2 like Mac OS X) Safari/605"
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6)"

test.each([
  ["Chrome/51.0", false],
  ["Chrome/49", false],
  ["Chrome/69", false],
  ["Chrome/90.0", true],
  [IPHONE, false],
  [IPHONE.replace("12_2", "13_0"), true],
  ["Mozilla/5.0 (iPad; CPU OS 12_0) Safari", false],
  [`${MAC} Version/13 Safari/605`, false],
  [`${MAC} Chrome/90 Safari/537`, true],
  [MAC, true],
  [`${MAC.replace("10_14", "10_15")} Safari`, true],
  ["", true],
])("SameSite=None for %s: %s", (agent, isShown) => {
  const header = (samesite: string, isConditional: boolean) =>
    attributes({ samesite, conditional_samesite_none: isConditional }, (worker) => {
      worker.requestHeaders = new Map(agent === "" ? [] : [["user-agent", agent]])
    })
  expect(header("None", true)).toBe(`; Path=/; HttpOnly${isShown ? "; SameSite=None" : ""}`)
  expect(header("None", false)).toContain("SameSite=None")
  expect(header("Lax", true)).toContain("SameSite=Lax")
})
