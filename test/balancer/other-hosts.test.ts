/** The filter on hosts that lack what docs/abi.md adds: slower and less strict, never wrong. */
import { readFileSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { balancerFile } from "../../harness/paths.ts"
import { backend, change, host, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const abilities = { ours: false, tellsChanges: false }
const CHANGES = "/configuration/changes"

test("without notice of changes a tick makes the filter look again", () => {
  const zones = new Zones()
  const worker = new Worker({ zones, abilities })
  expect(worker.tickMs).toBe(1000)
  setBackends(worker, backend("a", 1))
  expect(worker.pick("a").address).toBe("10.0.0.1")
  setBackends(worker, { name: "a", endpoints: [{ address: "10.0.0.2", port: 80 }] })
  worker.exports.proxy_on_tick(1)
  expect(worker.pick("a").address).toBe("10.0.0.2")
})

test("our host is asked for no tick", () => {
  expect(new Worker().tickMs).toBe(0)
})

test("without a write of many keys a change is written key by key, generation last", () => {
  const zones = new Zones()
  const worker = new Worker({ zones, abilities })
  const keys: string[] = []
  const write = zones.write.bind(zones)
  zones.write = (writes) => {
    keys.push(...writes.map(({ key }) => key))
    return write(writes)
  }
  const first = change({
    backends: { set: [backend("a", 1), backend("b", 1)] },
    routes: { set: [host("a.test")] },
  })
  expect(worker.post(CHANGES, first).status).toBe(201)
  expect(keys).toEqual(["backends/a", "backends/b", "routes/main/a.test", "backends/:generation"])
  const second = change({ base: first.generation, backends: { set: [backend("a", 2)], remove: ["b", "c"] } })
  expect(worker.post(CHANGES, second).status).toBe(201)
  expect(zones.get("backends/b")).toBeUndefined()
  expect(worker.post(CHANGES, change({ base: first.generation })).status).toBe(409)
})

test("a change that a full zone ends in the middle makes the controller send everything anew", () => {
  const zones = new Zones({ backends: 1000, routes: 10 })
  const worker = new Worker({ zones, abilities })
  const first = change({ backends: { set: [backend("a", 1)] } })
  worker.post(CHANGES, first)
  const second = change({ base: first.generation, backends: { set: [backend("b", 1), backend("c", 200)] } })
  expect(() => worker.post(CHANGES, second)).toThrow("no memory in the zone")
  const next = worker.rebuild()
  expect(zones.get("backends/b")).toBeDefined()
  expect(next.get(CHANGES).body).toBe('{"generation":null}\n')
  expect(next.post(CHANGES, change({ base: first.generation })).status).toBe(409)
  expect(next.post(CHANGES, change({ backends: { remove: ["b"] } })).status).toBe(201)
})

test("what is no change leaves the generation alone", () => {
  const worker = new Worker({ abilities })
  const first = change({ backends: { set: [backend("a", 1)] } })
  worker.post(CHANGES, first)
  worker.post("/configuration/general", "{}")
  expect(worker.post(CHANGES, change({ base: first.generation })).status).toBe(201)
})

test("of two workers with a change on the same base one is answered 409", () => {
  const zones = new Zones()
  const [one, other] = [new Worker({ zones, abilities }), new Worker({ zones, abilities })]
  const first = change({ backends: { set: [backend("a", 1)] } })
  one.post(CHANGES, first)
  const second = () => change({ base: first.generation, backends: { set: [backend("a", 2)] } })
  expect([one, other].map((worker) => worker.post(CHANGES, second()).status)).toEqual([201, 409])
})

test("a POST without a body is answered, not waited for", () => {
  const worker = new Worker({ abilities })
  expect(worker.post(CHANGES, "")).toMatchObject({ status: 400, body: '{"error":"A body is expected"}\n' })
})

test("what needs a list of keys or PCRE is answered 501", () => {
  const worker = new Worker({ abilities })
  for (const path of ["/configuration/names", "/configuration/backends", "/configuration/routes"]) {
    expect(worker.get(path).status).toBe(501)
  }
  expect(worker.post("/configuration/backends", []).status).toBe(501)
  expect(worker.post("/configuration/patterns", ["/a"]).status).toBe(501)
  setBackends(worker, backend("a", 1))
  expect(JSON.parse(worker.get("/configuration/backends?name=a").body)).toHaveLength(1)
})

test("a client's request never reaches the control API, though its callbacks come", () => {
  const worker = new Worker({ abilities })
  setBackends(worker, backend("a", 1))
  const BALANCE_ROOT = 1
  expect(worker.request("GET", "/configuration/backends?name=a", undefined, BALANCE_ROOT)).toBeUndefined()
  expect(worker.request("POST", CHANGES, Buffer.from("{}"), BALANCE_ROOT)).toBeUndefined()
  expect(worker.get("/configuration/backends?name=a").status).toBe(200)
})

test("without an attempt record every attempt is a first one", () => {
  const worker = new Worker({ abilities })
  setBackends(worker, backend("a", 3))
  expect(new Set([0, 1, 2].map(() => worker.pick("a", [7]).address)).size).toBe(3)
})

test("without a key in the attempt record the property tells the backend", () => {
  const worker = new Worker({ abilities: { tellsKey: false } })
  setBackends(worker, backend("a", 2), backend("b", 1))
  const first = worker.pick("a")
  expect(worker.pick("a", [first.tag]).tag).not.toBe(first.tag)
  expect(worker.pick("b").address).toBe("10.0.0.1")
})

test("a key that is too long for the record is no other backend's", () => {
  const worker = new Worker()
  const long = "a".repeat(253)
  setBackends(worker, backend(long, 1))
  expect(worker.pick(long).address).toBe("10.0.0.1")
  expect(worker.select(`${long}${long}`)).toMatchObject({ status: 503 })
})

const ABSENT_ELSEWHERE = ["abort", "seed", "trace"]

test("nothing is imported that a host of Proxy-Wasm may lack", () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(balancerFile)))
  expect(imports.filter(({ name }) => ABSENT_ELSEWHERE.includes(name))).toEqual([])
  const others = imports.filter(({ name }) => !name.startsWith("proxy_"))
  expect(others).toMatchObject([{ module: "wasi_snapshot_preview1", name: "random_get" }])
})

