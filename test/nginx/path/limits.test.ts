// How much a client may request: annotations that change from one request to the next without a reload, counted for all workers together.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { signal } from "../../../harness/processes.ts"
import { scrape, sumOf } from "../../../harness/scraped.ts"
import { until } from "../../../harness/until.ts"
import { allowance } from "../../support/clock.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

const forwarded = { "use-forwarded-headers": "true" }

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"], { flags: ["--sync-rate-limit=100"] })
  await site.reconfigure(forwarded)
})
afterAll(() => site[Symbol.asyncDispose]())

type Annotations = Readonly<Record<string, string>>

const app = (annotations: Annotations, rule = "foo.test/ → app:80", name = "app"): Json =>
  ingress(`demo/${name}`, rule, annotations)

const put = (...objects: readonly Json[]) => site.put(...site.service("app", "one"), ...objects)

let clients = 0
/** An address that nobody had before. */
const newClient = () => {
  clients += 1
  return `18.0.${clients >> 8}.${clients & 255}`
}

const statusOf = async (client: string, path = "/", host = "foo.test") =>
  (await site.get(path, { host, headers: { "x-forwarded-for": client } })).status

/** How many of so many requests at once got which status. */
async function statuses(count: number, client: string, path = "/", host = "foo.test") {
  const all = await Promise.all(Array.from({ length: count }, () => statusOf(client, path, host)))
  const found: Record<number, number> = {}
  for (const status of all) found[status] = (found[status] ?? 0) + 1
  return found
}

describe("requests at a time", () => {
  const held = async (count: number) => {
    const backend = site.backend("one")
    await backend.fault("hold")
    const client = newClient()
    const answers = Array.from({ length: count }, () => statusOf(client).catch(() => 0))
    await until("all to be there", () => backend.running === count)
    return { client, answers }
  }

  afterEach(() => site.backend("one").fault(undefined))

  test("more than the limit are refused, over all workers, and none when the others have ended", async () => {
    await put(app({ "limit-connections": "3" }))
    const { client, answers } = await held(3)
    expect(await statuses(8, client)).toEqual({ 503: 8 })
    await site.untilSaid(`limiting connections by zone "demo_app_conn"`)
    await site.backend("one").fault(undefined)
    expect(await Promise.all(answers)).toEqual([200, 200, 200])
    await until("all to be given back", async () => (await statusOf(client)) === 200)
    for (let i = 0; i < 20; i++) expect(await statusOf(client)).toBe(200)
  })

  test("a client that goes away gives its own back", async () => {
    await put(app({ "limit-connections": "1" }))
    const client = newClient()
    await site.backend("one").fault("hold")
    const headers = { "x-forwarded-for": client }
    await site.get("/", { headers, timeoutMs: 300 }).catch(() => undefined)
    await site.backend("one").fault(undefined)
    await until("it to be given back", async () => (await statusOf(client)) === 200)
  })

  test("workers that are killed give theirs back", async () => {
    await put(app({ "limit-connections": "3" }))
    const { client, answers } = await held(3)
    expect(await statusOf(client)).toBe(503)
    const killed = site.wick.workers()
    for (const pid of killed) signal(pid, "SIGKILL")
    await Promise.all(answers)
    await site.backend("one").fault(undefined)
    await until("other workers to serve", async () => (await statusOf(newClient()).catch(() => 0)) === 200)
    await until("all to be given back", async () => (await statusOf(client).catch(() => 0)) === 200)
    for (let i = 0; i < 20; i++) expect(await statusOf(client).catch(() => 0)).toBe(200)
    expect(site.wick.workers().some((pid) => killed.includes(pid))).toBe(false)
  })

  test("a reload counts what workers of before have under way", async () => {
    await put(app({ "limit-connections": "2" }))
    const { client, answers } = await held(2)
    await site.reconfigure({ ...forwarded, "limit-conn-status-code": "429" })
    expect(await statuses(4, client)).toEqual({ 429: 4 })
    await site.backend("one").fault(undefined)
    expect(await Promise.all(answers)).toEqual([200, 200])
    await until("all to be given back", async () => (await statusOf(client)) === 200)
    await site.reconfigure(forwarded)
  })
})

