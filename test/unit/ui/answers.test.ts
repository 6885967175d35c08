import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Readings } from "../../../controller/output/plane/readings.ts"
import { ReloadHistory } from "../../../controller/report/history/reload-history.ts"
import type { Failure } from "../../../controller/support/failure.ts"
import { ingress, ingressClass, secret, service, slice, withTls } from "../../../harness/manifests.ts"
import { rootAuthority, selfSignedIdentity } from "../../../harness/pki.ts"
import { answers } from "../../../ui/answers.ts"
import type { Answers } from "../../../ui/api.ts"
import { Question } from "../../../ui/question.ts"
import { Sampler } from "../../../ui/sampler.ts"
import type { Sources } from "../../../ui/sources.ts"
import { MemoryPlane } from "../../support/memory-plane.ts"
import { sourcesOf } from "./sources.ts"

const shopObjects = [
  ingressClass,
  service("shop/cart"),
  slice("shop/cart", ["10.0.0.1", "10.0.0.2"], 8080),
  service("shop/web"),
  slice("shop/web", ["10.0.1.1"], 8080),
  service("shop/next"),
  slice("shop/next", ["10.0.2.1"], 8080),
  service("shop/idle"),
  ingress("shop/cart", "shop.test/Cart → cart:80", { "proxy-read-timeout": "5" }),
  ingress("shop/web", "shop.test/ → web:80", { affinity: "cookie" }),
  ingress("shop/next", "shop.test/ → next:80", { canary: "true", "canary-weight": "25" }),
  ingress("shop/idle", "idle.test/ =→ idle:80", { "load-balance": "fastest" }),
  ingress("shop/closed", "closed.test/ → cart:80", { "auth-tls-secret": "shop/none" }),
]
const shop = sourcesOf(shopObjects)
const shopThatSays = (readings: Partial<Readings>) => sourcesOf(shopObjects, {}, readings)

function ask<Name extends keyof Answers>(
  name: Name,
  query = "",
  sources: Sources = shop,
): Promise<Answers[Name]> {
  return Promise.resolve(answers[name](new Question(new URLSearchParams(query)), sources))
}

const refused = (name: keyof Answers, query: string) =>
  expect((async () => ask(name, query))()).rejects.toMatchObject({ code: "bad-question" })

describe("routes", () => {
  test("are found by words that are in host, path, Ingress or backend, in any case", async () => {
    const paths = async (query: string) =>
      (await ask("routes", query)).items.map(({ host, path }) => host + path)
    expect(await paths("q=shop.test")).toEqual(["shop.test/", "shop.test/Cart"])
    expect(await paths("q=CART")).toEqual(["shop.test/Cart"])
    expect(await paths("q=shop/ web")).toEqual(["shop.test/"])
    expect(await paths("q=web cart")).toEqual([])
    expect(await paths("ingress=shop/idle&q=80")).toEqual(["idle.test/"])
    expect(await paths("backend=shop-cart-80")).toEqual(["shop.test/Cart"])
  })

  test("say where they lead, what else they do, and how many Problems their Ingress has", async () => {
    expect((await ask("routes", "q=cart")).items).toEqual([
      {
        host: "shop.test",
        path: "/Cart",
        match: "prefix",
        backend: "shop-cart-80",
        endpoints: 2,
        ingress: "shop/cart",
        location: expect.stringMatching(/^location-/),
        notes: ["proxy_read_timeout_ms=5000"],
        problems: 0,
      },
    ])
    const [idle] = (await ask("routes", "ingress=shop/idle&q=shop-idle")).items
    expect(idle).toMatchObject({ endpoints: 0, problems: 1 })
  })

  test("come in parts", async () => {
    const all = await ask("routes")
    expect(all).toMatchObject({ total: all.items.length, offset: 0 })
    const part = await ask("routes", "offset=1&limit=2")
    expect(part).toEqual({ total: all.total, offset: 1, items: all.items.slice(1, 3) })
    for (const query of ["limit=501", "limit=x", "offset=-1"]) await refused("routes", query)
  })
})