test("the end of an attempt, which such a host does not name, is looked into no further", () => {
  const worker = new Worker({ abilities })
  setBackends(worker, backend("a", 2))
  worker.pick("a")
  const asked = vi.spyOn(worker.properties, "get")
  worker.exports.proxy_on_upstream_info(1, 1)
  expect(asked).not.toHaveBeenCalled()
})

test("a change is written over one of before, where 0 is the number of an absent key alone", () => {
  const worker = new Worker({ abilities })
  for (const count of [1, 2, 3]) setBackends(worker, backend("a", count))
  expect(JSON.parse(worker.get("/configuration/backends?name=a").body)[0].endpoints).toHaveLength(3)
})

test("two instances do not choose alike: each has a seed of its own", () => {
  const zones = new Zones()
  const workers = [1, 2].map((seed) => new Worker({ zones, seed, abilities }))
  setBackends(workers[0] as Worker, { ...backend("a", 100), "load-balance": "p2c" })
  const picks = workers.map((worker) => Array.from({ length: 20 }, () => worker.pick("a").address))
  expect(picks[0]).not.toEqual(picks[1])
})

test("an unknown role is refused", () => {
  const worker = new Worker()
  expect(worker.configure(3, "role=contrl")).toBe(false)
  expect(worker.configure(4, "role=balance")).toBe(true)
  expect(worker.callbacks.get(4)).toEqual(["upstream_select", "upstream_info"])
  expect(worker.callbacks.get(2)).toEqual(["request_headers", "request_body"])
})
