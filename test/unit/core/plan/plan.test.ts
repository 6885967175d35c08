import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  applyChange,
  type LiveChange,
  liveChange,
  noChange,
  postable,
} from "../../../../controller/core/plan/change.ts"
import { kinds } from "../../../../controller/core/plan/kinds.ts"
import { plan } from "../../../../controller/core/plan/plan.ts"
import type { Authority, Certificate } from "../../../../controller/model/certificate.ts"
import { byHost } from "../../../../controller/model/host-name.ts"
import { emptyLive, type Live, type Model } from "../../../../controller/model/model.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import {
  ingress,
  options,
  type Part,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../harness/objects.ts"
import { backend, certificate, host } from "../../output/control/live.ts"
import { world } from "../translate/arbitrary.ts"

const cart = service("shop/cart", "80")

function model(...objects: readonly Part[]): Model {
  return translate(snapshot(...objects), settings, options).model
}

/** An equal model that has no object in common with this one; structuredClone knows no SecretText. */
function copyOf({ fixed, live }: Model): Model {
  const certificates = live.certificates.map(({ key, ...rest }) => ({
    ...structuredClone(rest),
    key: new SecretText(key.reveal()),
  }))
  const rest = structuredClone({ ...live, certificates: [] })
  return { fixed: structuredClone(fixed), live: { ...rest, certificates } }
}

const someModel = world.map((objects) => model(...objects))

describe("plan", () => {
  const one = ingress("shop/a", "one.test/ → cart:80")
  const running = model(cart, slice("shop/cart", ["10.0.0.1"], "8080"), one)

  test("the first load is a reload with everything in the change", () => {
    expect(plan(undefined, running)).toEqual({
      kind: "reload",
      reasons: ["first load"],
      change: {
        ...noChange,
        backends: { set: running.live.backends, remove: [] },
        hosts: { set: running.live.hosts, remove: [] },
      },
    })
  })

  test("nothing is nothing, also between equal copies", () => {
    fc.assert(
      fc.property(someModel, (same) => {
        expect(plan(same, same)).toEqual({ kind: "nothing" })
        expect(plan(same, copyOf(same))).toEqual({ kind: "nothing" })
      }),
    )
  })

  test("an endpoint is a post of its backend alone", () => {
    const wanted = model(cart, slice("shop/cart", ["10.0.0.1", "10.0.0.2"], "8080"), one)
    expect(plan(running, wanted)).toEqual({
      kind: "post",
      change: { ...noChange, backends: { set: wanted.live.backends, remove: [] } },
    })
  })

  test("an Ingress that goes takes its host and backend along, by a post", () => {
    expect(plan(running, model(cart))).toEqual({
      kind: "post",
      change: {
        ...noChange,
        backends: { set: [], remove: ["shop-cart-80"] },
        hosts: { set: [], remove: [{ server: "main", host: "one.test" }] },
      },
    })
  })

  test("a location that nobody had is a reload, one that is no longer used is not", () => {
    const old = model(cart, ingress("shop/a", "one.test/ → cart:80", { "proxy-http-version": "1.0" }))
    const there = plan(running, old)
    expect(there).toMatchObject({
      kind: "reload",
      reasons: [expect.stringMatching(/^location-[0-9a-f]{32} is new$/)],
    })
    expect(plan(old, running).kind).toBe("post")
  })

  test("a location stays in force after a post, so that coming back to it is a post too", () => {
    const old = model(cart, ingress("shop/a", "one.test/ → cart:80", { "proxy-http-version": "1.0" }))
    expect(plan(old, running).kind).toBe("post")
    const now = { fixed: old.fixed, live: running.live }
    expect(plan(now, old).kind).toBe("post")
  })

  test("a host of one listener takes none of another's along, wherever their names stand", () => {
    const model = (...hosts: readonly string[]): Model => {
      const named = hosts.map((text) => {
        const [server = "", name = ""] = text.split("/")
        return { ...host, server, host: name, routes: [] }
      })
      return { ...running, live: { ...emptyLive, hosts: named.sort(byHost) } }
    }
    const before = ["http:10.0.0.1:80/_", "http:10.0.0.2:80/_", "main/_"]
    const added = ["http:10.0.0.3:80/_", "http:10.0.0.3:80/**.a.test", "http:10.0.0.1:80/b.test"]
    const { change } = plan(model(...before), model(...before, ...added)) as { change: LiveChange }
    expect(change.hosts.set.map(({ server, host }) => `${server}/${host}`).sort()).toEqual(added.toSorted())
    expect(change.hosts.remove).toEqual([])
  })

  test("a port that nginx is to listen on, or no longer, is a reload", () => {
    const listeners = [{ scheme: "http", port: 8080 } as const]
    const wanted = { ...running, fixed: { ...running.fixed, listeners } }
    expect(plan(running, wanted)).toMatchObject({ kind: "reload", reasons: ["listeners"] })
    expect(plan(wanted, structuredClone(wanted)).kind).toBe("nothing")
    expect(plan(wanted, running)).toMatchObject({ kind: "reload", reasons: ["listeners"] })
  })

  test("server blocks of hosts are configuration text: each change of them is a reload, for one reason", () => {
    const source = { kind: "Ingress", namespace: "shop", name: "a" }
    const text = [{ name: "client_header_buffer_size", args: ["4k"] }]
    const own = [{ name: "server-1", hosts: ["one.test"], text, source }]
    const wanted = { ...running, fixed: { ...running.fixed, servers: { own, shared: [] } } }
    expect(plan(running, wanted)).toMatchObject({ kind: "reload", reasons: ["servers"] })
    expect(plan(wanted, structuredClone(wanted)).kind).toBe("nothing")
    expect(plan(wanted, running)).toMatchObject({ kind: "reload", reasons: ["servers"] })
  })

  test("every differing setting is a reason of its own", () => {
    const { clients, ports } = running.fixed.http
    const http = {
      ...running.fixed.http,
      clients: { ...clients, keepAliveSeconds: 5 },
      ports: { ...ports, httpPort: 81 },
    }
    const wanted = { ...running, fixed: { ...running.fixed, http } }
    expect(plan(running, wanted)).toMatchObject({
      kind: "reload",
      reasons: ["http.ports.httpPort", "http.clients.keepAliveSeconds"],
    })
  })
})

