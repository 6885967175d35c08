/** The other paths of the control API: GETs, the full set of ingress-nginx, the general text, and what is none of them. */
import { expect, test } from "vitest"
import { placesIn, withField } from "../../wire/newer.ts"
import { backend, change, host, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const BACKENDS = "/configuration/backends"
const ROUTES = "/configuration/routes"
const nothing = {
  backends: [],
  routes: [],
  certificates: [],
  staples: [],
  authorities: [],
  tls_hosts: [],
  passthroughs: [],
  route_parts: [],
  address_lists: [],
  user_lists: [],
  streams: [],
}
const json = (text: string) => JSON.parse(text)
const shown = (worker: Worker, path: string) => json(worker.get(path).body)

test("nothing is in force at first", () => {
  const worker = new Worker()
  expect(shown(worker, "/configuration/names")).toEqual({
    generation: null,
    ...nothing,
    next: null,
  })
  expect(shown(worker, BACKENDS)).toEqual([])
  expect(shown(worker, ROUTES)).toEqual([])
  expect(shown(worker, `${BACKENDS}?name=none`)).toEqual([])
})

test("all backends and hosts are shown, with defaults and in canonical form", () => {
  const worker = new Worker()
  worker.post(
    "/configuration/changes",
    change({
      backends: {
        set: [{ name: "a", endpoints: [{ address: "[::FFFF:10.0.0.1]", port: 80 }] }, { name: "b" }],
      },
      routes: { set: [host("a.test"), { ...host("*.a.test"), server: "other" }] },
    }),
  )
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  expect(shown(worker, BACKENDS).sort(byName)).toEqual([
    {
      name: "a",
      "load-balance": "round_robin",
      endpoints: [{ address: "::ffff:a00:1", port: "80", weight: 1 }],
    },
    { name: "b", "load-balance": "round_robin", endpoints: [] },
  ])
  expect(shown(worker, ROUTES)).toHaveLength(2)
  expect(shown(worker, `${ROUTES}?host=%2A.a.test&server=other`)).toEqual([
    { server: "other", ...host("*.a.test") },
  ])
  expect(shown(worker, `${ROUTES}?server=other&host=a.test`)).toEqual([])
})

/** Follows `x-wick-next`; returns what each answer held. */
function pages(worker: Worker, path: string, limit: number): unknown[][] {
  const pages: unknown[][] = []
  for (let cursor = ""; ; ) {
    const { status, body, headers } = worker.get(`${path}?limit=${limit}${cursor}`)
    expect(status).toBe(200)
    pages.push(json(body))
    if (!headers["x-wick-next"]) return pages
    cursor = `&cursor=${headers["x-wick-next"]}`
  }
}

test("parts of the backends and hosts make up the whole", () => {
  const worker = new Worker()
  const names = Array.from({ length: 100 }, (_, i) => `service-${i}`)
  worker.post(
    "/configuration/changes",
    change({
      backends: { set: names.map((name) => backend(name, 1)) },
      routes: { set: names.map((name) => host(`${name}.test`)) },
    }),
  )
  for (const path of [BACKENDS, ROUTES]) {
    const parts = pages(worker, path, 7)
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(7)
    expect(parts.flat()).toEqual(shown(worker, path))
    expect(parts.flat()).toHaveLength(100)
  }
})

test("parts of the names make up the whole, backends first", () => {
  const worker = new Worker()
  const names = Array.from({ length: 50 }, (_, i) => `service-${i}`)
  const posted = change({
    backends: { set: names.map((name) => backend(name, 1)) },
    routes: { set: names.map((name) => host(`${name}.test`)) },
  })
  worker.post("/configuration/changes", posted)
  const whole = shown(worker, "/configuration/names")
  expect(whole.next).toBeNull()
  for (const limit of [1, 7, 49, 50, 51, 100, 1000]) {
    const backends: string[] = []
    const routes: unknown[] = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const part = shown(worker, `/configuration/names?limit=${limit}${cursor}`)
      expect(part.generation).toBe(posted.generation)
      expect(part.backends.length + part.routes.length).toBeLessThanOrEqual(limit)
      backends.push(...part.backends)
      routes.push(...part.routes)
      cursor = part.next === null ? null : `&cursor=${part.next}`
    }
    expect({ backends, routes }).toEqual({ backends: whole.backends, routes: whole.routes })
  }
})

test.each(["0", "", "x", "-1", "1x"])("a limit of %j is refused", (limit) => {
  for (const path of [BACKENDS, ROUTES, "/configuration/names"]) {
    expect(new Worker().get(`${path}?limit=${limit}`).status).toBe(400)
  }
})

test.each(["", "b", "x1", "bx", "b1x"])("a cursor of %j is refused", (cursor) => {
  expect(new Worker().get(`/configuration/names?cursor=${cursor}`).status).toBe(400)
  expect(new Worker().get(`${BACKENDS}?cursor=${cursor}`).status).toBe(400)
})

