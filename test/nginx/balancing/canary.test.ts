// Canaries on a real nginx: shares, rules and their order, sessions, and what the access log says.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import type { Question } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { backend, host, type Plane, startPlane } from "../../../harness/plane.ts"
import { until } from "../../../harness/until.ts"
import { sticky } from "./support/algorithms.ts"
import { burst, countsOf } from "./support/burst.ts"
import { inSession, issued, keyOf, persistentSession, sessionOf } from "./support/sessions.ts"
import { expectShares } from "./support/shares.ts"

const hostname = "shop.test"
const main = "shop-cart-80"
const canary = "shop-cart-canary-80"
const second = "shop-cart-beta-80"

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("main", "canary", "canary-too", "beta")
  plane = await startPlane({
    inHttp: `log_format alternatives "$request_id $upstream_addr [$proxy_upstream_name] [$proxy_alternative_upstream_name]";`,
    inLocation: `access_log alternatives.log alternatives; add_header x-id $request_id always;`,
  })
  await plane.apply({ routes: { set: [host(hostname, main, { location_path: "/" })] } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
beforeEach(async () => {
  for (const each of backends) await each.fault(undefined)
})

const named = (...names: string[]) => backends.filter(({ name }) => names.includes(name))

/** Main and canary shaped so, and with a second canary if it has one. */
async function serve(shaping: object, more: object = {}, secondShaping?: object): Promise<void> {
  const alternativeBackends = secondShaping === undefined ? [canary] : [canary, second]
  await plane.apply({
    backends: {
      set: [
        { ...backend(main, named("main")), alternativeBackends, ...more },
        { ...backend(canary, named("canary")), trafficShapingPolicy: shaping, noServer: true, ...more },
        ...(secondShaping === undefined
          ? []
          : [
              {
                ...backend(second, named("beta")),
                trafficShapingPolicy: secondShaping,
                noServer: true,
                ...more,
              },
            ]),
      ],
    },
  })
}

const ask = (question: Question = {}) => plane.nginx.get("/", { host: hostname, ...question })

/** Who answers requests with these headers; each is asked a few times, since some rule might draw. */
async function answered(headers: Readonly<Record<string, string>>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ headers })))
  return [...new Set(answers.map(({ body }) => body))].toSorted().join(" or ")
}

async function served(requests: number): Promise<Map<string, number>> {
  const taken = await burst(plane, backends, { requests, question: () => ({ host: hostname }) })
  return countsOf(taken.map(({ answer }) => answer.body))
}

describe("by weight", () => {
  test.each([
    ["none", { weight: 0 }, { main: 100 }],
    ["30 of 100", { weight: 30 }, { main: 70, canary: 30 }],
    ["150 of 1000", { weight: 150, weightTotal: 1000 }, { main: 850, canary: 150 }],
    ["a total below 100 is 100", { weight: 40, weightTotal: 50 }, { main: 60, canary: 40 }],
    ["all", { weight: 100 }, { canary: 100 }],
  ])("%s", async (_, shaping, shares) => {
    await serve(shaping)
    expectShares(await served(500), shares)
  })

  test("two canaries: each its part of the whole", async () => {
    await serve({ weight: 20 }, {}, { weight: 30 })
    expectShares(await served(800), { main: 50, canary: 20, beta: 30 })
  })

  test("a change is in force with the 201, and costs no request", async () => {
    const load = startLoad({ port: plane.nginx.port, question: () => ({ host: hostname }) })
    for (let round = 0; round < 10; round += 1) {
      await serve({ weight: 100 })
      expect(await answered({})).toBe("canary")
      await serve({ weight: 0 })
      expect(await answered({})).toBe("main")
    }
    const { lost, statuses } = await load.stop()
    expect([lost, [...statuses.keys()]]).toEqual([[], [200]])
  })
})

