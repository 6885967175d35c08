import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Access } from "../../../../../controller/model/access.ts"
import type { Backend } from "../../../../../controller/model/backend.ts"
import { zoneNames } from "../../../../../controller/model/http/processes.ts"
import { emptyLive, type Live } from "../../../../../controller/model/model.ts"
import type { Host, Route } from "../../../../../controller/model/route.ts"
import { SecretText } from "../../../../../controller/model/secret-file.ts"
import { roomsIn, shareBytes } from "../../../../../controller/output/control/shares/room.ts"
import { Shares } from "../../../../../controller/output/control/shares/shares.ts"
import {
  accountsOf,
  overShares,
  sharesOf,
  withinShares,
} from "../../../../../controller/output/control/shares/within-shares.ts"
import { namedByRoutes } from "../../../../../controller/output/control/wire-route.ts"
import { runs } from "../../../../support/runs.ts"
import { fixed } from "../../render/site.ts"

const tenants = ["greedy", "quiet", "third"] as const
type Tenant = (typeof tenants)[number]

/** A path that a tenant wants on a host, and what guards it. */
interface Wanted {
  readonly tenant: Tenant
  readonly host: number
  readonly path: number
  readonly rewriteBytes: number
  readonly list: number | null
  /** what its backend is judged by */
  readonly judge: number | null
  readonly endpoints: number
}
const wanted: fc.Arbitrary<Wanted> = fc.record({
  tenant: fc.constantFrom(...tenants),
  host: fc.nat(4),
  path: fc.nat(6),
  rewriteBytes: fc.nat(400),
  list: fc.option(fc.nat(3)),
  judge: fc.option(fc.nat(5)),
  endpoints: fc.nat(40),
})
const tls = fc.record({
  tenant: fc.constantFrom(...tenants),
  certificateBytes: fc.nat(2_000),
  authority: fc.option(fc.nat(2)),
})
const passed = fc.record({ tenant: fc.constantFrom(...tenants), bytes: fc.integer({ min: 1, max: 200 }) })
const state = fc.record({
  paths: fc.array(wanted, { maxLength: 30 }),
  tls: fc.array(tls, { maxLength: 8 }),
  passed: fc.array(passed, { maxLength: 8 }),
  scriptBytes: fc.array(fc.option(fc.nat(3_000)), { minLength: 5, maxLength: 5 }),
  aliases: fc.array(fc.record({ tenant: fc.constantFrom(...tenants), of: fc.nat(4) }), { maxLength: 6 }),
})
type State = typeof state extends fc.Arbitrary<infer T> ? T : never

const hostNames = ["h0.test", "h1.test", "h2.test", "*.test", "_"]

function routeOf({ tenant, path, rewriteBytes, list, judge }: Wanted): Route {
  const access: Access | undefined = list === null ? undefined : { allow: `list-${tenant}-${list}` }
  return {
    path: `/${path}`,
    match: "prefix",
    location: "location-1",
    backend: `${tenant}-app-${path}`,
    namespace: tenant,
    ingressName: `of-${path}`,
    serviceName: "app",
    servicePort: "80",
    locationPath: "/",
    rewrite: `/${"x".repeat(rewriteBytes)}`,
    ...(access && { access }),
    ...(judge !== null && { backendTls: { authority: `authority-${judge}`, depth: 1 } }),
    overrides: {},
  }
}

/** The first who wants a path has it. */
/** The steps of a host are those of the first who has a path there. */
function scriptOf(bytes: number | null | undefined, { tenant, path }: Wanted): Pick<Host, "script"> {
  if (bytes === null || bytes === undefined) return {}
  const steps = [{ op: "set", name: "a", value: "x".repeat(bytes) }] as const
  return { script: { steps, namespace: tenant, ingressName: `of-${path}` } }
}

function liveOf({ paths, tls, passed, aliases, scriptBytes }: State): Live {
  const taken = new Map(paths.toReversed().map((one) => [`${one.host}/${one.path}`, one]))
  const byHost = Map.groupBy(taken.values(), ({ host }) => host)
  const hosts: Host[] = [...byHost].map(([at, own]) => ({
    server: "main",
    host: String(hostNames[at]),
    routes: own.map(routeOf),
    ...(own[0] && scriptOf(scriptBytes[at], own[0])),
  }))
  const names = aliases.flatMap(({ tenant, of }, at): Host[] =>
    byHost.has(of)
      ? [
          {
            server: "main",
            host: `alias-${at}.test`,
            routes: [],
            aliasOf: String(hostNames[of]),
            owner: tenant,
          },
        ]
      : [],
  )
  const backends = new Map(paths.map((one) => [routeOf(one).backend, one.endpoints]))
  const named = new Set(hosts.flatMap(({ routes }) => namedByRoutes(routes)))
  const lists = [...named].filter((id) => id.startsWith("list-"))
  return {
    ...emptyLive,
    hosts: [...hosts, ...names],
    backends: [...backends].map(([name, count]): Backend => {
      const endpoints = Array.from({ length: count }, (_, at) => ({ address: `10.0.0.${at}`, port: 80 }))
      return { name, loadBalance: "round_robin", endpoints }
    }),
    addressLists: lists.map((id) => ({ id, ranges: ["10.0.0.0/8", "2001:db8::/32"] })),
    certificates: tls.map(({ certificateBytes }, at) => ({
      id: `certificate-${at}`,
      chain: ["A".repeat(certificateBytes)],
      key: new SecretText("key"),
    })),
    authorities: [0, 1, 2, 3, 4, 5].map((at) => ({
      id: `authority-${at}`,
      certificates: ["A".repeat(300)],
      crls: [],
    })),
    tlsHosts: tls.map(({ tenant, authority }, at) => ({
      host: `h${at}.test`,
      owner: tenant,
      certificates: [`certificate-${at}`],
      ...(authority !== null && {
        clientCertificate: { authority: `authority-${authority}`, verify: "on", depth: 1 },
      }),
    })),
    passthroughs: passed.map(({ tenant, bytes }, at) => ({
      host: `p${at}.test`,
      owner: tenant,
      backend: "b".repeat(bytes),
    })),
  }
}

