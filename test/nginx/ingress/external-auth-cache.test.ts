// What an authentication service has said is kept for others who ask the same, where its route says so.
import { connect } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Told } from "../../../harness/echo.ts"
import type { External } from "../../../harness/ingress/records.ts"
import { until } from "../../../harness/until.ts"
import { ageOf } from "../../support/clock.ts"
import { type AuthSite, startAuthSite } from "./support/auth-site.ts"

let site: AuthSite
let count = 0
/** Each test has a host of its own, so that nothing is kept of others. */
let host: string
beforeAll(async () => {
  site = await startAuthSite({ http: "ingress_auth_cache 1m;", workers: 2 })
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  count += 1
  host = `h${count}.test`
  site.service.answer = () => ({ body: "" })
  site.service.asked.length = 0
  site.backend.asked.length = 0
})

const kept: External = {
  cacheKey: "$http_authorization",
  cacheDurations: { 200: 600, 401: 600, 403: 600 },
  responseHeaders: ["X-User", "X-Empty"],
}
const says = (told: Told) => {
  site.service.answer = () => told
}
const get = (authorization = "a", path = "/", headers: Record<string, string> = {}) =>
  site.ingress.nginx.get(path, { host, headers: { authorization, ...headers } })
const questions = () => site.service.asked.length

test("an answer serves all who bring the same, in every worker", async () => {
  await site.guard(host, kept)
  says({ headers: { "x-user": "ann" }, body: "welcome" })
  for (let turn = 0; turn < 20; turn += 1) {
    const answer = await get("a", `/${turn}`, { "x-user": "forged", x_empty: "forged" })
    expect(answer.status).toBe(200)
    const { headers } = site.backend.last
    expect(headers).toMatchObject({ "x-user": "ann" })
    expect(headers).not.toHaveProperty("x_empty")
  }
  expect(questions()).toBe(1)
  says({ headers: { "x-user": "bob" } })
  await get("b")
  expect(site.backend.last.headers).toMatchObject({ "x-user": "bob" })
  await get("a")
  expect(site.backend.last.headers).toMatchObject({ "x-user": "ann" })
  expect(questions()).toBe(2)
})

test("a refusal is kept with its challenges", async () => {
  await site.guard(host, kept)
  says({ status: 401, headers: { "www-authenticate": ["Basic", "Bearer"] } })
  for (let turn = 0; turn < 3; turn += 1) {
    const { status, headers } = await get()
    expect([status, headers["www-authenticate"]]).toEqual([401, "Basic, Bearer"])
  }
  says({ status: 403 })
  for (let turn = 0; turn < 3; turn += 1) expect((await get("b")).status).toBe(403)
  expect(questions()).toBe(2)
})

test("each is led to log in from where it was", async () => {
  await site.guard(host, { ...kept, signin: "https://auth.test/?rd=$escaped_request_uri" })
  says({ status: 401 })
  for (const path of ["one", "two"])
    expect((await get("a", `/${path}`)).headers.location).toBe(`https://auth.test/?rd=%2F${path}`)
  expect(questions()).toBe(1)
})

test("nothing is shared with another path, host or service", async () => {
  const access = { external: kept }
  await site.ingress.route(host, [{ access }, { path: "/other", access }])
  await get()
  await get("a", "/other/x")
  await get("a", "/other")
  expect(questions()).toBe(2)
  host = `other-${host}`
  await site.guard(host, kept)
  await get()
  expect(questions()).toBe(3)
  await site.guard(host, { ...kept, target: "/elsewhere" })
  await get()
  expect(questions()).toBe(4)
  await site.guard(host, { ...kept, responseHeaders: ["X-Other"] })
  await get()
  expect(questions()).toBe(5)
  await site.guard(host, { ...kept, responseHeaders: ["X-Other"] })
  await get()
  expect(questions()).toBe(5)
})

test("a question of any method is one", async () => {
  await site.guard(host, { ...kept, method: "POST" })
  for (let turn = 0; turn < 3; turn += 1) expect((await get()).status).toBe(200)
  expect(site.service.asked.map(({ method }) => method)).toEqual(["POST"])
})

describe("the service is asked again", () => {
  test.each<Told>([
    { headers: { "set-cookie": "a=b" } },
    { headers: { "cache-control": "private" } },
    { headers: { "cache-control": "no-store" } },
    { headers: { "cache-control": "max-age=0" } },
    { headers: { "x-accel-expires": "0" } },
    { headers: { expires: "Thu, 01 Jan 1970 00:00:01 GMT" } },
    { headers: { vary: "*" } },
    { headers: { vary: "Cookie" } },
    { status: 201 },
    { status: 404 },
    { status: 500 },
  ])("after %j", async (told) => {
    await site.guard(host, kept)
    says(told)
    await get()
    await get()
    expect(questions()).toBe(2)
  })

  test("when its time is over", async () => {
    await site.guard(host, kept)
    says({ headers: { "cache-control": "max-age=1" } })
    const age = await ageOf(() => get())
    says({ status: 403 })
    const { status } = await get()
    // On a busy machine its time may be over by now.
    if (age.atMostMs() < 1000) expect(status).toBe(200)
    await until("the end of its time", async () => (await get()).status === 403)
    expect(questions()).toBe(2)
  })

  test("after an answer that broke off", async () => {
    await site.guard(host, { ...kept, location: "auth-dead" })
    expect((await get()).status).toBe(500)
    expect((await get()).status).toBe(500)
  })
})

