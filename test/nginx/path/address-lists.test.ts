// Who may request a path, by address: lists of Ingresses and of the ConfigMap, which change from one request to the next without a reload.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { startLoad } from "../../../harness/load.ts"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { proxyAgent, proxyV1, proxyV2 } from "../../support/agents.ts"
import { rawRequest } from "../ingress/support/raw.ts"
import { Site } from "./site.ts"

let site: Site
beforeAll(async () => {
  site = await Site.start(["one"])
})
afterAll(() => site[Symbol.asyncDispose]())

type Annotations = Readonly<Record<string, string>>

const app = (annotations: Annotations, rule = "foo.test/ → app:80"): Json =>
  ingress("demo/app", rule, annotations)

const put = (...objects: readonly Json[]) => site.put(...site.service("app", "one"), ...objects)

describe("the address of the connection", () => {
  const statusOf = async (annotations: Annotations, host?: string) => {
    await put(app(annotations))
    const { status } = await ask({ port: site.wick.port, ...(host && { host }) }, { host: "foo.test" })
    return status
  }

  test("172: who is not in the list is refused", async () => {
    expect(await statusOf({ "allowlist-source-range": "18.0.0.0/8" })).toBe(403)
    expect(await statusOf({ "whitelist-source-range": "18.0.0.0/8,127.0.0.0/8" })).toBe(200)
    expect(await statusOf({ "allowlist-source-range": "0.0.0.0/0" })).toBe(200)
  })

  test("IPv6 is told from IPv4, and mapped addresses are of IPv4", async () => {
    expect(await statusOf({ "allowlist-source-range": "::1" }, "::1")).toBe(200)
    expect(await statusOf({ "allowlist-source-range": "::1" })).toBe(403)
    expect(await statusOf({ "allowlist-source-range": "0.0.0.0/0" }, "::1")).toBe(403)
    expect(await statusOf({ "denylist-source-range": "::/0" }, "::1")).toBe(403)
    expect(await statusOf({ "denylist-source-range": "::/0" })).toBe(200)
    expect(await statusOf({ "denylist-source-range": "::ffff:127.0.0.0/104" })).toBe(403)
  })

  test("176: a list that is none closes", async () => {
    expect(await statusOf({ "allowlist-source-range": "invalid.com" })).toBe(503)
    expect(await statusOf({ "denylist-source-range": "18.0.0.0/8, invalid.com" })).toBe(503)
  })

  test("nothing that a client says about its address is believed", async () => {
    await put(app({ "allowlist-source-range": "18.0.0.0/8" }))
    const says = [
      { "x-forwarded-for": "18.0.0.1" },
      { "x-real-ip": "18.0.0.1" },
      { forwarded: "for=18.0.0.1" },
      { "x-original-forwarded-for": "18.0.0.1" },
      { "x-client-ip": "18.0.0.1", "true-client-ip": "18.0.0.1", "cf-connecting-ip": "18.0.0.1" },
    ]
    for (const headers of says) expect((await site.get("/", { headers })).status).toBe(403)
  })
})