describe("backends", () => {
  test("are found by name, by an endpoint's address, and for having none", async () => {
    const names = async (query: string) => (await ask("backends", query)).items.map(({ name }) => name)
    expect(await names("q=cart")).toEqual(["shop-cart-80"])
    expect(await names("q=10.0.1.1")).toEqual(["shop-web-80"])
    expect(await names("only=empty")).toEqual(["shop-idle-80"])
  })

  test("say how they choose, who leads to them, and who may take their place", async () => {
    expect((await ask("backends", "q=web")).items).toEqual([
      {
        name: "shop-web-80",
        algorithm: "sticky_balanced",
        endpoints: 1,
        routes: 1,
        canaries: ["shop-next-80"],
        notes: ["sessions by cookie INGRESSCOOKIE"],
      },
    ])
  })

  test("have endpoints, in parts", async () => {
    expect(await ask("backend", "name=shop-cart-80&limit=1")).toMatchObject({
      algorithm: "round_robin",
      endpoints: { total: 2, offset: 0, items: [{ address: "10.0.0.1:8080" }] },
    })
    expect(await ask("backend", "name=shop-next-80")).toMatchObject({ takes: "25 of 100", routes: 0 })
    await expect((async () => ask("backend", "name=none"))()).rejects.toMatchObject({ code: "not-found" })
  })

  test("have endpoints with what was counted and what the balancer knows, where it does", async () => {
    const counts = {
      backend: "shop-cart-80",
      attempts: 7,
      failures: { connect: 2 },
      responses: 5,
      responseSeconds: 0.5,
    }
    const state = { endpoint: "10.0.0.2:8080", weight: 1, ejectedMs: 4000 }
    const sources = shopThatSays({
      endpoints: async (name) => ({
        counts: [{ ...counts, endpoint: "10.0.0.1:8080" }],
        state: { name, algorithm: "round_robin", endpoints: [state] },
      }),
    })
    const { isCounted, endpoints } = await ask("backend", "name=shop-cart-80", sources)
    expect(isCounted).toBe(true)
    expect(endpoints.items).toEqual([
      {
        address: "10.0.0.1:8080",
        counts: { attempts: 7, failures: { connect: 2 }, responses: 5, responseSeconds: 0.5 },
      },
      { address: "10.0.0.2:8080", state: { weight: 1, ejectedMs: 4000 } },
    ])
    expect((await ask("backend", "name=shop-cart-80")).isCounted).toBe(false)
  })

  test("name algorithms as the control API does", async () => {
    const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      ewma: { "load-balance": "ewma" },
      chash: { "upstream-hash-by": "$request_uri" },
      chashsubset: { "upstream-hash-by": "$request_uri", "upstream-hash-by-subset": "true" },
      sticky_persistent: { affinity: "cookie", "affinity-mode": "persistent" },
    }
    for (const [name, annotations] of Object.entries(names)) {
      const sources = sourcesOf([ingressClass, service("a/b"), ingress("a/b", "b.test/ → b:80", annotations)])
      const { algorithm } = await ask("backend", "name=a-b-80", sources)
      expect(algorithm).toBe(name)
    }
  })
})

test("canaries say what they take", async () => {
  expect((await ask("canaries")).items).toEqual([
    { backend: "shop-web-80", canary: "shop-next-80", takes: "25 of 100", share: 0.25, endpoints: 1 },
  ])
  expect((await ask("canaries", "q=none")).total).toBe(0)
})

describe("lists are sorted", () => {
  const first = async (name: "routes" | "backends" | "canaries" | "certificates", sort: string) =>
    (await ask(name, `sort=${sort}&limit=1`)).items[0]

  test("by columns, either way", async () => {
    expect(await first("backends", "-endpoints")).toMatchObject({ name: "shop-cart-80" })
    expect(await first("backends", "name")).toMatchObject({ name: "shop-cart-80" })
    expect(await first("backends", "endpoints")).not.toMatchObject({ name: "shop-cart-80" })
    const places = async (sort: string) =>
      (await ask("routes", `sort=${sort}`)).items.map(({ host, path }) => host + path)
    expect(await places("-place")).toEqual((await places("place")).toReversed())
    expect(await first("routes", "-problems")).toMatchObject({ problems: 1 })
  })

  test("by nothing else", async () => {
    await refused("routes", "sort=colour")
    await refused("backends", "sort=--name")
  })
})

