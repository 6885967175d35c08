// Sessions on a real nginx: every worker knows them, nothing that happens to workers ends them, failures and changes move only
// those that must move, and no cookie is issued that is not due.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Backend, type Backends, startBackends } from "../../../harness/backends.ts"
import type { Answer, Question } from "../../../harness/http.ts"
import { host, type Plane, startPlane } from "../../../harness/plane.ts"
import { isRunning, signal } from "../../../harness/processes.ts"
import { until } from "../../../harness/until.ts"
import { sticky } from "./support/algorithms.ts"
import { burst } from "./support/burst.ts"
import {
  balancedSession,
  inSession,
  issued,
  keyOf,
  ownerOf,
  persistentSession,
  sessionOf,
} from "./support/sessions.ts"

const hostname = "shop.test"
const name = "shop-cart-80"
const here = { [hostname]: ["/"], "*.shop.test": ["/"] }

let backends: Backends
let plane: Plane
beforeAll(async () => {
  backends = await startBackends("a", "b", "c", "d")
  plane = await startPlane()
  const hosts = [hostname, "*.shop.test", "elsewhere.test"]
  const routes = hosts.map((each) => host(each, name, { location_path: "/" }))
  await plane.apply({ routes: { set: routes } })
})
afterAll(async () => {
  await plane.nginx.stop()
  await backends.stop()
})
beforeEach(async () => {
  for (const backend of backends) await backend.fault(undefined)
})

const ask = (question: Question = {}) => plane.nginx.get("/", { host: hostname, ...question })
const askIn = (session: string, question: Question = {}) =>
  ask({ ...question, headers: { ...inSession(session), ...question.headers } })
const backend = (which: string) => backends.find((one) => one.name === which) as Backend

/** Asks on fresh connections until every worker has answered. */
async function askEveryWorker(session: string): Promise<Answer[]> {
  const answers: Answer[] = []
  const workers = () => new Set(answers.map(({ headers }) => headers["x-worker"]))
  await until("every worker to answer", async () => {
    answers.push(await askIn(session))
    return workers().size === 4
  })
  return answers
}

