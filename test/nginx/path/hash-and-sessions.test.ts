// Hashing, sessions and canaries in a real nginx with four workers: all of them agree, also with those that come later.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { type Backends, startBackends } from "../../support/backends.ts"
import type { Answer } from "../../support/http.ts"
import { backend, host, type Plane, startPlane } from "../../support/plane.ts"
import { signal } from "../../support/processes.ts"
import { ingressRing } from "../../support/reference-ring.ts"
import { until } from "../../support/until.ts"

const WORKERS = 4
const names = ["a", "b", "c", "d", "e", "f"]

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends(...names)
  const inHttp = "log_format alternative '$http_x_id $proxy_alternative_upstream_name';"
  const inPolicy = "access_log alternatives.txt alternative;"
  plane = await startPlane({ workers: WORKERS, inHttp, inPolicy })
  await plane.apply({ routes: { set: [host("shop.test", "shop", { location_path: "/" })] } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
afterEach(async () => {
  for (const one of backends) await one.fault(undefined)
})

type Fields = { [field: string]: unknown }

function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return plane.nginx.get(path, { headers: { host: "shop.test", ...headers } })
}

const set = (fields: Fields, from = [...backends]) =>
  plane.apply({ backends: { set: [{ ...backend("shop", from), ...fields }] } })

/** Asks until every worker has answered, and what all of them said. */
async function fromAllWorkers(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  const workers = new Set<unknown>()
  await until("every worker to answer", async () => {
    const answer = await ask()
    answers.push(answer)
    workers.add(answer.headers["x-worker"])
    return workers.size >= WORKERS
  })
  return answers
}

const bodies = (answers: readonly Answer[]) => new Set(answers.map(({ body }) => body))

const nameOf = (place: number) => `127.0.0.1:${backends[place]?.port}`
const ring = () => ingressRing(names.map((_, i) => nameOf(i)))

const byUri = { upstreamHashByConfig: { "upstream-hash-by": "$host$request_uri" } }

test("every worker sends a key to the endpoint of ingress-nginx's ring", async () => {
  await set(byUri)
  for (const path of ["/", "/cart?id=1", "/caf%C3%A9"]) {
    const answers = await fromAllWorkers(() => get(path))
    expect(bodies(answers)).toEqual(new Set([names[ring().find(`shop.test${path}`)]]))
  }
  for (let i = 0; i < 100; i++) {
    expect((await get(`/${i}`)).body).toBe(names[ring().find(`shop.test/${i}`)])
  }
})

test("the keys of an endpoint that refuses go to the next one on the ring, and nothing else moves", async () => {
  await set(byUri)
  await backends[0]?.fault("refuse")
  for (let i = 0; i < 100; i++) {
    const [first = 0, second = 0] = ring().order(`shop.test/${i}`)
    const { status, body } = await get(`/${i}`)
    expect([status, body]).toEqual([200, names[first === 0 ? second : first]])
  }
})

const sticky = (mode: string, cookie: Fields = {}): Fields => ({
  sessionAffinityConfig: {
    name: "cookie",
    mode,
    cookieSessionAffinity: { name: "SESSION", locations: { "shop.test": ["/"] }, ...cookie },
  },
})

/** `SESSION=…`, as a browser sends it back. */
function cookieOf(answer: Answer): string {
  const [cookie] = [answer.headers["set-cookie"] ?? []].flat()
  if (cookie === undefined) throw new Error("No cookie was issued")
  return cookie.replace(/;.*/, "")
}

test.each([
  "balanced",
  "persistent",
])("a session stays: %s, over other workers, a reload and a killed worker", async (mode) => {
  await set(sticky(mode))
  const first = await get("/")
  const cookie = cookieOf(first)
  const stays = async () => {
    const answers = await fromAllWorkers(() => get("/", { cookie }))
    expect(bodies(answers)).toEqual(new Set([first.body]))
    for (const { headers } of answers) expect(headers["set-cookie"]).toBeUndefined()
  }
  await stays()
  await plane.nginx.reload()
  await stays()
  const [victim = 0] = plane.nginx.workers()
  signal(victim, "SIGKILL")
  await until(
    "another worker",
    () => plane.nginx.workers().length === WORKERS && !plane.nginx.workers().includes(victim),
  )
  await stays()
  const place = names.indexOf(first.body)
  await set(sticky(mode), [...backends].toSpliced((place + 1) % names.length, 1).toReversed())
  await stays()
})

test.each([
  "balanced",
  "persistent",
])("a session whose endpoint refuses moves only if it may: %s", async (mode) => {
  await set(sticky(mode, { change_on_failure: true }))
  const first = await get("/")
  await backends[names.indexOf(first.body)]?.fault("refuse")
  const moved = await get("/", { cookie: cookieOf(first) })
  expect(moved.status).toBe(200)
  expect(moved.body).not.toBe(first.body)
  expect((await get("/", { cookie: cookieOf(moved) })).body).toBe(moved.body)
  await set(sticky(mode))
  const refused = await get("/", { cookie: cookieOf(first) })
  expect([refused.status, refused.headers["set-cookie"]]).toEqual([502, undefined])
})

test("a new session gets one cookie beside those of the application, and garbage is replaced", async () => {
  await set(sticky("persistent", { maxage: 60, samesite: "Lax" }))
  for (const cookie of ["", "SESSION=", "SESSION=|||", `SESSION=${"x".repeat(7000)}`, "SESSION; =; ;;"]) {
    const { headers } = await get("/", { cookie })
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(
        /^SESSION=[0-9a-f]{32}\|[0-9a-f]{32}; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
  }
})

test("four workers give a canary its share, and the access log names it", async () => {
  const [main, ...others] = [...backends]
  const canary = { ...backend("canary", others.slice(0, 1)), noServer: true }
  await plane.apply({
    backends: {
      set: [
        { ...backend("shop", main ? [main] : []), alternativeBackends: ["canary"] },
        {
          ...canary,
          trafficShapingPolicy: { weight: 30, weightTotal: 100, header: "X-Canary", headerPattern: "^v\\d$" },
        },
      ],
    },
  })
  const counts = new Map<string, number>()
  for (let i = 0; i < 600; i++) {
    const { body } = await get("/")
    counts.set(body, (counts.get(body) ?? 0) + 1)
  }
  // 180, give or take four standard deviations.
  expect(counts.get("b")).toBeGreaterThan(135)
  expect(counts.get("b")).toBeLessThan(225)
  const answers = await fromAllWorkers(() => get("/", { "X-Canary": "v2", "x-id": "pattern" }))
  expect(bodies(answers)).toEqual(new Set(["b"]))
  const log = await until("the access log", () => {
    const lines = readFileSync(join(plane.nginx.dir, "alternatives.txt"), "utf8").split("\n")
    const found = lines.filter((line) => line.startsWith("pattern"))
    return found.length >= answers.length ? found : undefined
  })
  expect(new Set(log)).toEqual(new Set(["pattern canary"]))
})

test("the filter has not failed once", async () => {
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})