describe("changes", () => {
  test("what leads from one model to another does lead there, and names nothing twice", () => {
    fc.assert(
      fc.property(someModel, someModel, (a, b) => {
        const change = liveChange(a.live, b.live)
        expect(applyChange(a.live, change)).toEqual(b.live)
        const backends = [...change.backends.set.map(({ name }) => name), ...change.backends.remove]
        expect(new Set(backends).size).toBe(backends.length)
      }),
    )
  })

  test("the postable part leaves no host with a backend or location that is not there, and the rest follows", () => {
    fc.assert(
      fc.property(someModel, someModel, (a, b) => {
        const locations = new Set(a.fixed.locations.map(({ name }) => name))
        const now = applyChange(a.live, postable(liveChange(a.live, b.live), locations))
        const backends = new Set(now.backends.map(({ name }) => name))
        for (const route of now.hosts.flatMap(({ routes }) => routes)) {
          expect(locations).toContain(route.location)
          const isAnswered = route.status === 403 || route.status === 404
          expect(isAnswered || backends.has(route.backend)).toBe(true)
        }
        expect(applyChange(now, liveChange(now, b.live))).toEqual(b.live)
      }),
    )
  })

  test("with every location in force everything is postable", () => {
    fc.assert(
      fc.property(someModel, someModel, (a, b) => {
        const change = liveChange(a.live, b.live)
        const locations = new Set(b.fixed.locations.map(({ name }) => name))
        expect(postable(change, locations)).toEqual(change)
      }),
    )
  })
})

