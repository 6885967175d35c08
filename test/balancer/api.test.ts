/** The other paths of the control API: GETs, the full set of ingress-nginx, the general text, and what is none of them. */
import { expect, test } from "vitest"
import { backend, change, host, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const BACKENDS = "/configuration/backends"
const ROUTES = "/configuration/routes"
const json = (text: string) => JSON.parse(text)
const shown = (worker: Worker, path: string) => json(worker.get(path).body)
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `service-${i}`)

test("nothing is in force at first", () => {
  const worker = new Worker()
  expect(shown(worker, "/configuration/names")).toEqual({ generation: null, backends: [], routes: [] })
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

test("pages go through everything once", () => {
  const worker = new Worker()
  const names = numbered(100)
  setBackends(worker, ...names.map((name) => backend(name, 1)))
  const seen: string[] = []
  for (let after = ""; seen.length < 100; after = `&after=${seen.at(-1)}`) {
    const page = shown(worker, `${BACKENDS}?limit=7${after}`)
    expect(page.length).toBe(Math.min(7, 100 - seen.length))
    seen.push(...page.map(({ name }: { name: string }) => name))
  }
  expect(seen.sort()).toEqual(names.sort())
  expect(shown(worker, `${ROUTES}?limit=3`)).toEqual([])
})

test("going on after a name that is gone is answered 404, not with an end", () => {
  const worker = new Worker()
  setBackends(worker, backend("a", 1))
  expect(worker.get(`${BACKENDS}?after=gone`).status).toBe(404)
})

test.each(["0", "", "x", "-1", "1x"])("a limit of %j is refused", (limit) => {
  expect(new Worker().get(`${BACKENDS}?limit=${limit}`).status).toBe(400)
})

test("10,000 backends are listed and shown whole", () => {
  const worker = new Worker()
  for (let part = 0; part < 10; part++) {
    const names = Array.from({ length: 1000 }, (_, i) => `service-${part * 1000 + i}`)
    setBackends(worker, ...names.map((name) => backend(name, 10)))
  }
  expect(new Set(shown(worker, "/configuration/names").backends).size).toBe(10_000)
  const all = shown(worker, BACKENDS)
  expect(new Set(all.map(({ name }: { name: string }) => name)).size).toBe(10_000)
  expect(all.every(({ endpoints }: { endpoints: unknown[] }) => endpoints.length === 10)).toBe(true)
})

test("a record of a later version is shown as unreadable, beside the others", () => {
  const worker = new Worker()
  setBackends(worker, backend("good", 1))
  worker.zones.write([{ key: "backends/later", value: Buffer.from("02000000", "hex"), cas: 0 }])
  worker.zones.write([
    { key: "routes/main/later", value: Buffer.from("0100000001000000ffffff7f", "hex"), cas: 0 },
  ])
  const error = "This filter cannot read the record"
  expect(shown(worker, `${BACKENDS}?name=later`)).toEqual([{ name: "later", error }])
  expect(shown(worker, BACKENDS)).toHaveLength(2)
  expect(shown(worker, ROUTES)).toEqual([{ name: "main/later", error }])
})

test("fields of a host that a later filter added are passed over", () => {
  const worker = new Worker()
  worker.post("/configuration/changes", change({ routes: { set: [host("a.test")] } }))
  const record = Buffer.from(worker.zones.get("routes/main/a.test")?.value ?? [])
  const later = Buffer.concat([record, Buffer.from("c803000061626364".slice(0, 14), "hex")])
  later.writeUInt32LE(later.readUInt32LE(8) + 7, 8)
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
    backends: ["shop-cart-80"],
    routes: [{ server: "main", host: "a.test" }],
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
  expect(worker.get("/configuration/general")).toMatchObject({ status: 200, body: "" })
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