describe("Problems", () => {
  test("stand by code, the worst first, with what to do", async () => {
    const { groups, bySeverity } = await ask("problems")
    expect(bySeverity).toEqual({ error: 1, warning: 1, info: 0 })
    expect(groups).toMatchObject([
      {
        code: "reference-missing",
        severity: "error",
        remedy: expect.stringMatching(/^Create it/),
        total: 1,
        items: [
          {
            object: { kind: "Ingress", namespace: "shop", name: "closed" },
            field: expect.stringContaining("metadata.annotations"),
            message: expect.stringContaining('Secret "shop/none"'),
          },
        ],
      },
      { severity: "warning", items: [{ object: { name: "idle" } }] },
    ])
  })

  const found = async (query: string, sources?: Sources) => {
    const { groups } = await ask("problems", query, sources)
    return groups.flatMap(({ items }) => items.map(({ object }) => object.name))
  }

  test("are found by object, code and message, by severity, Ingress and namespace", async () => {
    expect(await found("q=shop/idle fastest")).toEqual(["idle"])
    expect(await found("q=reference-missing&severity=error")).toEqual(["closed"])
    expect(await found("severity=warning")).toEqual(["idle"])
    expect(await found("code=reference-missing")).toEqual(["closed"])
    expect(await found("ingress=shop/closed")).toEqual(["closed"])
    expect(await found("ingress=shop/close")).toEqual([])
    expect(await found("namespace=shop")).toEqual(["closed", "idle"])
    expect(await found("namespace=blog")).toEqual([])
    expect(await found("q=shop/cart")).toEqual([])
  })

  test("eighty of one code are one row, of which a part is shown; the most frequent code comes first", async () => {
    const many = Array.from({ length: 80 }, (_, at) =>
      ingress(`shop/i${String(at).padStart(2, "0")}`, `h${at}.test/ → cart:80`, {
        "auth-tls-secret": "shop/none",
      }),
    )
    const lost = ingress("shop/lost", "lost.test/ → nowhere:80")
    const sources = sourcesOf([ingressClass, service("shop/cart"), ...many, lost])
    const { groups } = await ask("problems", "limit=2&offset=78&severity=error", sources)
    expect(groups.map(({ code, total }) => [code, total])).toEqual([
      ["reference-missing", 80],
      ["backend-unusable", 1],
    ])
    expect(groups[0]?.items.map(({ object }) => object.name)).toEqual(["i78", "i79"])
  })

  test("are counted once where a pass told of one twice, and as the overview counts them", async () => {
    const both = { "load-balance": "fastest", "auth-tls-secret": "shop/none" }
    const given = sourcesOf([ingressClass, ingress("shop/both", "both.test/ → cart:80", both)])
    const { problems, observed, ended } = given.lastPass
    const sources = {
      ...given,
      lastPass: { problems: [...problems, ...problems.map((one) => ({ ...one }))], observed, ended },
    }
    const { groups, bySeverity } = await ask("problems", "", sources)
    expect(bySeverity).toEqual((await ask("problems", "", given)).bySeverity)
    expect(groups.map(({ total }) => total).reduce((a, b) => a + b)).toBe(new Set(problems).size)
    expect((await ask("overview", "", sources)).problems).toEqual(bySeverity)
  })

  test("that concern a request are those of its Ingress, its Service and its host", async () => {
    const sources = sourcesOf([
      ingressClass,
      ingress("shop/one", "one.test/ → gone:80", {}, 1),
      ingress("shop/taken", "one.test/ → gone:80", {}, 9),
      ingress("shop/other", "other.test/ → gone:80"),
    ])
    const concerned = async (query: string) =>
      (await ask("concerning", query, sources)).map(({ object, code }) => `${object.name} ${code}`)
    expect(await concerned("ingress=shop/one")).toEqual(["one backend-unusable"])
    expect((await concerned("ingress=shop/one&host=one.test")).sort()).toEqual([
      "one backend-unusable",
      "taken path-taken",
    ])
    expect(await concerned("")).toEqual([])
  })
})

describe("certificates", () => {
  test("come by their end, each once with its hosts; there is no key", async () => {
    const root = await rootAuthority()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    const [soon, late] = await Promise.all([
      root.issue({ names: ["soon.test"], until: inDays(3) }),
      root.issue({ names: ["late.test", "also.late.test"], until: inDays(60) }),
    ])
    const sources = sourcesOf([
      ingressClass,
      service("a/b"),
      secret("a/late", late.tlsData()),
      secret("a/soon", soon.tlsData()),
      withTls(
        ingress("a/one", ["late.test/ → b:80", "also.late.test/ → b:80"]),
        "late.test,also.late.test=late",
      ),
      withTls(ingress("a/two", "soon.test/ → b:80"), "soon.test=soon"),
    ])
    const { items } = await ask("certificates", "q=a/", sources)
    expect(items).toMatchObject([
      { secret: "a/soon", names: ["soon.test"], hosts: 1, issuer: "CN=Test root", key: "ec prime256v1" },
      { secret: "a/late", hosts: 2, firstHosts: ["also.late.test", "late.test"] },
    ])
    expect(items[0]?.notAfterMs).toBe(soon.certificate.validToDate.getTime())
    const keyText = soon.key.export({ type: "pkcs8", format: "der" }).toString("base64")
    expect(JSON.stringify(items)).not.toContain(keyText.slice(40, 60))
  })
})

