/** Which backend takes a request: that of its route, or one of its alternatives. */
import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { backend, removeBackends, setBackends } from "./build.ts"
import { Worker } from "./host.ts"

type Fields = { [field: string]: unknown }
type Shaping = {
  weight?: number
  weightTotal?: number
  header?: string
  headerValue?: string
  headerPattern?: string
  cookie?: string
}

const ALTERNATIVE = "ngx\0proxy_alternative_upstream_name"

const shaping = (fields: Shaping): Fields => ({ trafficShapingPolicy: { weight: 0, ...fields } })

/** The backend `main` at 10.0.0.1 with alternatives `canary-1` at 10.1.0.1, `canary-2` at 10.2.0.1 … shaped so. */
function workerOf(...shapings: Shaping[]): Worker {
  const worker = new Worker()
  const names = shapings.map((_, i) => `canary-${i + 1}`)
  setBackends(
    worker,
    { ...backend("main", 1), alternativeBackends: names },
    ...shapings.map((fields, i) => ({ ...canary(i + 1), ...shaping(fields) })),
  )
  return worker
}

const canary = (n: number) => ({
  name: `canary-${n}`,
  endpoints: [{ address: `10.${n}.0.1`, port: 80 }],
  noServer: true,
})

type Request = { headers?: Record<string, string>; cookies?: Record<string, string> }

/** Which backend takes the request: 0 for main, n for `canary-n`. */
function ask(worker: Worker, { headers = {}, cookies = {} }: Request = {}): number {
  worker.properties.clear()
  for (const [name, value] of Object.entries(headers)) {
    worker.properties.set(`ngx\0http_${name.toLowerCase().replaceAll("-", "_")}`, value)
  }
  worker.cookies = new Map(Object.entries(cookies))
  for (const [name, value] of Object.entries(cookies))
    worker.properties.set(`ngx\0cookie_${name.toLowerCase()}`, value)
  const [, n] = /^10\.(\d)\.0\.1$/.exec(worker.pick("main").address) ?? []
  const name = worker.properties.get(ALTERNATIVE)
  expect(name).toBe(n === "0" ? undefined : `canary-${n}`)
  return Number(n)
}

/** How many of so many requests each backend takes. */
function shares(worker: Worker, requests: number, request?: Request): number[] {
  const counts: number[] = []
  for (let i = 0; i < requests; i++) {
    const n = ask(worker, request)
    counts[n] = (counts[n] ?? 0) + 1
  }
  return Array.from(counts, (count) => count ?? 0)
}

const all = { weight: 100 }

test.each<[string, Shaping, Request, number]>([
  ["weight of all", all, {}, 1],
  ["no weight", {}, {}, 0],
  ["weight above its total", { weight: 500, weightTotal: 200 }, {}, 1],
  ["header always", { header: "X-Canary" }, { headers: { "x-canary": "always" } }, 1],
  ["header never", { ...all, header: "X-Canary" }, { headers: { "x-canary": "never" } }, 0],
  ["another header", { header: "X-Canary" }, { headers: { "x-other": "always" } }, 0],
  ["header of another value, no weight", { header: "X-Canary" }, { headers: { "x-canary": "Always" } }, 0],
  ["header of another value", { ...all, header: "X-Canary" }, { headers: { "x-canary": "yes" } }, 1],
  ["an empty header", { ...all, header: "X-Canary" }, { headers: { "x-canary": "" } }, 1],
  ["a header named with underscores", { header: "x_canary" }, { headers: { "X-Canary": "always" } }, 1],
  ["header value", { header: "a", headerValue: "DoCanary" }, { headers: { a: "DoCanary" } }, 1],
  ["another header value", { header: "a", headerValue: "DoCanary" }, { headers: { a: "docanary" } }, 0],
  [
    "`never` beside a header value means nothing",
    { ...all, header: "a", headerValue: "x" },
    { headers: { a: "never" } },
    1,
  ],
  [
    "`always` beside a header value means nothing",
    { header: "a", headerValue: "x" },
    { headers: { a: "always" } },
    0,
  ],
  [
    "a header value comes before a pattern",
    { header: "a", headerValue: "x", headerPattern: "." },
    { headers: { a: "y" } },
    0,
  ],
  ["pattern", { header: "a", headerPattern: "^v[0-9]+$" }, { headers: { a: "v12" } }, 1],
  ["a pattern that matches somewhere", { header: "a", headerPattern: "v" }, { headers: { a: "12v3" } }, 1],
  ["a pattern that does not match", { header: "a", headerPattern: "^v[0-9]+$" }, { headers: { a: "v" } }, 0],
  [
    "a pattern that does not match leaves it to the weight",
    { ...all, header: "a", headerPattern: "x" },
    { headers: { a: "v" } },
    1,
  ],
  [
    "`never` beside a pattern means nothing",
    { ...all, header: "a", headerPattern: "x" },
    { headers: { a: "never" } },
    1,
  ],
  [
    "a bad pattern: main, whatever comes after",
    { ...all, header: "a", headerPattern: "[", cookie: "c" },
    { headers: { a: "v" }, cookies: { c: "always" } },
    0,
  ],
  ["a bad pattern without the header", { ...all, header: "a", headerPattern: "[" }, {}, 1],
  ["cookie always", { cookie: "my-cookie" }, { cookies: { "my-cookie": "always" } }, 1],
  ["cookie never", { ...all, cookie: "c" }, { cookies: { c: "never" } }, 0],
  ["cookie of another value", { ...all, cookie: "c" }, { cookies: { c: "1" } }, 1],
  ["cookie of another value, no weight", { cookie: "c" }, { cookies: { c: "1" } }, 0],
  [
    "the header before the cookie",
    { header: "a", cookie: "c" },
    { headers: { a: "never" }, cookies: { c: "always" } },
    0,
  ],
  [
    "an undecided header leaves it to the cookie",
    { header: "a", headerValue: "x", cookie: "c" },
    { headers: { a: "y" }, cookies: { c: "always" } },
    1,
  ],
])("%s", (_, fields, request, expected) => {
  expect(ask(workerOf(fields), request)).toBe(expected)
})