test("10,000 backends are shown in parts, of 1 MiB or 8192 names at most; asked for at once they are refused", () => {
  const worker = new Worker()
  for (let part = 0; part < 10; part++) {
    const names = Array.from({ length: 1000 }, (_, i) => `service-${part * 1000 + i}`)
    setBackends(worker, ...names.map((name) => backend(name, 10)))
  }
  expect(worker.get("/configuration/names").status).toBe(400)
  const first = shown(worker, "/configuration/names?limit=100000")
  const rest = shown(worker, `/configuration/names?cursor=${first.next}`)
  expect([first.backends.length, rest.next]).toEqual([8192, null])
  expect(new Set([...first.backends, ...rest.backends]).size).toBe(10_000)
  const parts = pages(worker, BACKENDS, 100_000) as { name: string; endpoints: unknown[] }[][]
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(1.1 * (1 << 20))
  expect(new Set(parts.flat().map(({ name }) => name)).size).toBe(10_000)
  expect(parts.flat().every(({ endpoints }) => endpoints.length === 10)).toBe(true)
  expect(worker.get(BACKENDS)).toEqual({
    status: 400,
    body: '{"error":"This is too much for one answer: ask for parts, as in ?limit=1000"}',
    headers: { "content-type": "application/json" },
  })
})

test("a record of a later version is shown as unreadable, beside the others", () => {
  const worker = new Worker()
  setBackends(worker, backend("good", 1))
  worker.zones.write([{ key: "backends/later", value: Buffer.from("04000000", "hex"), cas: 0 }])
  worker.zones.write([{ key: "routes/main/later", value: Buffer.from("0404000006000000", "hex"), cas: 0 }])
  const error = "This filter cannot read the record"
  expect(shown(worker, `${BACKENDS}?name=later`)).toEqual([{ name: "later", error }])
  expect(shown(worker, BACKENDS)).toHaveLength(2)
  expect(shown(worker, ROUTES)).toEqual([{ name: "main/later", error }])
})

test("fields of a route that a later filter added are passed over", () => {
  const worker = new Worker()
  worker.post("/configuration/changes", change({ routes: { set: [host("a.test")] } }))
  const record = Buffer.from(worker.zones.get("routes/main/a.test")?.value ?? [])
  const later = withField("host", record, placesIn("host", record) - 1, 100, Buffer.from("abc"))
  worker.zones.write([{ key: "routes/main/a.test", value: later, cas: 0 }])
  expect(shown(worker, `${ROUTES}?host=a.test`)).toEqual([{ server: "main", ...host("a.test") }])
})

test("the full set of ingress-nginx replaces all backends and forgets the generation", () => {
  const worker = new Worker()
  const first = change({ backends: { set: [backend("old", 1)] }, routes: { set: [host("a.test")] } })
  worker.post("/configuration/changes", first)
  const posted = {
    ...backend("shop-cart-80", 2),
    service: { metadata: {}, spec: { ports: [{ port: 80 }] }, status: { loadBalancer: {} } },
    port: 80,
    sslPassthrough: false,
    sessionAffinityConfig: { name: "", mode: "", cookieSessionAffinity: { name: "" } },
    upstreamHashByConfig: { "upstream-hash-by-subset-size": 3 },
    noServer: false,
    trafficShapingPolicy: {
      weight: 0,
      weightTotal: 0,
      header: "",
      headerValue: "",
      headerPattern: "",
      cookie: "",
    },
    alternativeBackends: null,
  }
  expect(worker.post(BACKENDS, [posted])).toMatchObject({ status: 201, body: '{"generation":null}' })
  expect(shown(worker, "/configuration/names")).toEqual({
    generation: null,
    ...nothing,
    backends: ["shop-cart-80"],
    routes: [{ server: "main", host: "a.test" }],
    next: null,
  })
  expect(worker.pick("shop-cart-80").port).toBe(80)
  expect(worker.post("/configuration/changes", change({ base: first.generation })).status).toBe(409)
  expect(worker.post(BACKENDS, []).status).toBe(201)
  expect(shown(worker, BACKENDS)).toEqual([])
})

test("a full set that a change overtakes is answered 409", () => {
  const zones = new Zones()
  const worker = new Worker({ zones })
  const other = new Worker({ zones })
  const write = zones.write.bind(zones)
  zones.write = (writes) => {
    zones.write = write
    setBackends(other, backend("a", 1))
    return write(writes)
  }
  expect(worker.post(BACKENDS, [backend("b", 1)]).status).toBe(409)
  expect(shown(worker, "/configuration/names").backends).toEqual(["a"])
})

test("the general text is kept as it was posted", () => {
  const worker = new Worker()
  expect(worker.get("/configuration/general")).toMatchObject({ status: 200, body: "{}" })
  expect(worker.post("/configuration/general", "not { json\n").status).toBe(201)
  expect(worker.get("/configuration/general")).toEqual({
    status: 200,
    body: "not { json\n",
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
  expect(shown(worker, BACKENDS)).toEqual([])
})

test.each([
  ["GET", "/", 404],
  ["GET", "/configuration", 404],
  ["GET", "/configuration/backends/", 404],
  ["GET", "/configuration/backendsx", 404],
  ["POST", "/configuration/names", 404],
  ["POST", "/configuration/changes", 400],
  ["PUT", "/configuration/changes", 400],
  ["DELETE", "/nowhere", 400],
  ["HEAD", "/configuration/names", 400],
])("%s %s without a body is answered %i", (method, path, status) => {
  const answer = new Worker().request(method, path)
  expect(answer).toMatchObject({ status })
  expect(json(answer?.body ?? "")).toHaveProperty("error")
})