describe.each(["balanced", "persistent"] as const)("%s", (mode) => {
  const serve = (cookie: object = {}, endpoints: readonly Backend[] = backends) =>
    plane.apply({
      backends: {
        set: [{ name, endpoints: endpoints.map(({ endpoint }) => endpoint), ...sticky(mode, cookie, here) }],
      },
    })

  /** A session as ingress-nginx would have begun it. */
  const foreignSession = (endpoint: Backend) =>
    mode === "persistent" ? persistentSession(name, endpoint) : balancedSession(name, backends, endpoint)

  async function begin(): Promise<{ session: string; owner: string }> {
    const answer = await ask()
    const session = sessionOf(answer)
    if (session === undefined) throw new Error("No session began")
    return { session, owner: answer.body }
  }

  /** In this session each worker sends to this endpoint, and issues no cookie. */
  async function expectKept({ session, owner }: { session: string; owner: string }): Promise<void> {
    for (const answer of await askEveryWorker(session)) {
      expect([answer.status, answer.body, sessionOf(answer)]).toEqual([200, owner, undefined])
    }
  }

  beforeEach(() => serve())

  test("a new session is known to every worker, and is one that ingress-nginx would read the same way", async () => {
    const owners = new Set<string>()
    for (let n = 0; n < 12; n += 1) {
      const begun = await begin()
      await expectKept(begun)
      expect(begun.session.split("|")[1]).toBe(keyOf(name))
      const owner = backend(begun.owner)
      if (mode === "balanced") expect(ownerOf(begun.session, backends)).toBe(owner)
      else expect(begun.session).toBe(persistentSession(name, owner))
      owners.add(begun.owner)
    }
    expect(owners.size).toBeGreaterThan(1)
  })

  test("a session of ingress-nginx goes on", async () => {
    for (const endpoint of backends) {
      await expectKept({ session: foreignSession(endpoint), owner: endpoint.name })
    }
  })

  test("a session survives a reload and a killed worker", async () => {
    const sessions = [await begin(), await begin(), await begin()]
    await plane.nginx.reload()
    for (const each of sessions) await expectKept(each)
    const [victim = 0] = plane.nginx.workers()
    signal(victim, "SIGKILL")
    await until("another worker", () => !isRunning(victim) && plane.nginx.workers().length === 4)
    for (const each of sessions) await expectKept(each)
  })

  test("the cookie has the attributes that were asked for, in ingress-nginx's order", async () => {
    const shape = (text: string) => new RegExp(`^INGRESSCOOKIE=[^;]+${text}$`)
    expect(issued(await ask())).toMatch(shape("; Path=/; HttpOnly"))
    await serve({
      expires: "60",
      maxage: "90",
      domain: "shop.test",
      path: "/cart",
      secure: true,
      samesite: "Lax",
    })
    const date = "\\w{3}, \\d\\d[ -]\\w{3}[ -]\\d{2,4} \\d\\d:\\d\\d:\\d\\d GMT"
    expect(issued(await ask())).toMatch(
      shape(`; Expires=${date}; Max-Age=90; Domain=shop\\.test; Path=/cart; Secure; HttpOnly; SameSite=Lax`),
    )
  })

  test("a cookie is issued for its hosts and paths only, once, and whatever the answer is", async () => {
    expect(sessionOf(await ask({ host: "eu.shop.test" }))).toBeDefined()
    expect(sessionOf(await ask({ host: "elsewhere.test" }))).toBeUndefined()
    for (const each of backends) await each.fault("error")
    const answer = await ask()
    expect([answer.status, answer.headers["set-cookie"]?.length]).toEqual([500, 1])
  })

  test("garbage begins no fault: it is a key, or a new session", async () => {
    for (const garbage of ["x", "|", "a|b|c", "%00%ff", "é", `${"k".repeat(7000)}`, keyOf(name)]) {
      const session = Buffer.from(garbage).toString("latin1")
      const answer = await askIn(session)
      expect(answer.status).toBe(200)
      const isKey = mode === "balanced" && !garbage.startsWith("|")
      expect([garbage, sessionOf(answer) === undefined]).toEqual([garbage, isKey])
    }
    expect(await plane.counters()).toEqual({ faults: 0, fallbacks: 0 })
  })

  test("an endpoint that fails keeps its sessions, who are told", async () => {
    await backend("b").fault("reset")
    const answer = await askIn(foreignSession(backend("b")))
    expect([answer.status, sessionOf(answer)]).toEqual([502, undefined])
    await backend("b").fault(undefined)
    await expectKept({ session: foreignSession(backend("b")), owner: "b" })
  })

  test("with change-on-failure it loses them to another, for good", async () => {
    await serve({ change_on_failure: true })
    await backend("b").fault("reset")
    const answer = await askIn(foreignSession(backend("b")))
    const moved = sessionOf(answer)
    expect([answer.status, answer.body === "b", answer.headers["set-cookie"]?.length]).toEqual([
      200,
      false,
      1,
    ])
    await backend("b").fault(undefined)
    await expectKept({ session: String(moved), owner: answer.body })
    await expectKept({ session: foreignSession(backend("c")), owner: "c" })
  })

  test("a new session whose first endpoint fails belongs to the one that answered", async () => {
    await backend("b").fault("refuse")
    const taken = await burst(plane, backends, { requests: 60, question: () => ({ host: hostname }) })
    const retried = taken.filter(({ tried }) => tried.length > 1)
    expect(retried.length).toBeGreaterThan(0)
    for (const { answer } of retried.slice(0, 4)) {
      expect(answer.headers["set-cookie"]).toHaveLength(1)
      await expectKept({ session: String(sessionOf(answer)), owner: answer.body })
    }
  })

  test("an endpoint that goes takes only its own sessions with it, and they come back with it", async () => {
    const left = backends.filter(({ name }) => name !== "b")
    await serve({}, left)
    for (const endpoint of left) await expectKept({ session: foreignSession(endpoint), owner: endpoint.name })
    const orphan = await askIn(foreignSession(backend("b")))
    expect([orphan.status, orphan.body === "b"]).toEqual([200, false])
    // In the balanced mode the same cookie is a key of the others; in the persistent one it is nobody's.
    expect(sessionOf(orphan) === undefined).toBe(mode === "balanced")
    // In another order as well.
    await serve({}, backends.toReversed())
    await expectKept({ session: foreignSession(backend("b")), owner: "b" })
  })
})
