import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Backend } from "../../../harness/backends.ts"
import type { Nginx } from "../../../harness/nginx.ts"
import { until } from "../../../harness/until.ts"
import { workedAtLeast } from "../../support/clock.ts"
import { atMost, timed, workOf } from "../../support/timed.ts"
import { counters, location, proxied, startHost, traces } from "./support/host.ts"
import { record } from "./support/record.ts"

const LEAN = "configure: callbacks upstream_select"

let backends: Backend[]

beforeAll(async () => {
  backends = await Promise.all(["a", "b", "c", "own"].map((name) => new Backend(name).start()))
})
afterAll(() => Promise.all(backends.map((backend) => backend.stop())))

const port = (i: number) => backends[i]?.port ?? 0

/** Serves with a filter that has the given select script; `rotate` stores what is posted under `backends/list`. */
function serve(
  select: string,
  more: { wasm?: string; fallback?: string; server?: string } = {},
): Promise<Nginx> {
  const fallback = more.fallback ?? "fallback=backends/$which"
  return startHost(({ socket }) => ({
    wasm: more.wasm ?? "",
    http: `
map $arg_b $which { default list; }
upstream chosen { server 127.0.0.1:${port(3)}; wasm_upstream_select ${fallback}; }
server { listen unix:${socket}; location / { proxy_wasm rotate role=control; return 404; } }`,
    server: `${proxied("/", `${LEAN} | select: ${select}`)} ${more.server ?? ""}`,
  }))
}

async function post(nginx: Nginx, ports: readonly number[]): Promise<void> {
  expect((await nginx.control("POST", "/", record(ports))).status).toBe(201)
}

async function ask(nginx: Nginx, times: number, headers = {}): Promise<string[]> {
  const names: string[] = []
  for (let i = 0; i < times; i++) names.push((await nginx.get("/", { headers })).body.trim())
  return names
}

describe("a fault in select costs the request nothing", () => {
  const faults: [string, string][] = [
    ["trap", "unreachable"],
    ["abort", "asked to"],
    ["divide", "divide by zero"],
    ["outside", "out of bounds"],
    ["deep", "stack"],
    ["loop", "interrupt"],
    ["memory", "unreachable"],
    ["timeouts; accept", "can only accept response during"],
  ]
  test.each(faults)("%s", async (fault, message) => {
    await using nginx = await serve(`when x-fault yes; ${fault}`)
    await post(nginx, [port(0), port(1)])
    const workers = nginx.workers()
    const names = await ask(nginx, 4, { "x-fault": "yes" })
    expect(names.toSorted()).toEqual(["a", "a", "b", "b"])
    expect(nginx.errorLog()).toContain("[error]")
    expect(nginx.errorLog()).toMatch(
      new RegExp(`filter "probe" failed in proxy_on_upstream_select: [^\n]*${message}`),
    )
    expect(nginx.workers()).toEqual(workers)
    expect((await counters(nginx)).fallbacks).toBe(4)
  })
})

test("a bad address is refused with a status, and nothing else happens", async () => {
  await using nginx = await startHost(() => ({
    server: location("/", "headers: put backends/k v; badpointer; badresult backends/k; respond 200"),
  }))
  expect((await nginx.get("/")).body).toBe("0 6 6")
  expect((await counters(nginx)).faults).toBe(0)
})

describe("the fallback", () => {
  test("takes an endpoint that was not tried while one is left", async () => {
    await using nginx = await serve("trap")
    await backends[0]?.fault("refuse")
    await post(nginx, [port(0), port(1)])
    expect(await ask(nginx, 6)).toEqual(Array(6).fill("b"))
    await backends[0]?.fault(undefined)
  })

  test("without a record, with a broken one and without a key is the upstream's own method", async () => {
    await using nginx = await serve("trap")
    expect(await ask(nginx, 2)).toEqual(["own", "own"])
    expect((await nginx.control("POST", "/", "no record")).status).toBe(201)
    expect(await ask(nginx, 2)).toEqual(["own", "own"])
    await using plain = await serve("trap", { fallback: "" })
    expect(await ask(plain, 2)).toEqual(["own", "own"])
  })
})