/** All routes with the host where they are. */
function routesIn({ hosts }: Live): ReadonlyMap<string, Route> {
  return new Map(hosts.flatMap(({ host, routes }) => routes.map((route) => [`${host}${route.path}`, route])))
}

const limits = fc.record({
  room: fc.integer({ min: 100, max: 20_000 }),
  percent: fc.integer({ min: 1, max: 99 }),
})

describe("for whatever tenants want", () => {
  const tried = (check: (live: Live, within: Live, share: ReturnType<typeof sharesOf>) => void) =>
    fc.assert(
      fc.property(state, limits, (sketch, { room, percent }) => {
        const live = liveOf(sketch)
        const rooms = { routes: room, backends: room, certificates: room, passthroughs: room }
        const shares = sharesOf(accountsOf(live), rooms, percent)
        check(live, withinShares(live, accountsOf(live), shares), shares)
      }),
      runs(300),
    )

  test("nobody is above his share afterwards", () =>
    tried((_, within, shares) => expect(overShares(accountsOf(within), shares)).toEqual([])))

  test("who keeps to his shares has all that he wants, whatever others do", () =>
    tried((live, within, shares) => {
      const accounts = accountsOf(live)
      const isOver = (zone: (typeof zoneNames)[number], tenant: string) =>
        (accounts[zone].wanted.get(tenant) ?? 0) > shares[zone]
      const fits =
        (zone: (typeof zoneNames)[number]) =>
        (owner = "") =>
          !isOver(zone, owner)
      const after = routesIn(within)
      const hasAll = ({ namespace, backendTls }: Route) =>
        fits("routes")(namespace) && (!backendTls || fits("certificates")(namespace))
      // Nobody gets past the steps of a host for want of room: it is closed.
      for (const { host, routes, script } of live.hosts)
        for (const route of script && !fits("routes")(script.namespace) ? [] : routes)
          if (hasAll(route)) expect(after.get(`${host}${route.path}`)).toBe(route)
      for (const backend of live.backends) {
        const [tenant] = backend.name.split("-")
        if (fits("backends")(tenant)) expect(within.backends).toContain(backend)
      }
      for (const alias of live.hosts)
        if (alias.aliasOf && fits("routes")(alias.owner)) expect(within.hosts).toContain(alias)
      for (const it of live.tlsHosts)
        if (fits("certificates")(it.owner)) expect(within.tlsHosts).toContain(it)
      for (const it of live.passthroughs)
        if (fits("passthroughs")(it.owner)) expect(within.passthroughs).toContain(it)
    }))

  test("a path is what it should be, or closed, or nothing of its namespace is in its place", () =>
    tried((live, within) => {
      const after = routesIn(within)
      const hosts = new Map(within.hosts.map((host) => [host.host, host]))
      for (const { host, routes } of live.hosts) {
        const now = hosts.get(host)
        const others = { _: [], "*.test": ["_"] }[host] ?? ["*.test", "_"]
        const answering = now ?? others.map((name) => hosts.get(name)).find((other) => other !== undefined)
        for (const route of routes) {
          const served = after.get(`${host}${route.path}`)
          if (served === route || served?.status === 503 || now?.isClosed) continue
          expect(served).toBeUndefined()
          const open = answering?.routes.filter(({ status }) => status === undefined) ?? []
          expect(open.map(({ namespace }) => namespace)).not.toContain(route.namespace)
        }
      }
    }))

  test("what is named is there", () =>
    tried((_, within) => {
      const named = new Set([...within.addressLists, ...within.authorities].map(({ id }) => id))
      for (const { routes } of within.hosts)
        for (const id of namedByRoutes(routes)) expect(named).toContain(id)
      const certificates = new Set(within.certificates.map(({ id }) => id))
      const authorities = new Set(within.authorities.map(({ id }) => id))
      for (const { certificates: ids, clientCertificate } of within.tlsHosts) {
        for (const id of ids) expect(certificates).toContain(id)
        if (clientCertificate) expect(authorities).toContain(clientCertificate.authority)
      }
    }))

  test("what fits is not touched", () =>
    tried((live, within, shares) => {
      if (overShares(accountsOf(live), shares).length === 0) expect(within).toBe(live)
    }))
})

