import { describe, expect, test } from "vitest"
import type { Host, Route } from "../../../../controller/model/route.ts"
import { closedForRoom } from "../../../../controller/output/control/closed-for-room.ts"
import { isNoWider, isSameHost, narrowedHost } from "../../../../controller/output/control/no-wider.ts"
import { host, live } from "./live.ts"

const plain = host("a.test", "a").routes[0] as Route

/** A value of each field of a route, another than the one that it has. */
const others: Required<Omit<Route, "path" | "match">> = {
  location: "location-other",
  backend: "b",
  namespace: "other",
  ingressName: "other",
  serviceName: "other",
  servicePort: "8080",
  locationPath: "/other",
  conditions: [{ of: "method", value: "POST" }],
  split: [{ weight: 1, backend: "b" }],
  script: { steps: [{ op: "return", code: 403 }] },
  actions: { path: "/other" },
  backendTls: { authority: "judge", depth: 1 },
  waf: { owner: "ingress/shop/cart", rules: "0".repeat(64) },
  hasNoSlashRedirect: true,
  within: "/outer/",
  rule: "api",
  status: 403,
  redirect: { code: 302, to: "/other" },
  httpsRedirect: { code: 308, to: "https://$host" },
  rewrite: "/other",
  logsRewrite: true,
  rewritesRaw: true,
  variables: { upstreamVhost: "other" },
  headers: [{ name: "x-frame-options", value: "DENY" }],
  access: { allow: "list" },
  cors: { origins: ["*"], methods: "GET", headers: "", maxAgeSeconds: 1, allowsCredentials: false },
  limits: { key: "00000000000000000000000000000001", rps: 1 } as unknown as NonNullable<Route["limits"]>,
  tracing: { beginsTrace: true },
  overrides: { clientMaxBodyBytes: 1 },
}
const harmless = new Set([
  "namespace",
  "ingressName",
  "serviceName",
  "servicePort",
  "locationPath",
  "logsRewrite",
  "rewritesRaw",
  "tracing",
])

describe("a route in force", () => {
  test.each(Object.entries(others))("without the %s that is wanted", (field, value) => {
    expect(isNoWider(plain, { ...plain, [field]: value })).toBe(harmless.has(field))
  })

  test.each(["access", "limits", "waf"] as const)("may keep its %s where none is wanted", (field) => {
    expect(isNoWider({ ...plain, [field]: others[field] }, plain)).toBe(true)
  })

  test("with another list or another limit is wider, whatever they are", () => {
    const guarded = { ...plain, access: { allow: "list" } }
    expect(isNoWider(guarded, { ...plain, access: { allow: "other" } })).toBe(false)
    expect(isNoWider(guarded, { ...plain, access: { allow: "list", deny: "other" } })).toBe(false)
  })

  test("may keep numbers that are not about who is served what", () => {
    expect(isNoWider(plain, { ...plain, overrides: { proxyReadTimeoutMs: 1 } })).toBe(true)
  })

  test("that answers at once lets in nobody", () => {
    expect(isNoWider({ ...plain, status: 403 }, { ...plain, backend: "b" })).toBe(true)
  })
})