describe("of many at once", () => {
  const all = (number: number) => Array.from({ length: number }, () => get())
  const held = (told: Told): (() => void) => {
    let isHeld = true
    says({ ...told, until: () => !isHeld })
    return () => {
      isHeld = false
    }
  }

  test("one of each worker asks, and the others wait for it", async () => {
    await site.guard(host, kept)
    const release = held({ body: "" })
    const waiting = all(100)
    await until("a question", () => questions() > 0)
    release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    expect(questions()).toBeLessThanOrEqual(2)
  })

  test("all ask when the answer cannot be shared", async () => {
    await site.guard(host, kept)
    const release = held({ headers: { "set-cookie": "a=b" }, body: "" })
    const waiting = all(20)
    await until("a question", () => questions() > 0)
    release()
    for (const { status, headers } of await Promise.all(waiting))
      expect([status, headers["set-cookie"]]).toEqual([200, ["a=b"]])
    expect(questions()).toBe(20)
  })

  test("the others go on when the one that asks goes away", async () => {
    await site.guard(host, kept)
    const release = held({ body: "" })
    const gone = connect(site.ingress.port, "127.0.0.1").on("error", () => {})
    gone.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: a\r\n\r\n`)
    await until("a question", () => questions() > 0)
    const waiting = all(20)
    // Those of its worker have come by the time that a later one was served.
    await site.ingress.route("open.test", [{}])
    for (let turn = 0; turn < 10; turn += 1) await site.ingress.nginx.get("/", { host: "open.test" })
    gone.destroy()
    await until("another question", () => questions() > 1)
    release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  })

  test("one that goes away while it waits is missed by nobody", async () => {
    await site.guard(host, kept)
    const release = held({ body: "" })
    const first = get()
    await until("a question", () => questions() > 0)
    const clients = Array.from({ length: 10 }, () => connect(site.ingress.port, "127.0.0.1"))
    for (const client of clients)
      client.on("error", () => {}).write(`GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: a\r\n\r\n`)
    for (let turn = 0; turn < 10; turn += 1) await site.ingress.nginx.get("/", { host: "open.test" })
    for (const client of clients) client.destroy()
    release()
    expect((await first).status).toBe(200)
    expect((await get()).status).toBe(200)
    expect(site.ingress.nginx.errorLog()).not.toMatch(/\[alert\]|\[emerg\]|exited on signal/)
  })
})

test("what is kept outlives a reload", async () => {
  await site.guard(host, kept)
  await get()
  await site.ingress.nginx.reload()
  for (let turn = 0; turn < 4; turn += 1) expect((await get()).status).toBe(200)
  expect(questions()).toBe(1)
})

test("any number of answers take the room that there is", async () => {
  await site.guard(host, kept)
  const user = "u".repeat(500)
  site.service.answer = ({ headers }) => ({
    headers: { "x-user": `${headers.authorization}${user}` },
    body: "",
  })
  for (let turn = 0; turn < 3000; turn += 50)
    await Promise.all(Array.from({ length: 50 }, (_, nth) => get(`${turn + nth}`)))
  expect(questions()).toBe(3000)
  for (const turn of [0, 1500, 2999]) {
    await get(`${turn}`)
    expect(site.backend.last.headers["x-user"]).toBe(`${turn}${user}`)
  }
  expect(questions()).toBeLessThan(3003)
})

test("without a place for answers each is asked for", async () => {
  await using bare = await startAuthSite()
  await bare.guard(host, kept)
  for (let turn = 0; turn < 2; turn += 1) {
    const { status } = await bare.ingress.nginx.get("/", { host })
    expect(status).toBe(200)
  }
  expect(bare.service.asked).toHaveLength(2)
})

describe("what a key could mean in two ways", () => {
  const bySession: External = { ...kept, cacheKey: "$cookie_session" }
  /** Lets in those whose last cookie of the name says so, as many services read several. */
  const lastCounts = () => {
    site.service.answer = ({ headers }) => {
      const sessions = [...String(headers.cookie ?? "").matchAll(/session=(\w+)/g)].map(([, value]) => value)
      return { status: sessions.at(-1) === "good" ? 200 : 401, body: "" }
    }
  }
  const asks = async (cookie: string) => (await get("a", "/", { cookie })).status

  test("is not kept: the answer to one cookie of several lets nobody in who has another", async () => {
    await site.guard(host, bySession)
    lastCounts()
    for (const cookies of [
      "Session=anon; session=good",
      "session=anon; session=good",
      "a=b,session=anon; session=good",
      "SESSION=anon; a=b; session=good",
    ]) {
      expect(await asks(cookies), cookies).toBe(200)
      expect(await asks(cookies), cookies).toBe(200)
      expect(await asks("session=anon"), cookies).toBe(401)
    }
  })

  test("is kept where it can be read in one way", async () => {
    await site.guard(host, bySession)
    lastCounts()
    for (let turn = 0; turn < 20; turn += 1) expect(await asks("a=b; session=good; c=d")).toBe(200)
    expect(questions()).toBeLessThan(20)
  })

  test("is not kept with two headers or arguments of a name", async () => {
    await site.guard(host, { ...kept, cacheKey: "$http_x_key$arg_key" })
    for (let turn = 0; turn < 3; turn += 1) await get("a", "/?key=a&KEY=b")
    for (let turn = 0; turn < 3; turn += 1) await get("a", "/?%6bey=a")
    expect(questions()).toBe(6)
  })

  test("values change no places", async () => {
    await site.guard(host, { ...kept, cacheKey: "$http_x_one$http_x_two" })
    site.service.answer = ({ headers }) => ({ status: headers["x-one"] === "ab" ? 200 : 401, body: "" })
    const status = async (one: string, two: string) =>
      (await get("a", "/", { "x-one": one, "x-two": two })).status
    expect(await status("ab", "c")).toBe(200)
    expect(await status("a", "bc")).toBe(401)
  })
})