describe("by rules", () => {
  const header = { header: "X-Canary" }
  const value = { ...header, headerValue: "eu" }
  const pattern = { ...header, headerPattern: "^(eu|us)-\\d+$" }
  const cookie = { cookie: "beta" }
  const all = { weight: 100 }

  test.each([
    ["header: always", header, { "x-canary": "always" }, "canary"],
    ["header: never, though the weight says all", { ...header, ...all }, { "x-canary": "never" }, "main"],
    ["header: something else, so the weight decides", { ...header, ...all }, { "x-canary": "x" }, "canary"],
    ["header: absent, without a weight", header, {}, "main"],
    ["header value: equal", value, { "x-canary": "eu" }, "canary"],
    ["header value: always is no value", value, { "x-canary": "always" }, "main"],
    ["header value: another, so the weight decides", { ...value, ...all }, { "x-canary": "us" }, "canary"],
    ["header pattern: it matches", pattern, { "x-canary": "us-12" }, "canary"],
    ["header pattern: it does not", pattern, { "x-canary": "us-x" }, "main"],
    [
      "header pattern: none that compiles",
      { ...header, ...all, headerPattern: "(" },
      { "x-canary": "(" },
      "main",
    ],
    ["cookie: always", cookie, { cookie: "a=b; beta=always" }, "canary"],
    ["cookie: never", { ...cookie, ...all }, { cookie: "beta=never" }, "main"],
    ["cookie: something else, so the weight decides", { ...cookie, ...all }, { cookie: "beta=1" }, "canary"],
    [
      "header before cookie",
      { ...header, ...cookie },
      { "x-canary": "never", cookie: "beta=always" },
      "main",
    ],
    [
      "cookie after a header that says nothing",
      { ...value, ...cookie },
      { "x-canary": "us", cookie: "beta=always" },
      "canary",
    ],
  ])("%s", async (_, shaping, headers, expected) => {
    await serve(shaping)
    expect(await answered(headers)).toBe(expected)
  })

  test("two canaries: the one whose rule it is", async () => {
    await serve(value, {}, { ...header, headerValue: "us" })
    expect(await answered({ "x-canary": "eu" })).toBe("canary")
    expect(await answered({ "x-canary": "us" })).toBe("beta")
    expect(await answered({})).toBe("main")
  })
})

test("a canary without endpoints sends nobody away", async () => {
  await serve({ weight: 100 })
  await plane.apply({
    backends: { set: [{ ...backend(canary, []), trafficShapingPolicy: { weight: 100 } }] },
  })
  expect(await answered({})).toBe("main")
  await plane.apply({ backends: { remove: [canary] } })
  expect(await answered({})).toBe("main")
})

test("a retry stays in the canary", async () => {
  await serve({ weight: 50 })
  const twoOfThem = {
    ...backend(canary, named("canary", "canary-too")),
    trafficShapingPolicy: { weight: 50 },
  }
  await plane.apply({ backends: { set: [twoOfThem] } })
  await named("canary")[0]?.fault("reset")
  const taken = await burst(plane, backends, { requests: 100, question: () => ({ host: hostname }) })
  const retried = taken.filter(({ tried }) => tried.length > 1)
  expect(retried.length).toBeGreaterThan(5)
  expect(new Set(retried.map(({ answer }) => answer.body))).toEqual(new Set(["canary-too"]))
  expect(taken.filter(({ answer }) => answer.status !== 200)).toEqual([])
})

test("the access log names the canary that took a request, also after a retry, and nothing otherwise", async () => {
  await serve({ header: "X-Canary" })
  const wanted: string[] = []
  for (const [value, alternative] of [
    ["always", canary],
    ["never", ""],
    ["always", canary],
  ]) {
    const { headers } = await ask({ headers: { "x-canary": String(value) } })
    wanted.push(`${headers["x-id"]} ${headers["x-tried"]} [${main}] [${alternative}]`)
  }
  const lines = () => readFileSync(join(plane.nginx.dir, "alternatives.log"), "utf8").split("\n")
  await until("the log's lines", () => wanted.every((line) => lines().includes(line)))
})

describe("sessions", () => {
  const cookie = sticky("persistent", {}, { [hostname]: ["/"] })

  test("belong to the main backend or to the canary, whatever the weight says by now", async () => {
    await serve({ weight: 50 }, cookie)
    const begun = new Map<string, string>()
    await until("a session of each", async () => {
      const answer = await ask()
      begun.set(answer.body, String(sessionOf(answer)))
      return begun.size === 2
    })
    expect(begun.get("main")?.split("|")[1]).toBe(keyOf(main))
    expect(begun.get("canary")?.split("|")[1]).toBe(keyOf(canary))
    for (const weight of [0, 100]) {
      await serve({ weight }, cookie)
      for (const [name, session] of begun) expect(await answered(inSession(session))).toBe(name)
    }
  })

  test("of ingress-nginx's canary go on there", async () => {
    await serve({ weight: 0 }, cookie)
    const session = persistentSession(canary, backends[1] as Backends[number])
    const answer = await ask({ headers: inSession(session) })
    expect([answer.body, issued(answer)]).toEqual(["canary", undefined])
  })

  test("end for a canary that is gone: the main backend begins another", async () => {
    await serve({ weight: 100 }, cookie)
    const session = String(sessionOf(await ask()))
    await plane.apply({
      backends: { set: [{ ...backend(main, named("main")), ...cookie }], remove: [canary] },
    })
    const answer = await ask({ headers: inSession(session) })
    expect([answer.body, sessionOf(answer)?.split("|")[1]]).toEqual(["main", keyOf(main)])
  })
})

test("the filter chose all the while", async () => {
  expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
})