test.each([
  [{ weight: 10 }, 0.1],
  [{ weight: 100, weightTotal: 200 }, 0.5],
  [{ weight: 1, weightTotal: 1000 }, 0.001],
  // Totals below 100 count as 100.
  [{ weight: 10, weightTotal: 10 }, 0.1],
])("a weight of %j takes its share", (fields, share) => {
  const requests = 20_000
  const [, taken = 0] = shares(workerOf(fields), requests)
  const deviation = Math.sqrt(requests * share * (1 - share))
  expect(Math.abs(taken - requests * share)).toBeLessThan(4 * deviation)
})

test("several alternatives: one draw over their weights, and main has the rest", () => {
  const worker = workerOf({ weight: 20 }, { weight: 1, weightTotal: 2 }, { weight: 300, weightTotal: 1000 })
  const requests = 20_000
  const expected = [0.49, 0.2, 0.01, 0.3].map((share) => share * requests)
  const counts = shares(worker, requests)
  counts.forEach((count, n) => {
    expect(Math.abs(count - (expected[n] ?? 0))).toBeLessThan(4 * Math.sqrt(expected[n] ?? 0))
  })
})

test("several alternatives: the first whose rule says so, `never` concerns one alone, weights end at all", () => {
  const worker = workerOf(
    { header: "a", headerValue: "1" },
    { ...all, header: "a" },
    { ...all, header: "a", headerValue: "3" },
  )
  expect(ask(worker, { headers: { a: "1" } })).toBe(1)
  expect(ask(worker, { headers: { a: "never" } })).toBe(3)
  expect(ask(worker, { headers: { a: "3" } })).toBe(3)
  expect(ask(worker, { headers: { a: "always" } })).toBe(2)
  expect(shares(worker, 100)).toEqual([0, 0, 100])
})

test("an alternative without endpoints, or that is not there, is passed over", () => {
  const worker = workerOf(all, all)
  setBackends(worker, { ...canary(1), endpoints: [], ...shaping(all) })
  expect(ask(worker)).toBe(2)
  removeBackends(worker, "canary-1", "canary-2")
  expect(ask(worker)).toBe(0)
  setBackends(worker, { ...canary(2), ...shaping(all) })
  expect(ask(worker)).toBe(2)
})

test("a main backend without endpoints has no canary either", () => {
  const worker = workerOf(all)
  setBackends(worker, { name: "main", endpoints: [], alternativeBackends: ["canary-1"] })
  expect(worker.select("main")).toMatchObject({ status: 503 })
})

test("new shaping is in force at once", () => {
  const worker = workerOf({})
  for (const weight of [100, 0, 100]) {
    setBackends(worker, { ...canary(1), ...shaping({ weight }) })
    expect(ask(worker)).toBe(weight / 100)
  }
})