describe("with use-forwarded-headers", () => {
  beforeAll(() => site.reconfigure({ "use-forwarded-headers": "true" }))

  /** Statuses for clients of these addresses. */
  const statuses = (clients: readonly string[], path = "/") =>
    Promise.all(
      clients.map(async (client) => {
        const { status } = await site.get(path, { headers: { "x-forwarded-for": client } })
        return status
      }),
    )

  test("174: denied networks and addresses are refused, others are not", async () => {
    await put(app({ "denylist-source-range": "18.0.0.0/8,56.0.0.1" }))
    expect(await statuses(["18.0.0.1", "56.0.0.1", "56.0.0.2", "2001:db8::1"])).toEqual([403, 403, 200, 200])
  })

  test("who is denied stays out although allowed, and nobody else than those who are allowed gets in", async () => {
    const lists = { "allowlist-source-range": "18.0.0.0/8", "denylist-source-range": "18.0.0.0/24" }
    await put(app(lists))
    expect(await statuses(["18.0.0.1", "18.0.1.1", "19.0.0.1"])).toEqual([403, 200, 403])
    // One kind of check alone: `any` needs it, too.
    await put(app({ ...lists, satisfy: "any" }))
    expect(await statuses(["18.0.0.1", "18.0.1.1", "19.0.0.1"])).toEqual([403, 200, 403])
  })

  test("a list changes, comes and goes without a reload, and counts from the next request on", async () => {
    const before = await site.wick.metric("nginx_ingress_controller_success")
    for (const [annotations, wanted] of [
      [{}, [200, 200]],
      [{ "allowlist-source-range": "18.0.0.1" }, [200, 403]],
      [{ "allowlist-source-range": "18.0.0.2" }, [403, 200]],
      [{ "denylist-source-range": "18.0.0.2" }, [200, 403]],
      [{}, [200, 200]],
    ] as const) {
      await put(app(annotations))
      for (let i = 0; i < 8; i++) expect(await statuses(["18.0.0.1", "18.0.0.2"])).toEqual(wanted)
    }
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(before)
    expect(site.wick.conf()).not.toContain("18.0.0")
  })

  test("each path has the lists of its Ingress, the implicit one those of the first", async () => {
    await put(
      ingress("demo/a", "foo.test/a → app:80", { "allowlist-source-range": "18.0.0.1" }, 1),
      ingress("demo/b", "foo.test/b → app:80", { "allowlist-source-range": "18.0.0.2" }, 2),
    )
    expect(await statuses(["18.0.0.1", "18.0.0.2"], "/a")).toEqual([200, 403])
    expect(await statuses(["18.0.0.1", "18.0.0.2"], "/b")).toEqual([403, 200])
    expect(await statuses(["18.0.0.1", "18.0.0.2"], "/c")).toEqual([404, 403])
  })

  test("challenges of ACME are no exception", async () => {
    await put(app({ "allowlist-source-range": "18.0.0.1" }))
    expect(await statuses(["18.0.0.1", "18.0.0.2"], "/.well-known/acme-challenge/x")).toEqual([200, 403])
  })

  test("a redirect comes before it, for everybody", async () => {
    const annotations = { "allowlist-source-range": "18.0.0.1", "permanent-redirect": "https://else.test" }
    await put(app(annotations))
    expect(await statuses(["18.0.0.1", "18.0.0.2"])).toEqual([301, 301])
  })

  test("10,000 networks in a list", async () => {
    const networks = Array.from({ length: 10_000 }, (_, at) => `18.${at >> 8}.${at & 255}.0/25`)
    await put(app({ "allowlist-source-range": networks.join(",\u0020") }))
    expect(
      await statuses(["18.0.0.0", "18.39.15.127", "18.39.15.128", "18.39.16.0", "17.255.255.255"]),
    ).toEqual([200, 200, 403, 403, 403])
  })

  test("no request fails and none gets past while lists change", async () => {
    const lists = ["18.0.0.0/8", "18.0.0.1,18.0.0.2", "18.0.0.0/24,2001:db8::/32"]
    await put(app({ "allowlist-source-range": lists[0] ?? "" }))
    const load = (client: string) =>
      startLoad({
        port: site.wick.port,
        connections: 8,
        pauseMs: 5,
        question: () => ({ host: "foo.test", headers: { "x-forwarded-for": client } }),
      })
    const [allowed, refused] = [load("18.0.0.1"), load("19.0.0.1")]
    for (let round = 0; round < 15; round += 1)
      await put(app({ "allowlist-source-range": lists[round % lists.length] ?? "" }))
    const [inside, outside] = [await allowed.stop(), await refused.stop()]
    expect([[...inside.statuses.keys()], inside.lost]).toEqual([[200], []])
    expect([[...outside.statuses.keys()], outside.lost]).toEqual([[403], []])
  })

  test("a host with so many paths that it comes in parts", async () => {
    const rules = Array.from({ length: 600 }, (_, at) => `foo.test/path-${at} → app:80`)
    for (const client of ["18.0.0.1", "18.0.0.2"]) {
      await put(ingress("demo/app", rules, { "allowlist-source-range": client }))
      for (const path of ["/path-0", "/path-333", "/path-599/x"])
        expect(await statuses(["18.0.0.1", "18.0.0.2"], path)).toEqual(
          client === "18.0.0.1" ? [200, 403] : [403, 200],
        )
    }
  })

  test("a path that is rewritten is protected, and so are aliases and the host of a default backend", async () => {
    const list = { "allowlist-source-range": "18.0.0.1" }
    await put(
      app(
        { ...list, "rewrite-target": "/new/$1", "server-alias": "alias.test" },
        "foo.test/a/(.*) ~→ app:80",
      ),
      ingress("demo/rest", "* → app:80", list),
    )
    expect(await statuses(["18.0.0.1", "18.0.0.2"], "/a/x")).toEqual([200, 403])
    expect(site.backend("one").lastUrl).toBe("/new/x")
    for (const host of ["alias.test", "nobody.test"]) {
      const statusOf = async (client: string) =>
        (await site.get("/a/x", { host, headers: { "x-forwarded-for": client } })).status
      expect([await statusOf("18.0.0.1"), await statusOf("18.0.0.2")], host).toEqual([200, 403])
    }
  })

  test("a request that names two hosts gets to neither", async () => {
    await put(
      ingress("demo/a", "foo.test/ → app:80", { "allowlist-source-range": "18.0.0.1" }),
      ingress("demo/open", "other.test/ → app:80"),
    )
    const hosts = "Host: other.test\r\nHost: foo.test\r\n"
    const head = `GET / HTTP/1.1\r\n${hosts}X-Forwarded-For: 18.0.0.2\r\nConnection: close\r\n\r\n`
    expect(await rawRequest(site.wick.port, head)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test("an error page may take the place of the refusal, and is not refused itself", async () => {
    await put(
      app({ "allowlist-source-range": "18.0.0.1", "custom-http-errors": "403", "default-backend": "pages" }),
      ...site.service("pages", "one"),
    )
    // The location is a new one: until nginx has it, the host stays as it was.
    await until("the error page", async () => {
      const { body } = await site.get("/", { headers: { "x-forwarded-for": "18.0.0.2" } })
      return body === "one" && site.backend("one").lastHeaders["x-code"] === "403"
    })
    await site.get("/", { headers: { "x-forwarded-for": "18.0.0.1" } })
    expect(site.backend("one").lastHeaders["x-code"]).toBeUndefined()
  })

  test.each([
    "//a/x",
    "/./a/x",
    "/b/../a/x",
    "/%61/x",
    "/a/%2e/x",
    "/a//x",
    "/a;v=1/x",
    "/a/x?y=/b",
    "http://foo.test/a/x",
    "http://foo.test:80/a/x",
    "HTTP://FOO.TEST/a/x",
  ])("no other spelling of a protected path leads past its list: %s", async (target) => {
    await put(
      ingress("demo/a", "foo.test/a → app:80", { "allowlist-source-range": "18.0.0.1" }),
      ingress("demo/open", "other.test/ → app:80"),
    )
    for (const host of ["foo.test", ...(target.startsWith("/") ? [] : ["other.test"])]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 18.0.0.2\r\nConnection: close\r\n\r\n`
      const answer = await rawRequest(site.wick.port, head)
      expect(answer).toMatch(/^HTTP\/1\.1 (403|404|400) /)
      expect(answer).not.toContain("\r\n\r\none")
    }
  })
})

describe("lists of the ConfigMap", () => {
  const forwarded = { "use-forwarded-headers": "true" }
  const statusOf = async (host: string, client: string) =>
    (await site.get("/", { host, headers: { "x-forwarded-for": client } })).status
  const untilStatus = (host: string, client: string, status: number) =>
    until(`${status} for ${client} on ${host}`, async () => (await statusOf(host, client)) === status)

  test("177: hold where an Ingress has none of its own, and change without a reload", async () => {
    await site.reconfigure(forwarded)
    await put(
      ingress("demo/plain", "plain.test/ → app:80"),
      ingress("demo/own", "own.test/ → app:80", { "whitelist-source-range": "19.0.0.0/8" }),
    )
    const text = site.wick.conf()
    const reloads = await site.wick.metric("nginx_ingress_controller_success")
    const keys = { "variables-hash-max-size": /variables_hash_max_size (\d+)/.exec(text)?.[1] ?? "" }
    site.configure({ ...forwarded, ...keys, "whitelist-source-range": "18.0.0.0/8" })
    await untilStatus("plain.test", "19.0.0.1", 403)
    expect(await statusOf("plain.test", "18.0.0.1")).toBe(200)
    expect([await statusOf("own.test", "18.0.0.1"), await statusOf("own.test", "19.0.0.1")]).toEqual([
      403, 200,
    ])
    site.configure({ ...forwarded, ...keys, "denylist-source-range": "18.0.0.1" })
    await untilStatus("plain.test", "18.0.0.1", 403)
    expect(await statusOf("plain.test", "18.0.0.2")).toBe(200)
    expect([await statusOf("own.test", "19.0.0.1"), await statusOf("own.test", "18.0.0.1")]).toEqual([
      200, 403,
    ])
    site.configure({
      ...forwarded,
      ...keys,
      "denylist-source-range": "18.0.0.1",
      "whitelist-source-range": "all",
    })
    await untilStatus("plain.test", "18.0.0.2", 503)
    expect(await statusOf("own.test", "19.0.0.1")).toBe(200)
    expect(await statusOf("nobody.test", "18.0.0.2")).toBe(404)
    expect(site.wick.conf()).toBe(text)
    expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(reloads)
  })
})

describe("with PROXY protocol", () => {
  beforeAll(async () => {
    await site.reconfigure({ "use-proxy-protocol": "true" })
  })
  afterAll(() => site.reconfigure({}))

  test.each([
    ["1", proxyV1],
    ["2", proxyV2],
  ])("version %s: the client is who the balancer says", async (_, header) => {
    const { port } = site.wick
    const to = async (client: string) =>
      (await ask({ port, agent: proxyAgent(header(client, 80)) }, { host: "foo.test" })).status
    site.wick.write(
      "lists.yaml",
      JSON.stringify(ingress("demo/lists", "foo.test/ → app:80", { "allowlist-source-range": "18.0.0.0/8" })),
    )
    await until("the list to be in force", async () => (await to("19.0.0.1")) === 403)
    expect(await to("18.0.0.1")).toBe(200)
  })
})