describe("a host on the way to what is wanted", () => {
  const at = (path: string, more: Partial<Route> = {}): Route => ({ ...plain, path, ...more })
  const hostOf = (...routes: readonly Route[]): Host => ({ server: "main", host: "a.test", routes })
  const before = hostOf(at("/same"), at("/moved"), at("/gone"))
  const wanted = hostOf(
    at("/same"),
    at("/moved", { backend: "b" }),
    at("/new"),
    at("/guarded", { access: { allow: "list" } }),
  )
  const narrowed = narrowedHost(before, wanted)

  test("keeps what is the same, closes what differs and what keeps somebody out, and leaves the rest out", () => {
    expect(narrowed.routes.map(({ path, status, backend }) => [path, status ?? backend])).toEqual([
      ["/same", "a"],
      ["/moved", 503],
      ["/guarded", 503],
    ])
  })

  test("stays as it is", () => {
    expect(isSameHost(narrowedHost(narrowed, wanted), narrowed)).toBe(true)
    expect(isSameHost(before, narrowed)).toBe(false)
  })

  test("names the owners of what is closed, and takes no more room than it had", () => {
    const [, moved] = narrowed.routes
    expect(moved).toMatchObject({ namespace: "shop", ingressName: "a.test", backend: "a" })
    expect(JSON.stringify(moved).length).toBeLessThanOrEqual(
      JSON.stringify({ ...at("/moved"), status: 503 }).length,
    )
  })

  test("tells routes of one path apart by their conditions, whose order counts", () => {
    const when = (value: string, more: Partial<Route> = {}) =>
      at("/", { conditions: [{ of: "header", name: "x", match: "exact", value }], ...more })
    const inForce = hostOf(when("1"), when("2"), at("/"))
    const moved = hostOf(
      when("2"),
      when("1", { backend: "b" }),
      when("3", { access: { allow: "list" } }),
      at("/"),
    )
    const less = narrowedHost(inForce, moved)
    expect(less.routes.map(({ conditions, status }) => [conditions?.[0]?.value, status])).toEqual([
      ["2", undefined],
      ["1", 503],
      ["3", 503],
      [undefined, undefined],
    ])
    expect(isSameHost(inForce, hostOf(at("/"), when("1"), when("2")))).toBe(false)
    expect(isSameHost(hostOf(at("/a"), when("1"), when("2")), hostOf(when("1"), when("2"), at("/a")))).toBe(
      true,
    )
    expect(closedForRoom(live([], [less]), live([], [moved]))).toBe(2)
  })

  test("keeps nobody's script but what is wanted, and no script of a route that is closed", () => {
    const script = { steps: [{ op: "return", code: 403 }] } as const
    const ofHost = { ...script, namespace: "shop", ingressName: "a" }
    const inForce = hostOf(
      at("/same"),
      at("/a/", { match: "string_prefix", script, hasNoSlashRedirect: true }),
    )
    const wanted = {
      ...hostOf(at("/same"), at("/a/", { match: "string_prefix", script: { steps: [] } })),
      script: ofHost,
    }
    const less = narrowedHost(inForce, wanted)
    expect(less.script).toBe(ofHost)
    const [, closed] = less.routes
    expect(closed).toMatchObject({ status: 503, match: "string_prefix", hasNoSlashRedirect: true })
    expect(closed).not.toHaveProperty("script")
    expect(isSameHost(wanted, { ...wanted, script: { ...ofHost, steps: [] } })).toBe(false)
  })

  test("takes a new path with a script for one that keeps somebody out", () => {
    const guarded = at("/new", { script: { steps: [{ op: "return", code: 403 }] } })
    expect(narrowedHost(hostOf(at("/")), hostOf(at("/"), guarded)).routes).toMatchObject([
      { path: "/" },
      { path: "/new", status: 503 },
    ])
  })

  test("keeps the locations around those that it keeps, and tells those within different ones apart", () => {
    const outer = at("/a/", { match: "string_prefix" })
    const guard = (within: string) => at("b", { match: "pattern", within, access: { deny: "list" } })
    const less = narrowedHost(hostOf(at("/")), hostOf(at("/"), guard("/a/"), outer, at("/new")))
    expect(less.routes.map(({ path, status, within }) => [path, status, within])).toEqual([
      ["/", undefined, undefined],
      ["b", 503, "/a/"],
      ["/a/", 503, undefined],
      ["/new", 503, undefined],
    ])
    expect(isSameHost(hostOf(guard("/a/")), hostOf(guard("/c/")))).toBe(false)
  })

  test("has patterns of all kinds in one order", () => {
    const a = at("/a", { match: "pattern" })
    const b = at("/b", { match: "regex" })
    expect(isSameHost(hostOf(a, b), hostOf(b, a))).toBe(false)
    expect(isSameHost(hostOf(a, at("/c")), hostOf(at("/c"), a))).toBe(true)
  })

  test("counts as closed what gets 503 or is left out", () => {
    expect(closedForRoom(live([], [narrowed]), live([], [wanted]))).toBe(3)
    expect(closedForRoom(live([], []), live([], [wanted]))).toBe(4)
    const closed: Host = { server: "main", host: "a.test", routes: [], isClosed: true }
    expect(closedForRoom(live([], [closed]), live([], [wanted]))).toBe(4)
    expect(closedForRoom(live([], [wanted]), live([], [wanted]))).toBe(0)
  })
})