describe("rates", () => {
  test("344: one request per second with a burst of five, and twenty at once", async () => {
    await put(app({ "limit-rps": "1" }))
    const client = newClient()
    const more = allowance(1)
    const found = await statuses(20, client)
    expect(found[200]).toBeGreaterThanOrEqual(6)
    expect(found[200]).toBeLessThanOrEqual(6 + more())
    expect((found[200] ?? 0) + (found[503] ?? 0)).toBe(20)
    await site.untilSaid(`by zone "demo_app_rps"`)
  })

  test("346: sixty per minute are one per second with a burst of 300", async () => {
    await put(app({ "limit-rpm": "60" }))
    const more = allowance(1)
    const found = await statuses(400, newClient())
    expect(found[200]).toBeGreaterThanOrEqual(301)
    expect(found[200]).toBeLessThanOrEqual(301 + more())
  })

  test("both: the lower one decides, whichever it is", async () => {
    await put(app({ "limit-rps": "100", "limit-rpm": "1", "limit-burst-multiplier": "2" }))
    expect(await statuses(10, newClient())).toEqual({ 200: 3, 503: 7 })
    await put(app({ "limit-rps": "1", "limit-rpm": "1000", "limit-burst-multiplier": "0" }))
    const client = newClient()
    const more = allowance(1)
    expect(await statusOf(client)).toBe(200)
    const found = await statuses(5, client)
    expect(found[200] ?? 0).toBeLessThanOrEqual(more())
    expect((found[200] ?? 0) + (found[503] ?? 0)).toBe(5)
  })

  test("347: who is in the list is never limited", async () => {
    for (const name of ["limit-allowlist", "limit-whitelist"]) {
      const client = newClient()
      await put(app({ "limit-rpm": "1", "limit-burst-multiplier": "1", [name]: client }))
      expect(await statuses(20, client)).toEqual({ 200: 20 })
      expect(await statuses(20, newClient())).toEqual({ 200: 2, 503: 18 })
    }
  })

  test("clients, and Ingresses, do not count each other's requests; all paths of one Ingress count together", async () => {
    const annotations = { "limit-rpm": "1", "limit-burst-multiplier": "2" }
    await put(app(annotations, "foo.test/ → app:80", "a-b"), app(annotations, "bar.test/ → app:80", "a"))
    const client = newClient()
    expect(await statuses(2, client, "/a")).toEqual({ 200: 2 })
    expect(await statuses(2, client, "/b")).toEqual({ 200: 1, 503: 1 })
    expect(await statuses(5, newClient(), "/b")).toEqual({ 200: 3, 503: 2 })
    expect(await statuses(5, client, "/", "bar.test")).toEqual({ 200: 3, 503: 2 })
  })

  test("limits come, change and go without a reload; what was counted stays", async () => {
    const text = site.wick.conf()
    const reloads = await site.wick.metric("nginx_ingress_controller_success")
    const client = newClient()
    await put(app({ "limit-rpm": "1", "limit-burst-multiplier": "3" }))
    expect(await statuses(10, client)).toEqual({ 200: 4, 503: 6 })
    await put(app({ "limit-rpm": "1", "limit-burst-multiplier": "6" }))
    expect(await statuses(10, client)).toEqual({ 200: 3, 503: 7 })
    await put(app({}))
    expect(await statuses(10, client)).toEqual({ 200: 10 })
    for (const off of ["0", "-1"]) {
      await put(app({ "limit-rps": off, "limit-rpm": off, "limit-connections": off }))
      expect(await statuses(10, client)).toEqual({ 200: 10 })
    }
    expect(site.wick.conf()).toBe(text)
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  })

  test("a reload keeps what was counted, and the ConfigMap says the status", async () => {
    const client = newClient()
    await put(app({ "limit-rpm": "1", "limit-burst-multiplier": "1" }))
    expect(await statuses(4, client)).toEqual({ 200: 2, 503: 2 })
    await site.reconfigure({ ...forwarded, "limit-req-status-code": "429" })
    expect(await statuses(4, client)).toEqual({ 429: 4 })
    await site.reconfigure(forwarded)
    expect(await statuses(4, client)).toEqual({ 503: 4 })
  })

  test("a value that is none closes", async () => {
    for (const name of [
      "limit-rps",
      "limit-rpm",
      "limit-connections",
      "limit-burst-multiplier",
      "limit-allowlist",
    ]) {
      await put(app({ "limit-rps": "100", [name]: "many" }))
      expect(await statusOf(newClient())).toBe(503)
    }
  })

  test("redirects and preflights are not counted, refusals by address are", async () => {
    const tight = { "limit-rpm": "1", "limit-burst-multiplier": "1" }
    const client = newClient()
    await put(app({ ...tight, "permanent-redirect": "https://else.test" }))
    expect(await statuses(5, client)).toEqual({ 301: 5 })
    await put(app({ ...tight, "enable-cors": "true" }))
    const preflight = () =>
      site.get("/", { method: "OPTIONS", headers: { origin: "https://a.test", "x-forwarded-for": client } })
    for (let i = 0; i < 5; i++) expect((await preflight()).status).toBe(204)
    await put(app({ ...tight, "denylist-source-range": client }))
    expect(await statuses(5, client)).toEqual({ 403: 2, 503: 3 })
  })

  test("an error page may take the place of the refusal, and is not counted", async () => {
    await put(
      app({
        "limit-rpm": "1",
        "limit-burst-multiplier": "1",
        "custom-http-errors": "503",
        "default-backend": "pages",
      }),
      ...site.service("pages", "one"),
    )
    const client = newClient()
    await until("the error page", async () => {
      await site.get("/", { headers: { "x-forwarded-for": client } })
      return site.backend("one").lastHeaders["x-code"] === "503"
    })
  })

  describe("more clients than there is room for", () => {
    const places = 8192
    const forgotten = async () =>
      sumOf(await scrape(site.wick), "wick_zone_shortages_total", { zone: "limits" })

    /** So many clients that nobody has seen, each of them once; all are let in. No request of a connection waits for the answer before it. */
    const come = async (count: number) => {
      const atOnce = 512
      for (let left = count; left > 0; left -= atOnce) {
        const clients = Array.from({ length: Math.min(left, atOnce) }, newClient)
        const heads = clients.map(
          (client) => `GET / HTTP/1.1\r\nHost: foo.test\r\nX-Forwarded-For: ${client}\r\n`,
        )
        const answers = await rawRequest(site.wick.port, `${heads.join("\r\n")}Connection: close\r\n\r\n`)
        expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(clients.length)
      }
    }

    /** So many at once, and then one a minute: whoever asks for as many again some minutes later gets all only when forgotten. */
    const allowed = 21
    beforeAll(() => put(app({ "limit-rpm": "1", "limit-burst-multiplier": String(allowed - 1) })))
    afterAll(() => site.reconfigure(forwarded))

    test("some have to leave, nobody who is new is refused for it, nobody gets more for it, and it is counted", async () => {
      await site.reconfigure({ ...forwarded, "zone-sizes": "limits: 1m" })
      const first = newClient()
      expect(await statuses(allowed + 1, first)).toEqual({ 200: allowed, 503: 1 })
      expect(await forgotten()).toBe(0)
      await until("some to have to leave", async () => {
        await come(places)
        return (await forgotten()) > 0
      })
      expect((await statuses(allowed, first))[503]).toBeGreaterThan(0)
      expect((await statuses(allowed, newClient()))[200]).toBeGreaterThanOrEqual(1)
    })

    test("nobody goes where the zone is larger", async () => {
      await site.reconfigure({ ...forwarded, "zone-sizes": "limits: 64m" })
      const first = newClient()
      expect(await statuses(allowed, first)).toEqual({ 200: allowed })
      await come(places + 1024)
      expect((await statuses(allowed, first))[503]).toBeGreaterThan(0)
      expect(await forgotten()).toBe(0)
    })
  })
})