test("retries stay with the backend of the first attempt", () => {
  const worker = workerOf({ weight: 50 })
  setBackends(
    worker,
    { ...backend("main", 3), alternativeBackends: ["canary-1"] },
    {
      name: "canary-1",
      endpoints: ["10.1.0.1", "10.1.0.2", "10.1.0.3"].map((address) => ({ address, port: 80 })),
      ...shaping({ weight: 50 }),
    },
  )
  const sides = new Set<string>()
  for (let i = 0; i < 100; i++) {
    const first = worker.pick("main")
    const side = first.address.slice(0, 5)
    sides.add(side)
    const { note } = worker.said()
    const second = worker.select("main", [first.tag], note)
    expect(second).toMatchObject({ address: expect.stringContaining(side) })
  }
  expect(sides.size).toBe(2)
})

test("many alternatives that are not there do no harm", () => {
  const worker = new Worker()
  const names = Array.from({ length: 60 }, (_, i) => `absent-${i}`)
  setBackends(
    worker,
    { ...backend("main", 1), alternativeBackends: [...names, "canary-1"] },
    { ...canary(1), ...shaping({ weight: 50 }) },
  )
  const [main = 0, taken = 0] = shares(worker, 200)
  expect(main + taken).toBe(200)
  expect(taken).toBeGreaterThan(50)
})

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const sessionOf = (name: string) => `key|${md5(md5(name) + name)}`

function sticky(mode: string): Fields {
  return {
    sessionAffinityConfig: {
      name: "cookie",
      mode,
      cookieSessionAffinity: { name: "S", locations: { a: ["/"] } },
    },
  }
}

test.each(["balanced", "persistent"])("sessions stay on their side: %s", (mode) => {
  const worker = workerOf({}, {})
  const set = (...shapings: Shaping[]) =>
    setBackends(
      worker,
      { ...backend("main", 1), alternativeBackends: ["canary-1", "canary-2"], ...sticky(mode) },
      ...shapings.map((fields, i) => ({ ...canary(i + 1), ...shaping(fields), ...sticky(mode) })),
    )
  const request = (name: string, headers = {}) => ({ cookies: { S: sessionOf(name) }, headers })
  set({ ...all, header: "h" }, {})
  expect(ask(worker, request("main", { h: "always" }))).toBe(0)
  expect(ask(worker, request("canary-1", { h: "never" }))).toBe(1)
  expect(ask(worker, request("canary-2"))).toBe(2)
  expect(ask(worker, request("other"))).toBe(1)
  expect(ask(worker, { cookies: { S: `${md5("main10.0.0.1:80")}` } })).toBe(1)
  expect(ask(worker, { cookies: { S: `${sessionOf("main")}|x` } })).toBe(0)
  // A canary that is wound down keeps its sessions until its endpoints are gone.
  set({ weight: 0 }, {})
  expect(ask(worker, request("canary-1"))).toBe(1)
  setBackends(worker, { ...canary(1), endpoints: [], ...sticky(mode) })
  expect(ask(worker, request("canary-1"))).toBe(0)
})

test("a canary without sessions of its own takes no cookie for its own", () => {
  const worker = workerOf({})
  setBackends(worker, { ...backend("main", 1), alternativeBackends: ["canary-1"], ...sticky("balanced") })
  expect(ask(worker, { cookies: { S: sessionOf("canary-1") } })).toBe(0)
})

test("a session that begins with a canary gets the canary's cookie, and stays there", () => {
  const worker = workerOf({})
  setBackends(
    worker,
    { ...backend("main", 1), alternativeBackends: ["canary-1"], ...sticky("balanced") },
    { ...canary(1), ...shaping({ weight: 1, header: "h" }), ...sticky("balanced") },
  )
  worker.properties.set("ngx\0http_h", "always").set("ngx\0ingress_host", "a").set("ngx\0location_path", "/")
  worker.pick("main")
  const cookie = /^S=([^;]*)/.exec(worker.cookiesSet.get("S") ?? "")?.[1] ?? ""
  expect(cookie.split("|")[1]).toBe(md5(`${md5("canary-1")}canary-1`))
  expect(ask(worker, { cookies: { S: cookie } })).toBe(1)
})

test("where the host matches no patterns, a pattern leaves the request to main", () => {
  const worker = new Worker({ abilities: { request: false } })
  setBackends(
    worker,
    { ...backend("main", 1), alternativeBackends: ["canary-1"] },
    { ...canary(1), ...shaping({ ...all, header: "a", headerPattern: "." }) },
  )
  expect(ask(worker, { headers: { a: "b" } })).toBe(0)
  expect(ask(worker)).toBe(1)
})
