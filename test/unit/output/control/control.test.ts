import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { liveChange } from "../../../../controller/core/plan/change.ts"
import type { Live } from "../../../../controller/model/model.ts"
import type { Host, Route } from "../../../../controller/model/route.ts"
import { ControlClient } from "../../../../controller/output/control/client.ts"
import { Control } from "../../../../controller/output/control/control.ts"
import { lingerMs } from "../../../../controller/output/control/linger.ts"
import type { PostedHost, PostedRoutePart } from "../../../../controller/output/control/posted.ts"
import { problemsOf } from "../../../../controller/output/control/refusal.ts"
import { partBytes } from "../../../../controller/output/control/wire.ts"
import { FakeControl } from "./fake-control.ts"
import { backend, certificate, host, live, nothing } from "./live.ts"

let fake: FakeControl
let client: ControlClient
let control: Control
let nowMs = 0
let outcomes: string[] = []

beforeEach(async () => {
  fake = await new FakeControl().listen()
  client = new ControlClient(fake.socketPath)
  nowMs = 0
  outcomes = []
  const events = { posted: (outcome: string) => void outcomes.push(outcome) }
  control = new Control({ client, events, now: () => nowMs })
})
afterEach(async () => {
  client.close()
  await fake[Symbol.asyncDispose]()
})

const shop = live([backend("a", 1), backend("b", 2)], [host("a.test", "a"), host("b.test", "b")])

function to(wanted: Live, running: Live = nothing) {
  return control.apply(running, wanted, liveChange(running, wanted))
}

describe("the first change", () => {
  test("sets everything and removes what nobody wants, backends later than routes", async () => {
    fake.zones.backends.set("old", {})
    fake.zones.routes.set("main/old.test", {})
    expect(await to(shop)).toEqual({ inForce: shop, refusals: [] })
    expect([...fake.zones.routes.keys()]).toEqual(["main/a.test", "main/b.test"])
    expect([...fake.zones.backends.keys()]).toEqual(["old", "a", "b"])
    nowMs = lingerMs
    expect(await control.removeDue()).toEqual({ hasMadeRoom: true, nextMs: undefined })
    expect([...fake.zones.backends.keys()]).toEqual(["a", "b"])
  })

  test("is full even when there is nothing to set, and the next one builds on it", async () => {
    fake.zones.routes.set("main/old.test", {})
    await to(nothing)
    expect(fake.zones.routes.size).toBe(0)
    expect(control.isInStep).toBe(true)
    await to(shop)
    expect(fake.posted.at(-1)?.base).not.toBeNull()
  })

  test("comes in parts that build on each other", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => backend(`backend-${at}`.padEnd(200, "x"), 1))
    await to(live(many, []))
    expect(fake.zones.backends.size).toBe(3000)
    expect(fake.posted.length).toBeGreaterThan(2)
    const bases = fake.posted.map(({ base }) => base)
    expect(bases).toEqual([null, ...fake.posted.slice(0, -1).map(({ generation }) => generation)])
  })
})