describe("after a fault", () => {
  test("the filter is back at once, and the next instances come ever later", async () => {
    await using nginx = await serve(`when x-fault yes; trap`, {
      server: location("/ok", "headers: respond 200"),
    })
    await ask(nginx, 1, { "x-fault": "yes" })
    expect((await nginx.get("/ok")).status).toBe(200) // rebuilt in the same turn of the event loop
    for (let i = 0; i < 20; i++) await ask(nginx, 1, { "x-fault": "yes" })
    const { faults, fallbacks, instances } = await counters(nginx)
    expect(fallbacks).toBe(21)
    expect(faults).toBeLessThan(8)
    // One more after each fault; after the last it comes just now, or not yet.
    expect([1 + faults, 2 + faults]).toContain(instances)
    await until("the filter to be back", async () => (await nginx.get("/ok")).status === 200)
  })

  test("there is one line in the log, not one per request", async () => {
    await using nginx = await serve("trap")
    await ask(nginx, 50)
    expect(nginx.errorLog().match(/failed in proxy_on_upstream_select/g)).toHaveLength(1)
  })
})

describe("a fault in another callback", () => {
  test("before the answer: the request gets a 500, because the filter may be the one that guards it", async () => {
    await using nginx = await startHost(() => ({
      server: location("/head", "headers: trap") + location("/body", "headers: pause | body: trap"),
    }))
    expect((await nginx.get("/head")).status).toBe(500)
    expect((await nginx.get("/body", { method: "POST", body: "x" })).status).toBe(500)
  })

  test("after it: the answer goes out", async () => {
    await using nginx = await startHost(() => ({
      server: `location /response { proxy_wasm probe 'response: trap'; return 200 fine; }
               location /log { proxy_wasm probe 'log: trap'; return 200 fine; }
               location /delete { proxy_wasm probe 'delete: trap'; return 200 fine; }`,
    }))
    for (const path of ["/response", "/log", "/delete"]) {
      const answer = await nginx.get(path)
      expect([path, answer.status, answer.body]).toEqual([path, 200, "fine"])
      await until("another instance", async () => {
        const { faults, instances } = await counters(nginx)
        return faults > 0 && instances === faults + 2 // two modules
      })
    }
  })

  test("in configure: nginx starts, and says why the filter does not", async () => {
    await using nginx = await startHost(() => ({
      server: `location / { proxy_wasm probe 'configure: refuse'; return 200 fine; }`,
    }))
    expect(nginx.errorLog()).toContain(
      'filter "probe" failed in proxy_on_configure: proxy_on_configure returned 0',
    )
    expect((await nginx.get("/counters")).status).toBe(200)
  })
})

describe("limits", () => {
  const looping = (wasm = "") => startHost(() => ({ wasm, server: location("/", "headers: loop") }))

  test("an endless loop is ended by its own CPU time, and may be given more", async () => {
    await using nginx = await looping()
    expect((await nginx.get("/")).status).toBe(500)
    await using patient = await looping("callback_deadline 300ms;")
    const [worker = 0] = patient.workers()
    const { status } = await workedAtLeast(0.29, worker, () => patient.get("/"))
    expect(status).toBe(500)
  })

  timed("an endless loop takes 20 ms of a worker", async () => {
    await using nginx = await looping()
    // Between one and one and a half deadlines, and what building the next instance takes; the system counts in 10 ms.
    atMost(0.15, await workOf(nginx.workers(), () => nginx.get("/")))
  })

  test("memory ends where memory_limit says", async () => {
    const grow = "headers: when x-grow yes; memory"
    await using nginx = await startHost(() => ({ wasm: "memory_limit 2m;", server: location("/", grow) }))
    expect((await nginx.get("/", { headers: { "x-grow": "yes" } })).status).toBe(500)
    expect(traces(nginx)).toEqual([])
  })
})