test("nginx's own certificate is among them", async () => {
  const { pem } = await selfSignedIdentity({ cn: "own" })
  const defaultCertificate = async () => Buffer.from(pem)
  const { items } = await ask("certificates", "", shopThatSays({ defaultCertificate }))
  expect(items).toMatchObject([{ hosts: expect.any(Number) }])
  expect(items[0]).not.toHaveProperty("secret")
})

test("the overview counts", async () => {
  const reloads = new ReloadHistory()
  reloads.reloaded([], { ms: 200, hash: "h" }, 5)
  const says = {
    zones: async () => [
      { name: "routes", size: 100, used: 40, free: 60, keys: 2 },
      { name: "backends", size: 100, used: 40, free: 60, keys: 2 },
      { name: "limits", size: 100, used: 40, free: 60, keys: 2 },
    ],
    namespaceUse: () => [
      { zone: "routes", namespace: "shop", bytes: 30, shareBytes: 50 },
      { zone: "routes", namespace: "blog", bytes: 10, shareBytes: 50 },
      { zone: "backends", namespace: "blog", bytes: 10, shareBytes: Number.POSITIVE_INFINITY },
    ],
    filterCounters: async () => ({ faults: 1, fallbacks: 2, instances: 3, repairs: 4 }),
  }
  const sources = { ...shopThatSays(says), reloads, trouble: () => "nginx does not run" }
  expect(await ask("overview", "", sources)).toMatchObject({
    trouble: "nginx does not run",
    counts: { ingresses: 5, backends: 4, endpoints: 4, emptyBackends: 1, canaries: 1, certificates: 1 },
    problems: { error: 1, warning: 1, info: 0 },
    lastPass: { atMs: 1000, ms: 12 },
    reloads: 1,
    lastReload: { kind: "start", hash: "h" },
    zones: [
      {
        name: "routes",
        usedBytes: 40,
        bytes: 100,
        most: { namespace: "shop", bytes: 30, shareBytes: 50 },
      },
      { name: "backends", usedBytes: 40, bytes: 100, most: { namespace: "blog", bytes: 10 } },
      { name: "limits", usedBytes: 40, bytes: 100 },
    ],
    filter: { faults: 1, fallbacks: 2, instances: 3 },
  })
})

test("before anything is in force everything is empty", async () => {
  const nothing = {
    ...sourcesOf([]),
    plane: new MemoryPlane(),
    lastPass: { problems: [], observed: undefined, ended: undefined },
  }
  expect((await ask("overview", "", nothing)).counts.routes).toBe(0)
  expect(await ask("problems", "", nothing)).toMatchObject({ groups: [] })
  for (const name of ["routes", "backends", "canaries", "certificates", "reloads"] as const)
    expect(await ask(name, "", nothing)).toMatchObject({ total: 0, items: [] })
})

test("samples are those that are younger", async () => {
  let requests = 0
  const sampler = new Sampler(async () =>
    requests > 2 ? undefined : { requests: ++requests, active: 1, waiting: 0 },
  )
  for (const nowMs of [10, 20, 30, 40, 50]) await sampler.take(nowMs)
  const asked = await ask("samples", "since=10", { ...shop, sampler })
  expect(asked.samples.map(({ atMs }) => atMs)).toEqual([20, 30])
})

test("a question that nginx cannot be asked is refused before", async () => {
  await refused("explain", "")
  await refused("explain", "url=shop.test&client=me")
  await refused("explain", "url=shop.test&header=nonsense")
  await refused("explain", "url=shop.test&header=Authorization: Basic YTpi")
})

test("whatever is asked, the answer is bounded, or says what is wrong with the question", async () => {
  const names = [
    "routes",
    "backends",
    "backend",
    "canaries",
    "problems",
    "reloads",
    "samples",
    "traffic",
  ] as const
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("shop", "test", "80", "1", "-1", "1e3", "error", "shop-cart-80"),
  )
  const fields = fc.constantFrom(
    "q",
    "offset",
    "limit",
    "ingress",
    "backend",
    "name",
    "severity",
    "only",
    "since",
  )
  const query = fc.array(fc.tuple(fields, word), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), query, async (name, pairs) => {
      try {
        const answer = await ask(name, new URLSearchParams(pairs).toString())
        if ("items" in answer) expect(answer.items.length).toBeLessThanOrEqual(Math.min(500, answer.total))
      } catch (error) {
        expect(["bad-question", "not-found"]).toContain((error as Failure).code)
      }
    }),
  )
})