describe("a further change", () => {
  test("posts only what differs", async () => {
    await to(shop)
    const wanted = live([backend("a", 1, 3), backend("b", 2)], shop.hosts)
    await to(wanted, shop)
    expect(fake.posted.at(-1)?.backends.set).toEqual([expect.objectContaining({ name: "a" })])
    expect(fake.posted.at(-1)?.routes).toEqual({ set: [], remove: [] })
  })

  test("that is empty posts nothing", async () => {
    await to(shop)
    const { length } = fake.posted
    await to(shop, shop)
    expect(fake.posted).toHaveLength(length)
  })

  test("on another generation than expected becomes a full one", async () => {
    await to(shop)
    fake.generation = "somebody-else"
    fake.zones.backends.clear()
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    expect(await to(wanted, shop)).toEqual({ inForce: wanted, refusals: [] })
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b", "c"])
  })

  test("whose answer was lost is sent again and counts once", async () => {
    await to(shop)
    fake.breaks = 1
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    expect((await to(wanted, shop)).inForce).toEqual(wanted)
    expect(outcomes).toEqual(["applied", "applied"])
    fake.breaks = 0
    expect((await to(shop, wanted)).inForce).toEqual(shop)
  })

  test("without any answer is a failure, and the next one is full", async () => {
    await to(shop)
    fake.breaks = 2
    const wanted = live([...shop.backends, backend("c", 3)], shop.hosts)
    await expect(to(wanted, shop)).rejects.toMatchObject({ code: "control-lost" })
    expect(control.isInStep).toBe(false)
    await to(shop, shop)
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b", "c"])
    nowMs = lingerMs
    await control.removeDue()
    expect([...fake.zones.backends.keys()].sort()).toEqual(["a", "b"])
  })
})

test("an nginx that was started is asked over a connection of its own, and gets everything", async () => {
  await to(shop)
  const { connections } = fake
  control.startAnew()
  fake.zones.backends.clear()
  fake.zones.routes.clear()
  await to(shop, shop)
  expect([...fake.zones.backends.keys()]).toEqual(["a", "b"])
  expect(fake.connections).toBe(connections + 1)
})

describe("a removed backend", () => {
  test("stays for a while, as requests may still be on their way to it", async () => {
    await to(shop)
    const wanted = live([backend("a", 1)], [host("a.test", "a")])
    await to(wanted, shop)
    expect(await control.removeDue()).toEqual({ hasMadeRoom: false, nextMs: lingerMs })
    expect(fake.zones.backends.has("b")).toBe(true)
    nowMs = lingerMs
    expect(await control.removeDue()).toEqual({ hasMadeRoom: true, nextMs: undefined })
    expect(fake.zones.backends.has("b")).toBe(false)
  })

  test("that comes back stays", async () => {
    await to(shop)
    const wanted = live([backend("a", 1)], [host("a.test", "a")])
    await to(wanted, shop)
    await to(shop, wanted)
    nowMs = 2 * lingerMs
    await control.removeDue()
    expect(fake.zones.backends.has("b")).toBe(true)
  })
})

describe("a refused item", () => {
  test("is left out, everything else takes effect", async () => {
    fake.refuses.add("b")
    const { inForce, refusals } = await to(shop)
    expect(refusals).toMatchObject([{ item: { name: "b" }, status: 400, reason: "b is bad" }])
    expect([...fake.zones.backends.keys()]).toEqual(["a"])
    expect([...fake.zones.routes.keys()]).toEqual(["main/a.test", "main/b.test"])
    expect(inForce.backends).toEqual([backend("a", 1), backend("b")])
  })

  test("keeps what it was before, and is tried again by the next plan", async () => {
    await to(shop)
    fake.refuses.add("b.test")
    const wanted = live(shop.backends, [host("a.test", "b"), host("b.test", "a")])
    const { inForce } = await to(wanted, shop)
    expect(inForce.hosts).toEqual([host("a.test", "b"), host("b.test", "b")])
    fake.refuses.clear()
    expect((await to(wanted, inForce)).inForce).toEqual(wanted)
    expect(fake.posted.at(-1)?.routes.set).toHaveLength(1)
  })

  test("is found among thousands in few posts", async () => {
    fake.refuses.add("backend-777")
    const many = Array.from({ length: 3000 }, (_, at) => backend(`backend-${at}`, 1))
    const { refusals } = await to(live(many, []))
    expect(refusals).toHaveLength(1)
    expect(fake.zones.backends.size).toBe(2999)
    expect(fake.posted.length).toBeLessThan(40)
  })

  test("too large for one body is refused without being posted, and its path is closed", async () => {
    const large = host("large.test", "a")
    const routes = large.routes.map((route) => ({ ...route, rewrite: "x".repeat(2 ** 20) }))
    const { inForce, refusals } = await to(live(shop.backends, [...shop.hosts, { ...large, routes }]))
    expect(refusals).toMatchObject([{ status: 413, item: { name: { host: "large.test" } }, routes }])
    expect(inForce.hosts.map(({ host, routes }) => [host, routes.map(({ status }) => status)])).toEqual([
      ["a.test", [undefined]],
      ["b.test", [undefined]],
      ["large.test", [503]],
    ])
  })
})

