/** Sessions whose endpoint is left out for a while, or warms up. */
import { expect, test } from "vitest"
import { backend, setBackends } from "./build.ts"
import { Exchange, REFUSED } from "./exchange.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const MODES = ["balanced", "persistent"] as const
const WINDOW_MS = 60_000
const EJECTION_MS = 30_000

function shop(mode: string, endpoints: number, changesOnFailure = false) {
  const cookie = { name: "S", locations: { "shop.test": ["/"] }, change_on_failure: changesOnFailure }
  return {
    ...backend("shop", endpoints),
    sessionAffinityConfig: { name: "cookie", mode, cookieSessionAffinity: cookie },
    outlierEjection: { failures: 1, ejection_ms: EJECTION_MS },
    slowStart: { window_ms: WINDOW_MS },
  }
}

function workersOf(posted: ReturnType<typeof shop>): [Worker, Worker] {
  const zones = new Zones()
  const workers: [Worker, Worker] = [new Worker({ zones }), new Worker({ zones, seed: 2 })]
  setBackends(workers[0], posted)
  return workers
}

/** A request to `shop.test/`, with the session that a cookie names or a new one. */
class Visit extends Exchange {
  constructor(worker: Worker, session?: string) {
    const properties = { "ngx\0ingress_host": "shop.test", "ngx\0location_path": "/" }
    super(worker, "shop", { cookies: session === undefined ? {} : { S: session }, properties })
  }

  /** The value of the cookie that was issued. */
  get issued(): string | undefined {
    return /^S=([^;]*)/.exec(this.cookiesSet.get("S") ?? "")?.[1]
  }
}

/** A new session: its cookie, and its endpoint's address. */
function begin(worker: Worker) {
  const visit = new Visit(worker)
  const { address } = visit.pick()
  visit.end()
  return { session: visit.issued ?? "", address }
}

/** Its first attempt fails, and with it the endpoint is left out from the next moment on. */
function failOnce(worker: Worker, session: string): Visit {
  const visit = new Visit(worker, session)
  visit.pick()
  visit.end(REFUSED)
  return visit
}

function ask(worker: Worker, session: string) {
  const visit = new Visit(worker, session)
  const { address } = visit.pick()
  visit.end()
  return { address, issued: visit.issued }
}

test.each(MODES)("%s: while its endpoint is left out, one and the same stands in for it", (mode) => {
  const [worker, other] = workersOf(shop(mode, 6))
  const { session, address } = begin(worker)
  failOnce(worker, session)
  worker.zones.passMs(1)
  const standIn = ask(worker, session)
  expect(standIn).toEqual({ address: expect.not.stringMatching(`^${address}$`), issued: undefined })
  for (let i = 0; i < 20; i++) expect(ask(i % 2 ? worker : other, session)).toEqual(standIn)
  worker.zones.passMs(EJECTION_MS)
  for (const each of [worker, other]) expect(ask(each, session)).toEqual({ address, issued: undefined })
})

test.each(MODES)("%s: when the one that stands in fails as well, another does", (mode) => {
  const [worker] = workersOf(shop(mode, 6))
  const { session, address } = begin(worker)
  const seen = [address]
  for (let i = 0; i < 3; i++) {
    failOnce(worker, session)
    worker.zones.passMs(1)
    const next = ask(worker, session).address
    expect(seen).not.toContain(next)
    seen.push(next)
  }
})

test.each(MODES)("%s: a session that may change moves for good", (mode) => {
  const [worker, other] = workersOf(shop(mode, 6, true))
  const { session, address } = begin(worker)
  failOnce(worker, session)
  worker.zones.passMs(1)
  const moved = ask(worker, session)
  expect(moved.address).not.toBe(address)
  for (const wait of [0, EJECTION_MS]) {
    worker.zones.passMs(wait)
    for (const each of [worker, other]) {
      expect(ask(each, moved.issued ?? "")).toEqual({ address: moved.address, issued: undefined })
    }
  }
})

test.each(MODES)("%s: a retry that may not change stays, as long as the endpoint is not left out", (mode) => {
  const posted = { ...shop(mode, 6), outlierEjection: { failures: 3, ejection_ms: EJECTION_MS } }
  const [worker] = workersOf(posted)
  const { session, address } = begin(worker)
  const visit = failOnce(worker, session)
  for (let i = 0; i < 2; i++) {
    worker.zones.passMs(1)
    expect(visit.pick().address).toBe(address)
    visit.end(REFUSED)
  }
  worker.zones.passMs(1)
  expect(visit.pick().address).not.toBe(address)
})

test.each(MODES)("%s: sessions that begin while an endpoint warms up stay where they are", (mode) => {
  const [worker, other] = workersOf(shop(mode, 3))
  begin(worker)
  setBackends(worker, shop(mode, 4))
  const sessions: { session: string; address: string }[] = []
  for (let age = 0; age <= 10; age++) {
    for (let i = 0; i < 40; i++) sessions.push(begin(i % 2 ? worker : other))
    for (const { session, address } of sessions) {
      expect(ask(worker, session)).toEqual({ address, issued: undefined })
    }
    worker.zones.passMs(WINDOW_MS / 10)
  }
  expect(sessions.filter(({ address }) => address === "10.0.0.4").length).toBeGreaterThan(10)
})

test("balanced: sessions move to an endpoint that warms up one by one, and none moves back", () => {
  const [worker, other] = workersOf(shop("balanced", 3))
  const sessions = Array.from({ length: 300 }, () => begin(worker))
  setBackends(worker, shop("balanced", 4))
  const moved = (each: Worker) =>
    sessions.filter(({ session, address }) => ask(each, session).address !== address)
  expect(moved(worker)).toEqual([])
  let before: unknown[] = []
  for (let age = 0; age <= 10; age++) {
    const now = moved(worker)
    expect(now).toEqual(expect.arrayContaining(before))
    expect(moved(other)).toEqual(now)
    before = now
    worker.zones.passMs(WINDOW_MS / 10)
  }
  expect(before.length).toBeGreaterThan(40)
  expect(before.length).toBeLessThan(120)
})

test("persistent: sessions stay with an endpoint that is new to the backend", () => {
  const [worker] = workersOf(shop("persistent", 4))
  const sessions = Array.from({ length: 60 }, () => begin(worker))
  setBackends(worker, shop("persistent", 3))
  begin(worker)
  setBackends(worker, shop("persistent", 4))
  for (const { session, address } of sessions) expect(ask(worker, session).address).toBe(address)
})