describe("who counts as one client", () => {
  const minute = { "limit-rpm": "1", "limit-burst-multiplier": "0" }
  const withHeaders = async (headers: Readonly<Record<string, string>>, path = "/") =>
    (await site.get(path, { host: "foo.test", headers })).status

  test("a header, whatever the address; without it the address counts", async () => {
    await put(app({ ...minute, "wick.dev/limit-by": "header:X-Api-Key" }, "foo.test/ → app:80", "by-header"))
    const from = (address: string, key?: string) =>
      withHeaders({ "x-forwarded-for": address, ...(key !== undefined && { "x-api-key": key }) })
    expect(await from(newClient(), "one")).toBe(200)
    expect(await from(newClient(), "one")).toBe(503)
    expect(await from(newClient(), "two")).toBe(200)
    const bare = newClient()
    expect([await from(bare), await from(bare), await from(bare, "")]).toEqual([200, 503, 503])
    expect(await from(newClient())).toBe(200)
  })

  test("a cookie and a part of the path together", async () => {
    await put(app({ ...minute, "wick.dev/limit-by": "cookie:sid,path:1" }, "foo.test/ → app:80", "by-path"))
    const of = (sid: string, path: string) =>
      withHeaders({ "x-forwarded-for": newClient(), cookie: `a=1; sid=${sid}` }, path)
    expect(await of("x", "/shop/1")).toBe(200)
    expect(await of("x", "//shop/%2e%2e/shop/2")).toBe(503)
    expect(await of("x", "/news/1")).toBe(200)
    expect(await of("y", "/shop/1")).toBe(200)
  })

  test("a part of the path that the client asks for, not of what becomes of that", async () => {
    const byAccount = { ...minute, "wick.dev/limit-by": "path:2" }
    const rule = "foo.test/v1/([^/]+)/(.*) ~→ app:80"
    const ways = {
      decoded: { "rewrite-target": "/$2" },
      raw: { "rewrite-target": "/$2", "wick.dev/rewrite-raw": "true" },
      constant: { "rewrite-target": "/app/x/$2" },
      scripted: { "use-regex": "true", "configuration-snippet": "rewrite ^/v1/[^/]+/(.*) /v1/$1 break;" },
    }
    for (const [name, way] of Object.entries(ways)) {
      await put(app({ ...byAccount, ...way }, rule, name))
      const of = (path: string) => withHeaders({ "x-forwarded-for": newClient() }, path)
      const answers = [await of("/v1/acme/x/1"), await of("/v1//%61cme/y/2"), await of("/v1/other/x/1")]
      expect(answers, name).toEqual([200, 503, 200])
    }
  })

  test("a network of IPv6: the /64 of a client, unless something else is said", async () => {
    await put(app(minute, "foo.test/ → app:80", "by-client"))
    expect(await statusOf("2001:db8::1")).toBe(200)
    expect(await statusOf("2001:db8::ffff:2")).toBe(503)
    expect(await statusOf("2001:db8:0:1::1")).toBe(200)
    await put(app({ ...minute, "wick.dev/limit-ipv6-prefix": "48" }, "foo.test/ → app:80", "by-network"))
    expect(await statusOf("2001:db8:1::1")).toBe(200)
    expect(await statusOf("2001:db8:1:1::1")).toBe(503)
    await put(app({ ...minute, "wick.dev/limit-ipv6-prefix": "128" }, "foo.test/ → app:80", "by-address"))
    expect(await statusOf("2001:db8:2::1")).toBe(200)
    expect(await statusOf("2001:db8:2::2")).toBe(200)
  })

  test("what the ConfigMap says, in nginx's words", async () => {
    await site.reconfigure({ ...forwarded, "limit-conn-zone-variable": "$http_x_api_key" })
    await put(app(minute, "foo.test/ → app:80", "by-variable"))
    const of = (key: string) => withHeaders({ "x-forwarded-for": newClient(), "x-api-key": key })
    expect([await of("one"), await of("one"), await of("two")]).toEqual([200, 503, 200])
    await site.reconfigure(forwarded)
  })
})

test("responses say how much is left, where that is wanted", async () => {
  await put(
    app(
      { "limit-rpm": "1", "limit-burst-multiplier": "2", "wick.dev/limit-headers": "true" },
      "foo.test/ → app:80",
      "told",
    ),
  )
  const client = newClient()
  const told = async () => {
    const { status, headers } = await site.get("/", {
      host: "foo.test",
      headers: { "x-forwarded-for": client },
    })
    const { "ratelimit-limit": limit, "ratelimit-remaining": left, "retry-after": retry } = headers
    return { status, limit, left, retry, reset: Number(headers["ratelimit-reset"]) }
  }
  expect(await told()).toMatchObject({ status: 200, limit: "3", left: "2" })
  expect(await told()).toMatchObject({ status: 200, limit: "3", left: "1" })
  expect(await told()).toMatchObject({ status: 200, limit: "3", left: "0" })
  const refused = await told()
  expect(refused).toMatchObject({ status: 503, limit: "3", left: "0" })
  expect(Number(refused.retry)).toBeGreaterThan(30)
  expect(Number(refused.retry)).toBeLessThan(64) // of 1/60 per second nginx keeps 16 thousandths
  expect(refused.reset).toBe(Number(refused.retry))
})
