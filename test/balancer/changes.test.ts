/** `POST /configuration/changes`: what is applied, what is refused, and that a refusal changes nothing. */
import { expect, test } from "vitest"
import { backend, change, host, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const CHANGES = "/configuration/changes"
const json = (text: string) => JSON.parse(text)
const names = (worker: Worker) => json(worker.get("/configuration/names").body)
const generation = (worker: Worker) => json(worker.get(CHANGES).body).generation

/** What is said of a zone without room. */
const full = (zone: string) =>
  JSON.stringify({
    error: `A zone is full: "${zone}"; give it more room (in wick: zone-sizes, max-zone-size), or remove something first`,
  })

test("before the first change the generation is null", () => {
  expect(new Worker().get(CHANGES)).toEqual({
    status: 200,
    body: '{"generation":null}',
    headers: { "content-type": "application/json" },
  })
})

test("a change sets and removes backends and hosts together", () => {
  const worker = new Worker()
  const first = change({
    backends: { set: [backend("a", 1), backend("b", 2)] },
    routes: { set: [host("a.test"), { ...host("b.test"), server: "other" }] },
  })
  expect(worker.post(CHANGES, first)).toMatchObject({
    status: 201,
    body: `{"generation":"${first.generation}"}`,
  })
  const second = change({
    base: first.generation,
    backends: { set: [backend("c", 1)], remove: ["a", "never-there"] },
    routes: { remove: [{ host: "a.test" }, { server: "other", host: "never.there" }] },
  })
  expect(worker.post(CHANGES, second).status).toBe(201)
  const { backends, ...rest } = names(worker)
  expect(backends.sort()).toEqual(["b", "c"])
  expect(rest).toMatchObject({
    generation: second.generation,
    routes: [{ server: "other", host: "b.test" }],
    next: null,
  })
})

test("backends, routes and their lists may be absent, in any order of the fields", () => {
  const worker = new Worker()
  const body = '{ "routes": {}, "generation": "A.b_c-9", "backends": {"remove": []}, "base": null }'
  expect(worker.post(CHANGES, body).status).toBe(201)
  expect(generation(worker)).toBe("A.b_c-9")
})

test("a change on another base is answered 409 with the generation in force, and changes nothing", () => {
  const worker = new Worker()
  const first = change({ backends: { set: [backend("a", 1)] } })
  worker.post(CHANGES, first)
  const answer = worker.post(CHANGES, change({ base: "other", backends: { remove: ["a"] } }))
  expect(answer.status).toBe(409)
  expect(json(answer.body)).toEqual({
    error: "The change builds on another generation",
    generation: first.generation,
  })
  expect(names(worker).backends).toEqual(["a"])
})

test("a change on a base is refused while there is no generation", () => {
  const answer = new Worker().post(CHANGES, change({ base: "g" }))
  expect(answer.status).toBe(409)
  expect(json(answer.body).generation).toBeNull()
})

test("of two changes on one base that overtake each other only the first one wins", () => {
  const zones = new Zones()
  const [one, other] = [new Worker({ zones }), new Worker({ zones })]
  const first = change({})
  one.post(CHANGES, first)
  const loser = change({ base: first.generation, backends: { set: [backend("loser", 1)] } })
  const winner = change({ base: first.generation, backends: { set: [backend("winner", 1)] } })
  // The loser has read the generation and is about to write when the winner comes in between.
  const write = zones.write.bind(zones)
  zones.write = (writes) => {
    zones.write = write
    expect(other.post(CHANGES, winner).status).toBe(201)
    return write(writes)
  }
  const answer = one.post(CHANGES, loser)
  expect(answer.status).toBe(409)
  expect(json(answer.body).generation).toBe(winner.generation)
  expect(names(one).backends).toEqual(["winner"])
})

test("a change that does not fit is answered 507 with the zone's name, and changes nothing", () => {
  const worker = new Worker({ zones: new Zones({ backends: 200, routes: 100 }) })
  setBackends(worker, backend("a", 1))
  const before = names(worker)
  const large = worker.post(CHANGES, change({ backends: { remove: ["a"], set: [backend("b", 50)] } }))
  expect(large).toMatchObject({ status: 507, body: full("backends") })
  const mixed = worker.post(
    CHANGES,
    change({ backends: { set: [backend("b", 1)] }, routes: { set: [host("a.test"), host("b.test")] } }),
  )
  expect(mixed).toMatchObject({ status: 507, body: full("routes") })
  expect(names(worker)).toEqual(before)
  expect(worker.pick("a").address).toBe("10.0.0.1")
})

test("a zone that the configuration lacks is named", () => {
  const worker = new Worker({ zones: new Zones({ backends: 1000 }) })
  const answer = worker.post(CHANGES, change({ routes: { set: [host("a.test")] } }))
  expect(answer).toMatchObject({ status: 500, body: '{"error":"There is no such zone: \\"routes\\""}' })
})

test("readers see backends before the hosts that name them, and lose them after", () => {
  const zones = new Zones()
  const worker = new Worker({ zones })
  worker.post(
    CHANGES,
    change({ backends: { set: [backend("old", 1)] }, routes: { set: [host("old.test")] } }),
  )
  let order: string[] = []
  const write = zones.write.bind(zones)
  zones.write = (writes) => {
    order = writes.map(({ key, value }) => `${value ? "set" : "remove"} ${key}`)
    return write(writes)
  }
  worker.post(CHANGES, {
    routes: { remove: [{ host: "old.test" }], set: [host("new.test")] },
    backends: { remove: ["old"], set: [backend("new", 1)] },
    base: null,
    generation: "g",
  })
  expect(order).toEqual([
    "set backends/new",
    "set routes/main/new.test",
    "remove routes/main/old.test",
    "remove backends/old",
    "set backends/:generation",
  ])
})

test("a body of more than 1 MiB is answered 413", () => {
  const answer = new Worker().post(CHANGES, new Uint8Array((1 << 20) + 1).fill(0x20))
  expect(answer).toMatchObject({ status: 413, body: '{"error":"The body is larger than 1 MiB"}' })
})

test("a body of exactly 1 MiB is read", () => {
  const text = JSON.stringify(change({ backends: { set: [backend("a", 2)] } }))
  expect(new Worker().post(CHANGES, text.padEnd(1 << 20)).status).toBe(201)
})