describe("what a namespace may have", () => {
  const of = (wanted: readonly number[], sharePercent = 50, taken = 0) =>
    shareBytes(wanted, taken, { roomBytes: 800, sharePercent })

  test("is its part of the room", () => expect(of([10, 1_000])).toBe(400))
  test("is less where all want more than there is: those that want most yield", () => {
    expect(of([100, 1_000, 1_000])).toBe(300)
    expect(of([1_000, 1_000, 1_000, 1_000], 100)).toBe(175)
  })
  test("does not count what is the operator's", () => expect(of([1_000, 1_000], 50, 500)).toBe(100))
})

describe("the shares of a delivery", () => {
  const mebibytes = (n: number) => n * 2 ** 20
  const sizes = { routes: 1, backends: 1, certificates: 1, passthroughs: 1 }
  const rooms = roomsIn(
    Object.fromEntries(zoneNames.map((zone) => [zone, mebibytes(sizes[zone])])) as typeof sizes,
  )
  const shared = (zoneShare: number) => {
    const { http } = fixed
    return { locations: [], http: { ...http, processes: { ...http.processes, zoneShare } } }
  }
  const paths = (tenant: Tenant, host: number, count: number): Wanted[] =>
    Array.from({ length: count }, (_, path) => ({
      tenant,
      host,
      path,
      rewriteBytes: 1_000,
      list: null,
      judge: null,
      endpoints: 1,
    }))
  const live = liveOf({
    paths: [...paths("greedy", 0, 1_000), ...paths("greedy", 1, 10), ...paths("quiet", 2, 10)],
    tls: [],
    passed: [],
    scriptBytes: [],
    aliases: [],
  })

  test("name the Ingress that uses most, and what its share is", () => {
    const { live: within, problems } = new Shares(() => rooms).within(live, shared(50))
    expect(problems).toEqual([
      {
        object: { kind: "Ingress", namespace: "greedy", name: expect.stringMatching(/^of-\d+$/) },
        field: "spec",
        code: "over-share",
        message: expect.stringMatching(
          /^Namespace "greedy" wants 1,\d\d\d KiB of zone "routes"; the largest part of it, 3 KiB, is for this Ingress\. Its share is 480 KiB \(keys "zone-share" and "max-zone-size" of the ConfigMap\): paths that do not fit get 503$/,
        ),
      },
    ])
    const named = (live: Live, name: string) => live.hosts.find(({ host }) => host === name)
    const large = named(within, "h0.test")
    const closed = large?.routes.filter(({ status }) => status === 503).length ?? 0
    expect(closed).toBeGreaterThan(500)
    expect(closed).toBeLessThan(1_000)
    expect(named(within, "h1.test")).toBe(named(live, "h1.test"))
  })

  test("say what each namespace wants, and what it may have", () => {
    const shares = new Shares(() => rooms)
    expect(shares.uses()).toEqual([])
    shares.within(live, shared(50))
    const ofRoutes = shares.uses().filter(({ zone }) => zone === "routes")
    expect(ofRoutes.map(({ namespace }) => namespace)).toEqual(["greedy", "quiet"])
    expect(ofRoutes[0]?.shareBytes).toBe(rooms.routes / 2)
  })

  test("close the paths for whose backends' certificates there is no room, and say so", () => {
    const [path] = paths("greedy", 0, 1)
    const own = (judge: number, tenant: Tenant) => ({ ...path, judge, tenant, path: judge }) as Wanted
    const all = liveOf({
      paths: [own(0, "greedy"), own(1, "greedy"), own(2, "quiet")],
      ...{ tls: [], passed: [], scriptBytes: [], aliases: [] },
    })
    const large = all.authorities.map((it) => ({ ...it, certificates: ["A".repeat(mebibytes(0.3))] }))
    const { live: within, problems } = new Shares(() => rooms).within(
      { ...all, authorities: large },
      shared(50),
    )
    const served = [...routesIn(within).values()].filter(({ status }) => status === undefined)
    expect(served.map(({ namespace }) => namespace).sort()).toEqual(["greedy", "quiet"])
    const kept = within.authorities.map(({ id }) => id)
    expect([kept.includes("authority-0"), kept.includes("authority-1")].sort()).toEqual([false, true])
    expect(problems[0]?.object.name).toMatch(/^of-[01]$/)
    expect(problems[0]?.message).toMatch(/paths whose backends' certificates do not fit get 503$/)
  })

  test("are none at 100 per cent", () => {
    const shares = new Shares(() => rooms)
    expect(shares.within(live, shared(100))).toEqual({ live, problems: [] })
    expect(shares.uses()[0]?.shareBytes).toBe(Number.POSITIVE_INFINITY)
  })
})
