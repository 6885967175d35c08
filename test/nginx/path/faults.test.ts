// What goes wrong inside the filter costs nobody a request, and what is wrong with a post changes nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../support/backends.ts"
import { type FilterFault, faultyBalancer } from "../../support/faulty.ts"
import { ask } from "../../support/http.ts"
import { startLoad } from "../../support/load.ts"
import { backend, host, type Plane, startPlane } from "../../support/plane.ts"
import { until } from "../../support/until.ts"

let backends: Backends
beforeAll(async () => {
  backends = await startBackends("a", "b", "c")
})
afterAll(() => backends.stop())

/** Runs `during` while requests go to the host shop.test, and expects that each of them was answered 200. */
async function unharmed(plane: Plane, during: () => Promise<void>): Promise<void> {
  const load = startLoad({ port: plane.nginx.port, connections: 4, question: () => ({ host: "shop.test" }) })
  try {
    await during()
  } finally {
    await load.stop()
  }
  expect(load.result.lost).toEqual([])
  expect([...load.result.statuses.keys()]).toEqual([200])
}

const shop = () => ({
  backends: { set: [backend("shop", backends)] },
  routes: { set: [host("shop.test", "shop")] },
})

describe("a filter that faults", () => {
  let plane: Plane
  beforeAll(async () => {
    plane = await startPlane({ workers: 4, balancer: await faultyBalancer() })
    await plane.apply(shop())
  })
  afterAll(() => plane.nginx.stop())

  const faults: readonly { fault: FilterFault; says: RegExp }[] = [
    { fault: "trap", says: /unreachable/ },
    { fault: "loop", says: /deadline|interrupt|epoch/ },
    { fault: "memory", says: /unreachable|memory/ },
    { fault: "address", says: /out of bounds|memory/ },
  ]
  test.each(faults)("$fault: the request is served, the workers live, the filter comes back", async ({
    fault,
    says,
  }) => {
    const workers = plane.nginx.workers()
    const logged = plane.nginx.errorLog().length
    await unharmed(plane, async () => {
      for (let n = 0; n < 8; n += 1) {
        const answer = await plane.nginx.get("/", { host: "shop.test", headers: { "x-wick-fault": fault } })
        expect([answer.status, ["a", "b", "c"].includes(answer.body)]).toEqual([200, true])
      }
    })
    expect(plane.nginx.workers()).toEqual(workers)
    const log = plane.nginx.errorLog().slice(logged)
    expect(log).toMatch(says)
    // One line for each worker and not one for each request.
    expect(log.split("\n").filter((line) => says.test(line)).length).toBeLessThanOrEqual(8)
    await filterIsBack(plane)
  })
})

/**
 * Only the filter looks at `x-wick-fault`, so a worker that faults again has its filter again; each of them must, on a
 * new change, answer from that change.
 */
async function filterIsBack(plane: Plane): Promise<void> {
  await plane.apply({ backends: { set: [backend("shop", backends.slice(0, 1))] } })
  const seen = new Set<string>()
  await until("every worker to pick from the new endpoints", async () => {
    const answer = await plane.nginx.get("/", { host: "shop.test" })
    expect(answer.body).toBe("a")
    seen.add(String(answer.headers["x-worker"]))
    return seen.size === plane.nginx.workers().length
  })
  await plane.apply({ backends: { set: [backend("shop", backends)] } })
}

describe("a post that is refused changes nothing", () => {
  let plane: Plane
  beforeAll(async () => {
    plane = await startPlane({ workers: 4, backendsZone: "128k" })
    await plane.apply(shop())
  })
  afterAll(() => plane.nginx.stop())

  const inForce = async () => {
    const [names, all] = await Promise.all([
      plane.nginx.control("GET", "/configuration/names"),
      plane.nginx.control("GET", "/configuration/backends"),
    ])
    return [names.json(), all.json()]
  }
  const refused = async (post: () => Promise<{ status: number; body: string }>) => {
    const before = await inForce()
    let answer = { status: 0, body: "" }
    await unharmed(plane, async () => {
      answer = await post()
    })
    expect(await inForce()).toEqual(before)
    return answer
  }

  test("a zone that is full: 507", async () => {
    const endpoints = Array.from({ length: 200 }, (_, n) => ({
      endpoint: { address: `10.0.0.${n}`, port: "80" },
    }))
    const many = Array.from({ length: 100 }, (_, n) => backend(`many-${n}`, endpoints))
    const answer = await refused(() => plane.post({ backends: { set: many } }))
    expect(answer).toMatchObject({ status: 507, body: expect.stringContaining("backends") })
  })

  test.each([
    ["text that is no JSON", '{"base": nul}'],
    ["a field nobody knows", '{"base": null, "generation": "x", "colour": 1}'],
    ["a body that ends too early", '{"base": null, "generation": "x", "backends": {"set": [{"name": "sh'],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["nothing", ""],
  ])("%s: 400 with the offset", async (_name, body) => {
    const answer = await refused(() => plane.nginx.control("POST", "/configuration/changes", body))
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), offset: expect.any(Number) })
  })

  test("20 MB: 413", async () => {
    const body = Buffer.alloc(20_000_000, " ")
    // nginx may close before all of it is sent; whoever reads in time gets 413, and nobody anything else.
    const answer = await refused(() =>
      ask(
        { socketPath: plane.nginx.site.socket },
        { method: "POST", path: "/configuration/changes", body, headers: { expect: "100-continue" } },
      ),
    )
    expect(answer.status).toBe(413)
  })

  test("another base: 409 with the generation in force", async () => {
    const answer = await refused(() => plane.post({ backends: { remove: ["shop"] } }, "somebody-elses-7"))
    expect(answer.status).toBe(409)
    expect(JSON.parse(answer.body)).toMatchObject({ generation: plane.generation })
  })
})