describe("things of TLS", () => {
  /** Any halves whose things have names and contents out of few, in canonical order. */
  const names = fc.subarray(["a.test", "b.test", "c.test", "d.test", "e.test"])
  const version = fc.nat({ max: 1 })
  const things = <T>(thing: (name: string, version: number) => T) =>
    fc
      .tuple(names, fc.array(version, { minLength: 5, maxLength: 5 }))
      .map(([some, versions]) => some.map((name, at) => thing(name, versions[at] ?? 0)))
  const someLive: fc.Arbitrary<Live> = fc.record({
    certificates: names.map((some) => some.map(certificate)),
    authorities: names.map((some) => some.map((id) => ({ id, certificates: ["MAA="], crls: [] }))),
    staples: things((certificate, untilMs) => ({ certificate, response: "MAA=", untilMs })),
    backends: things((name, port) => backend(name, port)),
    tlsHosts: things((name, at) => ({ host: name, certificates: at === 0 ? [] : [name] })),
    addressLists: names.map((some) => some.map((id) => ({ id, ranges: ["::/0"] }))),
    userLists: names.map((some) =>
      some.map((id) => ({ id, users: [{ name: "ada", hash: new SecretText("x") }] })),
    ),
    hosts: things((name, at) => host(name, `to-${at}`, `location-${at}`)),
    passthroughs: things((name, at) => ({ host: name, owner: "shop", backend: `shop-app-${at}` })),
    streams: things((name, at) => ({ name, backend: `shop-app-${at}` })),
  })

  test("what leads from one half to another does lead there, and leads nowhere from there", () => {
    fc.assert(
      fc.property(someLive, someLive, (a, b) => {
        const there = applyChange(a, liveChange(a, b))
        expect(there).toEqual(b)
        expect(liveChange(there, b)).toEqual(noChange)
      }),
    )
  })

  test("what is posted early lacks nothing that it names, and a host goes with its TLS host", () => {
    fc.assert(
      fc.property(someLive, someLive, (a, b) => {
        const change = liveChange(a, b)
        const early = postable(change, new Set(["location-0"]))
        const now = applyChange(a, early)
        const waiting = b.hosts.filter(
          (wanted) => !now.hosts.includes(wanted) && !a.hosts.some((it) => isDeepStrictEqual(it, wanted)),
        )
        for (const { host: name } of waiting) {
          expect(now.tlsHosts.find((it) => it.host === name)).toEqual(
            a.tlsHosts.find((it) => it.host === name),
          )
        }
        if (waiting.length > 0) {
          const kept = new Set(now.certificates.map(({ id }) => id))
          for (const { id } of a.certificates) expect(kept).toContain(id)
        } else expect(now).toEqual(b)
        expect(applyChange(now, liveChange(now, b))).toEqual(b)
      }),
    )
  })

  test("what has a known id is known", () => {
    const half = (...ids: string[]): Live => ({ ...emptyLive, certificates: ids.map(certificate) })
    expect(liveChange(half("a", "b"), half("a", "c"))).toMatchObject({
      certificates: { set: [{ id: "c" }], remove: ["b"] },
    })
  })
})

describe("two contents with one name", () => {
  const collision = /Two different things have the name "/
  const certificates = (...all: readonly Certificate[]): Live => ({ ...emptyLive, certificates: all })
  const authorities = (...all: readonly Authority[]): Live => ({ ...emptyLive, authorities: all })
  const authority = { id: "a", certificates: ["MAA="], crls: [] }

  test("are not one location", () => {
    const running = model(cart, ingress("shop/a", "one.test/ → cart:80", { "proxy-http-version": "1.0" }))
    const locations = running.fixed.locations.map(({ name }) => ({ name, protocol: "grpc" as const }))
    const wanted = { ...running, fixed: { ...running.fixed, locations } }
    expect(() => plan(running, wanted)).toThrow(collision)
  })

  test("are not one certificate", () => {
    const known = certificate("a")
    const otherChain = { ...known, chain: ["MAA="] }
    const otherKey = { ...known, key: new SecretText("MAA=") }
    for (const other of [otherChain, otherKey])
      expect(() => liveChange(certificates(known), certificates(other))).toThrow(collision)
  })

  test("are not one authority", () => {
    const other = { ...authority, crls: ["MAA="] }
    expect(() => liveChange(authorities(authority), authorities(other))).toThrow(collision)
  })

  test("are none where one only stands for what nginx may or may not have", () => {
    const known = certificate("a")
    const unlike = kinds.certificates.unlike(known)
    expect(liveChange(certificates(unlike), certificates(known)).certificates.set).toEqual([known])
    const unlikeAuthority = kinds.authorities.unlike(authority)
    expect(liveChange(authorities(unlikeAuthority), authorities(authority)).authorities.set).toEqual([
      authority,
    ])
  })
})