describe("things of TLS", () => {
  const tls = (id: string): Live => ({
    ...shop,
    certificates: [certificate(id)],
    authorities: [{ id: `ca-${id}`, certificates: ["MAA="], crls: [] }],
    staples: [{ certificate: id, response: "MAA=", untilMs: 1 }],
    tlsHosts: [
      {
        host: "a.test",
        certificates: [id],
        clientCertificate: { authority: `ca-${id}`, verify: "on", depth: 1 },
      },
    ],
    passthroughs: [{ host: "p.test", owner: "shop", backend: "shop-p-443" }],
  })
  const there = () =>
    Object.fromEntries(Object.entries(fake.zones).map(([list, zone]) => [list, [...zone.keys()]]))

  test("are set with the first change, and what is there besides is removed at once", async () => {
    fake.zones.certificates.set("old", {})
    fake.zones.tls_hosts.set("old.test", {})
    fake.zones.passthroughs.set("old.test", {})
    expect(await to(tls("c1"))).toEqual({ inForce: tls("c1"), refusals: [] })
    expect(there()).toMatchObject({
      certificates: ["c1"],
      authorities: ["ca-c1"],
      staples: ["c1"],
      tls_hosts: ["a.test"],
      passthroughs: ["p.test"],
    })
  })

  test("a certificate that takes the place of another is one post", async () => {
    await to(tls("c1"))
    const { length } = fake.posted
    expect((await to(tls("c2"), tls("c1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      {
        certificates: { set: [{ id: "c2" }], remove: ["c1"] },
        tls_hosts: { set: [{ host: "a.test", certificates: ["c2"] }], remove: [] },
        routes: { set: [], remove: [] },
      },
    ])
    expect(there()).toMatchObject({ certificates: ["c2"], authorities: ["ca-c2"], staples: ["c2"] })
  })

  test("one that keeps its id is not posted again, whatever object it is", async () => {
    await to(tls("c1"))
    const { length } = fake.posted
    await to(tls("c1"), tls("c1"))
    expect(fake.posted).toHaveLength(length)
  })

  test("a certificate that is refused leaves its host with the one before, until it is taken", async () => {
    await to(tls("c1"))
    fake.refuses.add("c2")
    const { inForce, refusals } = await to(tls("c2"), tls("c1"))
    expect(there()).toMatchObject({ certificates: ["c1"], staples: ["c1"], tls_hosts: ["a.test"] })
    expect(fake.zones.tls_hosts.get("a.test")).toMatchObject({ certificates: ["c1"] })
    expect(inForce.tlsHosts).toEqual(tls("c1").tlsHosts)
    // The fake refuses its staple, too.
    expect(problemsOf(refusals, tls("c2")).slice(0, 1)).toEqual([
      {
        object: { kind: "Ingress", namespace: "shop", name: "a.test" },
        field: "spec.tls",
        code: "refused",
        message: 'Cannot serve certificate "c2" of host "a.test": c2 is bad',
      },
    ])
    fake.refuses.clear()
    expect(await to(tls("c2"), inForce)).toEqual({ inForce: tls("c2"), refusals: [] })
    expect(there()).toMatchObject({ certificates: ["c2"], authorities: ["ca-c2"] })
  })

  test("a full zone lets go of what nobody names, and takes the rest then", async () => {
    const spare = { ...tls("c1"), certificates: [certificate("c1"), certificate("c9")] }
    await to(spare)
    fake.room = 2
    expect(await to(tls("c2"), spare)).toEqual({ inForce: tls("c2"), refusals: [] })
    expect(there()).toMatchObject({ certificates: ["c2"], tls_hosts: ["a.test"] })
  })

  test("a refusal names the host of everything", async () => {
    for (const name of ["ca-c1", "p.test"]) fake.refuses.add(name)
    const { refusals } = await to(tls("c1"))
    expect(problemsOf(refusals, tls("c1")).map(({ message }) => message)).toEqual([
      'Cannot serve client authority "ca-c1" of host "a.test": ca-c1 is bad',
      'Cannot serve passthrough of host "p.test": p.test is bad',
    ])
  })
})

describe("address lists", () => {
  const guarded = (id: string): Live => ({
    ...shop,
    addressLists: [{ id, ranges: ["10.0.0.0/8"] }],
    hosts: shop.hosts.map((host) => ({
      ...host,
      routes: host.routes.map((route) => ({ ...route, access: { allow: id } })),
    })),
  })
  const lists = () => [...fake.zones.address_lists.keys()]

  test("one that takes the place of another is one post, and nobody names it before or after", async () => {
    await to(guarded("l1"))
    const { length } = fake.posted
    expect((await to(guarded("l2"), guarded("l1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      { address_lists: { set: [{ id: "l2", ranges: ["10.0.0.0/8"] }], remove: ["l1"] } },
    ])
    expect(lists()).toEqual(["l2"])
  })

  test("one that is refused closes the routes that name it, whatever they were, until it is taken", async () => {
    await to(guarded("l1"))
    fake.refuses.add("l2")
    const { inForce, refusals } = await to(guarded("l2"), guarded("l1"))
    expect(lists()).toEqual([])
    expect(inForce.hosts.flatMap(({ routes }) => routes.map(({ status }) => status))).toEqual([503, 503])
    expect(JSON.stringify([...fake.zones.routes.values()])).not.toMatch(/l1|l2/)
    const [ofList, ...ofPaths] = problemsOf(refusals, guarded("l2"))
    expect(ofList).toEqual({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
      field: "metadata.annotations",
      code: "refused",
      message: 'Cannot serve address list "l2": l2 is bad',
    })
    expect(ofPaths.map(({ message }) => message)).toEqual(
      ["a.test", "b.test"].map(
        (name) =>
          `Cannot serve path "/" of host "${name}": a certificate or list that it names was refused; requests get 503`,
      ),
    )
    fake.refuses.clear()
    expect(await to(guarded("l2"), inForce)).toEqual({ inForce: guarded("l2"), refusals: [] })
    expect(lists()).toEqual(["l2"])
  })

  test("one of clients that are not limited is told to the Ingress with the limits", async () => {
    const wanted = guarded("l2")
    const hosts = wanted.hosts.map((host) => ({
      ...host,
      routes: host.routes.map(({ access: _, ...route }) => ({
        ...route,
        limits: { key: "k", rps: 1, exempt: "l2" },
      })),
    }))
    fake.refuses.add("l2")
    const { refusals } = await to({ ...wanted, hosts })
    expect(problemsOf(refusals, { ...wanted, hosts })[0]).toMatchObject({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
    })
  })

  describe.each([
    ["few paths", 0],
    ["many paths", 1000],
  ])("one that is refused, of a host with %s", (_, count) => {
    const others = Array.from({ length: count }, (_, at) => `/other/${at}`)
    const routesTo = (to: string, paths: Readonly<Record<string, string | undefined>>) =>
      [...others.map((path) => [path, undefined] as const), ...Object.entries(paths)].flatMap(
        ([path, allow]) =>
          host("shared.test", to).routes.map(
            (route): Route => ({ ...route, path, ...(allow && { access: { allow } }) }),
          ),
      )
    const withRoutes = (to: string, paths: Readonly<Record<string, string | undefined>>): Live => ({
      ...shop,
      addressLists: [...new Set(Object.values(paths))]
        .filter((id) => id !== undefined)
        .map((id) => ({ id, ranges: ["10.0.0.0/8"] })),
      hosts: [...shop.hosts, { ...host("shared.test", to), routes: routesTo(to, paths) }],
    })
    const before = withRoutes("a", { "/guarded": "l1", "/open": undefined, "/shop": undefined })
    const wanted = withRoutes("b", { "/guarded": "l2", "/new": "l2", "/open": "l2", "/shop": undefined })
    const served = ({ hosts }: Live) =>
      hosts
        .find((it) => it.host === "shared.test")
        ?.routes.filter(({ path }) => !path.startsWith("/other"))
        .map(({ path, backend, access, status }) => [path, status ?? backend, access?.allow].join(" "))

    test("holds its own routes back alone, and nothing is open that should be guarded", async () => {
      await to(before)
      fake.refuses.add("l2")
      const { inForce, refusals } = await to(wanted, before)
      const ofShared = ["/guarded 503 ", "/new 503 ", "/open 503 ", "/shop b "]
      expect(served(inForce)).toEqual(ofShared)
      expect(lists()).toEqual([])
      expect(problemsOf(refusals, wanted).map(({ message }) => message)).toEqual([
        'Cannot serve address list "l2": l2 is bad',
        expect.stringMatching(/path "\/guarded" and 2 more of host "shared.test": .*; requests get 503/),
      ])
      fake.refuses.clear()
      expect(await to(wanted, inForce)).toEqual({ inForce: wanted, refusals: [] })
      expect(lists()).toEqual(["l2"])
      expect(fake.missing).toEqual([])
    })
  })

  test("a host that is refused keeps the list that its record names", async () => {
    await to(guarded("l1"))
    fake.refuses.add("a.test")
    const { inForce } = await to(guarded("l2"), guarded("l1"))
    expect(lists()).toEqual(expect.arrayContaining(["l1"]))
    fake.refuses.clear()
    await to(guarded("l2"), inForce)
    expect(lists()).toEqual(["l2"])
  })
})

describe("what TLS towards backends names", () => {
  const spoken = (certificateId: string, authority: string): Live => ({
    ...shop,
    certificates: [certificate(certificateId)],
    authorities: [{ id: authority, certificates: ["MAMCAQE="], crls: [] }],
    hosts: shop.hosts.map((host, at) => ({
      ...host,
      routes: host.routes.map((route) =>
        at === 0 ? { ...route, backendTls: { certificate: certificateId, authority, depth: 1 } } : route,
      ),
    })),
  })
  const there = () => [...fake.zones.certificates.keys(), ...fake.zones.authorities.keys()]
  const statuses = ({ hosts }: Live) => hosts.flatMap(({ routes }) => routes.map(({ status }) => status))

  test("is posted before the routes that name it, and goes behind them", async () => {
    await to(spoken("c1", "a1"))
    const { length } = fake.posted
    expect((await to(spoken("c2", "a2"), spoken("c1", "a1"))).refusals).toEqual([])
    expect(fake.posted.slice(length)).toMatchObject([
      {
        certificates: { remove: ["c1"] },
        authorities: { remove: ["a1"] },
        routes: { set: [{ host: "a.test" }] },
      },
    ])
    expect(there()).toEqual(["c2", "a2"])
    expect(fake.missing).toEqual([])
  })

  test.each([
    ["certificate", "c2"],
    ["authority", "a2"],
  ])("closes the routes that name it where the %s is refused, until it is taken", async (what, id) => {
    await to(spoken("c1", "a1"))
    fake.refuses.add(id)
    const wanted = spoken("c2", "a2")
    const { inForce, refusals } = await to(wanted, spoken("c1", "a1"))
    expect(statuses(inForce)).toEqual([503, undefined])
    expect(JSON.stringify([...fake.zones.routes.values()])).not.toContain("backend_tls")
    expect(problemsOf(refusals, wanted)[0]).toEqual({
      object: { kind: "Ingress", namespace: "shop", name: "a.test" },
      ...{ field: "spec.rules", code: "refused" },
      message: `Cannot serve ${what} "${id}" of backends: ${id} is bad`,
    })
    fake.refuses.clear()
    expect(await to(wanted, inForce)).toEqual({ inForce: wanted, refusals: [] })
    expect(there()).toEqual(["c2", "a2"])
  })

  test("stays where the host that names it is refused", async () => {
    await to(spoken("c1", "a1"))
    fake.refuses.add("a.test")
    const { inForce } = await to(spoken("c2", "a2"), spoken("c1", "a1"))
    expect(there()).toEqual(expect.arrayContaining(["c1", "a1"]))
    fake.refuses.clear()
    await to(spoken("c2", "a2"), inForce)
    expect(there()).toEqual(["c2", "a2"])
  })
})

describe("a full zone", () => {
  const many = Array.from({ length: 2000 }, (_, at) => backend(`backend-${at}`, 1))

  test("takes what fits in a bounded number of posts", async () => {
    fake.room = 700
    const { inForce, refusals } = await to(live(many, []))
    expect(fake.zones.backends.size).toBe(700)
    expect(refusals).toHaveLength(1300)
    expect(refusals[0]).toMatchObject({ status: 507, reason: "the zone is full" })
    expect(problemsOf(refusals, live(many, []))[0]).toMatchObject({ field: "spec", code: "no-room" })
    expect(fake.posted.length).toBeLessThan(100)
    fake.room = Number.POSITIVE_INFINITY
    expect((await to(live(many, []), inForce)).refusals).toEqual([])
    expect(fake.zones.backends.size).toBe(2000)
  })
})

describe("a route that nginx does not take", () => {
  const routeOf = (path: string, more: Partial<Route> = {}) =>
    host("shared.test", "a").routes.map((route): Route => ({ ...route, path, ...more }))
  const bad = { rewrite: "/bad", ingressName: "other", access: { allow: "list" } }
  const withRoutes = (...routes: readonly Route[]) =>
    live(shop.backends, [...shop.hosts, { ...host("shared.test", "a"), routes }])
  const served = () => {
    const { parts = [], routes } = fake.zones.routes.get("main/shared.test") as PostedHost
    const inParts = parts.flatMap((id) => (fake.zones.route_parts.get(id) as PostedRoutePart).routes)
    return [...routes, ...inParts].map(({ path, match, status }) => [path, match, status ?? "open"].join(" "))
  }

  test("is closed, and all others of its host are served, whoever they are of", async () => {
    const wanted = withRoutes(...routeOf("/"), ...routeOf("/admin", bad), ...routeOf("/shop"))
    const { inForce, refusals } = await to(wanted)
    expect(served()).toEqual(["/ prefix open", "/admin prefix 503", "/shop prefix open"])
    expect(problemsOf(refusals, wanted)).toMatchObject([
      {
        object: { kind: "Ingress", namespace: "shop", name: "other" },
        code: "refused",
        message:
          'Cannot serve path "/admin" of host "shared.test": the route /admin is bad; requests get 503',
      },
    ])
    const { parts = [] } = fake.zones.routes.get("main/shared.test") as PostedHost
    expect([...fake.zones.route_parts.keys()].toSorted()).toEqual([...parts].toSorted())
    const better = withRoutes(...routeOf("/"), ...routeOf("/admin"), ...routeOf("/shop"))
    expect((await to(better, inForce)).refusals).toEqual([])
    expect(served()).toEqual(["/ prefix open", "/admin prefix open", "/shop prefix open"])
    expect(fake.zones.route_parts.size).toBe(0)
    expect(fake.missing).toEqual([])
  })

  test("is found among others of the same path", async () => {
    await to(
      withRoutes(
        ...routeOf("/x"),
        ...routeOf("/x", { ...bad, match: "exact" }),
        ...routeOf("/x/"),
        ...routeOf("/y"),
      ),
    )
    expect(served()).toEqual(["/x prefix open", "/x exact 503", "/x/ prefix open", "/y prefix open"])
  })

  test.each([20, 1000])("is found among %s patterns, which stay in their order", async (count) => {
    const routes = Array.from({ length: count }, (_, at) =>
      routeOf(`/p${at}.*`, { match: "regex", ...(at % 10 === 7 && bad) }),
    ).flat()
    await to(withRoutes(...routes))
    expect(served()).toEqual(routes.map(({ path, rewrite }) => `${path} regex ${rewrite ? 503 : "open"}`))
  })

  test("is left out if its path is at fault", async () => {
    fake.refusesPaths.add("/admin")
    const wanted = withRoutes(...routeOf("/"), ...routeOf("/admin", bad))
    const { refusals } = await to(wanted)
    expect(served()).toEqual(["/ prefix open"])
    expect(problemsOf(refusals, wanted)).toMatchObject([
      { message: 'Cannot serve path "/admin" of host "shared.test": the route /admin is bad' },
    ])
  })

  test("leaves what is in force of a host that cannot be set", async () => {
    const before = withRoutes(...routeOf("/"))
    await to(before)
    fake.refuses.add("shared.test")
    const { inForce } = await to(withRoutes(...routeOf("/"), ...routeOf("/admin", bad)), before)
    expect(served()).toEqual(["/ prefix open"])
    expect(inForce).toEqual(before)
    expect(fake.zones.route_parts.size).toBe(0)
  })
})

describe("a host with many paths", () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `/app/${String(at).padStart(5, "0")}`)
  const routeTo = (path: string, to = "a") =>
    host("many.test", to).routes.map((route) => ({ ...route, path }))
  const hostWith = (own: readonly string[]): Host => ({
    ...host("many.test", "a"),
    routes: own.flatMap((path) => routeTo(path)),
  })
  const many = hostWith(paths)
  const withHost = (large: Host) => live(shop.backends, [...shop.hosts, large])
  const served = () => {
    const { parts = [], routes } = fake.zones.routes.get("main/many.test") as PostedHost
    const inParts = parts.flatMap((id) => (fake.zones.route_parts.get(id) as PostedRoutePart).routes)
    return [...routes, ...inParts].map(({ path }) => path)
  }
  const bytesSince = (length: number) =>
    fake.posted.slice(length).reduce((sum, change) => sum + JSON.stringify(change).length, 0)

  test("comes in parts, none of which holds a worker up", async () => {
    expect((await to(withHost(many))).refusals).toEqual([])
    expect(served()).toEqual(paths)
    expect(Math.max(...fake.posted.map((change) => JSON.stringify(change).length))).toBeLessThan(
      1.1 * partBytes,
    )
  })

  test("one of them costs its share", async () => {
    await to(withHost(many))
    const { length } = fake.posted
    const changed = {
      ...many,
      routes: many.routes.flatMap((route) => (route.path === paths[7777] ? routeTo(route.path, "b") : route)),
    }
    await to(withHost(changed), withHost(many))
    const bytes = bytesSince(length)
    const without = { ...many, routes: many.routes.filter(({ path }) => path !== paths[7777]) }
    await to(withHost(without), withHost(changed))
    expect(bytes).toBeLessThan(48 * 1024)
    expect(bytesSince(length) - bytes).toBeLessThan(48 * 1024)
    expect(served()).toEqual(paths.filter((path) => path !== paths[7777]))
    const named = (fake.zones.routes.get("main/many.test") as PostedHost).parts ?? []
    expect([...fake.zones.route_parts.keys()].toSorted()).toEqual([...named].toSorted())
    expect(fake.missing).toEqual([])
  })

  test("takes its parts along when it goes, or becomes small", async () => {
    await to(withHost(many))
    await to(withHost(hostWith(["/one"])), withHost(many))
    expect(served()).toEqual(["/one"])
    expect(fake.zones.route_parts.size).toBe(0)
    await to(withHost(many), withHost(hostWith(["/one"])))
    await to(shop, withHost(many))
    expect(fake.zones.route_parts.size).toBe(0)
    expect(fake.missing).toEqual([])
  })

  test("is taken over from another controller, whose parts go when the host is set anew", async () => {
    fake.zones.route_parts.set("former", { id: "former", routes: [] })
    fake.zones.routes.set("main/many.test", {
      server: "main",
      host: "many.test",
      parts: ["former"],
      routes: [],
    })
    await to(withHost(many))
    expect(served()).toEqual(paths)
    expect(fake.zones.route_parts.has("former")).toBe(false)
  })

  test("that cannot be set keeps what it was, and its parts", async () => {
    await to(withHost(many))
    fake.refuses.add("many.test")
    const wanted = withHost(hostWith(paths.slice(0, 15_000)))
    const { inForce } = await to(wanted, withHost(many))
    expect(inForce.hosts).toEqual(withHost(many).hosts)
    expect(served()).toEqual(paths)
    fake.refuses.clear()
    expect((await to(wanted, inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths.slice(0, 15_000))
    expect(fake.missing).toEqual([])
  })

  test("loses only the paths that nginx does not take, each with a Problem", async () => {
    const bad = [paths[7], paths[7777], paths[19_999]].flatMap((path) => path ?? [])
    for (const path of bad) fake.refusesPaths.add(path)
    const wanted = withHost(many)
    const { inForce, refusals } = await to(wanted)
    expect(served()).toEqual(paths.filter((path) => !bad.includes(path)))
    expect(
      problemsOf(refusals, wanted)
        .map(({ code, message }) => [code, message])
        .toSorted(),
    ).toEqual(
      bad.map((path) => [
        "refused",
        `Cannot serve path "${path}" of host "many.test": the route ${path} is bad`,
      ]),
    )
    fake.refusesPaths.clear()
    expect((await to(wanted, inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths)
  })

  test("in a full zone is not served in part where some of its paths are not for everybody", async () => {
    fake.room = 100
    const guarded = many.routes.map((route) => ({ ...route, access: { allow: "list" } }))
    const wanted = withHost({ ...many, routes: guarded })
    const { refusals } = await to(wanted)
    expect(fake.zones.routes.get("main/many.test")).toMatchObject({ closed: true, routes: [] })
    expect(problemsOf(refusals, wanted)).toMatchObject([
      {
        code: "no-room",
        message: expect.stringMatching(/host "many.test": the zone is full; requests get 503$/),
      },
    ])
    expect(fake.zones.route_parts.size).toBe(0)
  })

  test("in a full zone is served as far as it fits, and keeps that until there is room", async () => {
    fake.room = 100
    const wanted = withHost(many)
    const { inForce, refusals } = await to(wanted)
    const fitting = served().length
    expect(fitting).toBeGreaterThan(4000)
    expect(problemsOf(refusals, wanted)).toMatchObject([
      { object: { kind: "Ingress", name: "many.test" }, code: "no-room" },
    ])
    expect(problemsOf(refusals, wanted)[0]?.message).toContain(`and ${20_000 - fitting - 1} more`)
    const again = await to(wanted, inForce)
    expect(served()).toHaveLength(fitting)
    expect(again.inForce).toEqual(inForce)
    fake.room = Number.POSITIVE_INFINITY
    expect((await to(wanted, again.inForce)).refusals).toEqual([])
    expect(served()).toEqual(paths)
    expect(fake.missing).toEqual([])
  })
})
