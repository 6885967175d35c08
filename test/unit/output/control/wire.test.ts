import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type LiveChange, noChange } from "../../../../controller/core/plan/change.ts"
import type { AddressList } from "../../../../controller/model/access.ts"
import type { Backend } from "../../../../controller/model/backend.ts"
import type { Certificate, TlsHost } from "../../../../controller/model/certificate.ts"
import type { Overrides } from "../../../../controller/model/overrides.ts"
import type { Host } from "../../../../controller/model/route.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import type { ServerName, Stream, StreamBackendTls, StreamTls } from "../../../../controller/model/stream.ts"
import { bodyOf, type Item, itemsOf, partBytes, partsOf } from "../../../../controller/output/control/wire.ts"
import { root } from "../../../../harness/paths.ts"
import { camelCase } from "../../../../wire/field.ts"
import { overrides } from "../../../../wire/overrides.ts"
import { fixtureHosts } from "./fixture-hosts.ts"
import { backend, certificate, host } from "./live.ts"

/** The model of the fixture's backend "shop-all-80", which has everything. */
const fixtureBackend: Backend = {
  name: "shop-all-80",
  loadBalance: "ewma",
  endpoints: [{ address: "10.0.0.9", port: 65535 }],
  affinity: {
    mode: "persistent",
    cookie: {
      name: "INGRESSCOOKIE",
      expiresSeconds: 172_800,
      maxAgeSeconds: -1,
      domain: "shop.test",
      path: "/",
      sameSite: "None",
      secure: true,
      conditionalSameSiteNone: true,
      changeOnFailure: true,
      sessionsOf: "shop-main-80",
    },
  },
  hashBy: { key: "$request_uri$host", subsetSize: 3 },
  alternatives: ["shop-canary-80", "shop-café-80"],
  shaping: { weight: 10, weightTotal: 100, header: "X-Canary", headerPattern: "^(1|2)$", cookie: "canary" },
  slowStartMs: 2_147_483_647,
  outlierEjection: { failures: 5, ejectionMs: 30_000 },
}

const fixtureCertificate: Certificate = {
  id: "9f3c_A-z0",
  chain: fixture<{ chain: string[] }>("pair-everything.json").chain,
  key: new SecretText("S0VZLW1hcmtlZC1LRVktbWFya2VkLUtFWQ=="),
}

const fixtureTlsHosts: readonly TlsHost[] = [
  {
    host: "*.shop.test",
    certificates: ["9f3c_A-z0", "p"],
    ciphers: "ECDHE-RSA-AES256-GCM-SHA384:!aNULL:@SECLEVEL=2",
    prefersServerCiphers: true,
    listener: "edge",
    clientCertificate: { authority: "5d1e", verify: "optional_no_ca", depth: 100 },
  },
  { host: ":default", certificates: ["p"], prefersServerCiphers: false },
  { host: "_", certificates: [] },
]

interface ShownBackend {
  noServer?: boolean
  "load-balance": string
  endpoints: { weight?: number }[]
  sessionAffinityConfig: { cookieSessionAffinity: { locations?: object; expires: unknown; maxage: unknown } }
}

function fixture<Shown>(name: string): Shown {
  return JSON.parse(readFileSync(join(root, "test/fixtures/wire", name), "utf8"))
}

function hostWith(numbers: Overrides): Host {
  const { routes, ...rest } = host("numbers.test", "b")
  return { ...rest, routes: routes.map((route) => ({ ...route, overrides: numbers })) }
}

function posted(items: Iterable<Item>) {
  return JSON.parse(bodyOf("7f3a-41", "7f3a-42", [...items]))
}

/** A GET shows no such lists. */
function withoutCritical<Json>(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "critical" ? undefined : inner)))
}

/** The lists in a thing, in the order of the text. */
function criticalIn(value: unknown): string[][] {
  const lists: string[][] = []
  JSON.stringify(value, (key, inner) => {
    if (key === "critical") lists.push(inner)
    return inner
  })
  return lists
}

describe("the posted format", () => {
  test.each(fixtureHosts)("the host $host is posted as the fixture has it", (model) => {
    const { routes } = posted(itemsOf({ ...noChange, hosts: { set: [model], remove: [] } }))
    // A reader shows no empty texts and no empty overrides.
    const shown = fixture<{ routes: object[] }>(`host-${model.host}.json`)
    const bare = { namespace: "", ingress_name: "", service_name: "", service_port: "", location_path: "" }
    const full = shown.routes.map((route) => ({ ...bare, overrides: {}, ...route }))
    expect(withoutCritical(routes.set)).toEqual([{ ...shown, routes: full }])
  })

  test.each(fixtureHosts)("what must be understood of $host is named", (model) => {
    const { routes } = posted(itemsOf({ ...noChange, hosts: { set: [model], remove: [] } }))
    const change = fixture<{ routes: { set: { host: string }[] } }>("change.json")
    const wanted = change.routes.set.find(({ host }) => host === model.host)
    const sorted = (lists: string[][]) => lists.map((list) => list.join()).sort()
    expect(sorted(criticalIn(routes.set))).toEqual(sorted(criticalIn(wanted)))
  })

  test("every number that a route may have of its own is posted as the fixture has it", () => {
    const model = Object.fromEntries(overrides.map(({ name, example }) => [camelCase(name), example]))
    const { routes } = posted(itemsOf({ ...noChange, hosts: { set: [hostWith(model)], remove: [] } }))
    const shown = fixture<{ routes: { overrides: object }[] }>("host-numbers.test.json")
    expect(routes.set[0].routes[0].overrides).toEqual(shown.routes[0]?.overrides)
  })

  test("a backend is posted as the fixture has it", () => {
    const { backends } = posted(itemsOf({ ...noChange, backends: { set: [fixtureBackend], remove: [] } }))
    const { noServer: _, ...shown } = fixture<ShownBackend>("backend-shop-all-80.json")
    // What a reader shows in its own way: the algorithm that comes of it all, weights, and seconds in quotes.
    shown["load-balance"] = "ewma"
    for (const endpoint of shown.endpoints) delete endpoint.weight
    // Its routes say where sessions begin.
    const { locations: _locations, ...cookie } = shown.sessionAffinityConfig.cookieSessionAffinity
    shown.sessionAffinityConfig.cookieSessionAffinity = { ...cookie, expires: 172_800, maxage: -1 }
    expect(backends.set).toEqual([shown])
  })

  test("a backend that a policy balances is posted as the fixture has it", () => {
    const custom: Backend = {
      name: "shop-custom-80",
      loadBalance: "round_robin",
      policy: {
        name: "spill-over",
        digest: "00112233445566778899aabbccddeeff".repeat(2),
        needs: 17,
        config: "a\nb",
      },
      endpoints: [
        { address: "10.0.0.1", port: 8080, zone: "ours" },
        { address: "10.0.0.2", port: 8080 },
        { address: "2001:db8::1", port: 8080, zone: "another" },
      ],
      hashBy: { key: "$arg_user" },
    }
    const { backends } = posted(itemsOf({ ...noChange, backends: { set: [custom], remove: [] } }))
    const shown = fixture<ShownBackend>("backend-shop-custom-80.json")
    for (const endpoint of shown.endpoints) delete endpoint.weight
    const [set] = backends.set
    expect({ ...set, upstreamHashByConfig: { "upstream-hash-by": "$arg_user" } }).toEqual(shown)
  })

  test("things of TLS are posted as the fixture has them, certificates with their keys", () => {
    const change: LiveChange = {
      ...noChange,
      certificates: { set: [fixtureCertificate], remove: ["old-1"] },
      authorities: {
        set: [{ id: "5d1e", certificates: ["MAMCAQM=", "MAA="], crls: ["MAMCAQQ="] }],
        remove: [],
      },
      staples: {
        set: [{ certificate: "9f3c_A-z0", response: "MAMKAQA=", untilMs: 1_795_000_000_000 }],
        remove: [],
      },
      tlsHosts: { set: fixtureTlsHosts, remove: ["old.test"] },
      passthroughs: {
        set: [{ host: "db.test", owner: "shop", backend: "shop-db-443" }],
        remove: [],
      },
    }
    const { base: _, generation: __, ...lists } = posted(itemsOf(change))
    const key = "S0VZLW1hcmtlZC1LRVktbWFya2VkLUtFWQ=="
    expect(withoutCritical(lists)).toEqual({
      certificates: { set: [{ ...fixture<object>("pair-everything.json"), key }], remove: ["old-1"] },
      authorities: { set: [fixture("authority-everything.json")], remove: [] },
      staples: { set: [fixture("staple-everything.json")], remove: [] },
      tls_hosts: {
        set: ["everything", "default", "empty"].map((name) => fixture(`tls-host-${name}.json`)),
        remove: ["old.test"],
      },
      passthroughs: { set: [fixture("passthrough-everything.json")], remove: [] },
    })
    expect(criticalIn(posted(itemsOf(change)))).toEqual([["listener", "client_certificate"]])
  })

  test("a user list is posted with its hashes, and printed without", () => {
    const users = [
      ["ada", "$2y$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234"],
      ['café "b"', "{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk="],
      ["old", "rqXexS6ZhobKA"],
    ].map(([name = "", hash = ""]) => ({ name, hash: new SecretText(hash) }))
    const list = { id: "77aa_A-z0", users }
    const change = { ...noChange, userLists: { set: [list], remove: ["88bb"] } }
    expect(posted(itemsOf(change)).user_lists).toEqual(
      fixture<{ user_lists: unknown }>("change.json").user_lists,
    )
    expect(JSON.stringify(list)).not.toContain("$2y$")
  })

  test("an address list is posted as the fixture has it", () => {
    const list = fixture<AddressList>("address-list-everything.json")
    const change = { ...noChange, addressLists: { set: [list], remove: ["5d1e"] } }
    expect(posted(itemsOf(change)).address_lists).toEqual({ set: [list], remove: ["5d1e"] })
  })

  test("a stream is posted as the fixture has it, with what must be understood of it", () => {
    const tls: StreamTls = {
      certificates: ["9f3c_A-z0", "p"],
      authority: "5d1e",
      verify: "optional",
      depth: 2,
      alpn: ["mqtt", "h2"],
    }
    const backendTls: StreamBackendTls = {
      serverName: "db.internal",
      authority: "a",
      depth: 3,
      alternativeNames: ["db-1.internal", "db-2.internal"],
      certificate: "p",
    }
    const names: readonly ServerName[] = [
      {
        host: "db.test",
        backend: "tcp-shop-db-5432",
        namespace: "shop",
        serviceName: "db",
        servicePort: "5432",
        ...{ tls, backendTls },
      },
      { host: "*.db.test", backend: "tcp-shop-all-5432" },
      { host: "_", backend: "tcp-shop-other-5432" },
    ]
    const stream: Stream = {
      name: "tcp:5432",
      backend: "tcp-shop-db-5432",
      namespace: "shop",
      serviceName: "db",
      servicePort: "5432",
      source: "ingress-nginx/tcp-services",
      acceptsProxyProtocol: true,
      sendsProxyProtocol: "v2",
      proxyTimeoutMs: 600_000,
      proxyConnectTimeoutMs: 5_000,
      triesNextUpstream: true,
      nextUpstreamTimeoutMs: 0,
      nextUpstreamTries: 3,
      responses: 2,
      requests: 0,
      allow: "2b4e_A-z0",
      deny: "2b4e_A-z0",
      connections: 100,
      connectionsPerSecond: 20,
      uploadBytes: 1_048_576,
      downloadBytes: 0,
      proxyProtocolTimeoutMs: 3_000,
      ...{ names, tls, backendTls, drainMs: 30_000 },
    }
    const change = { ...noChange, streams: { set: [stream], remove: ["udp:53"] } }
    const { streams } = posted(itemsOf(change))
    expect(withoutCritical(streams)).toEqual(fixture<{ streams: unknown }>("change.json").streams)
    const ofTls = ["authority", "verify", "depth"]
    const ofEndpoints = ["authority", "depth", "alternative_names"]
    const all = ["allow", "deny", "connections", "connections_per_second", "names", "tls", "backend_tls"]
    for (const critical of [all, ofTls, ofEndpoints]) expect(criticalIn(streams)).toContainEqual(critical)
  })

  test("a list of which nothing changes is left out", () => {
    expect(posted([])).toEqual({ base: "7f3a-41", generation: "7f3a-42" })
  })

  test("a change names what it builds on and what it is", () => {
    const change: LiveChange = {
      ...noChange,
      backends: { set: [backend("a", 8080)], remove: ["b"] },
      hosts: { set: [], remove: [{ server: "main", host: "old.test" }] },
    }
    expect(posted(itemsOf(change))).toEqual({
      base: "7f3a-41",
      generation: "7f3a-42",
      backends: {
        set: [
          { name: "a", "load-balance": "round_robin", endpoints: [{ address: "10.0.0.1", port: "8080" }] },
        ],
        remove: ["b"],
      },
      routes: { set: [], remove: [{ server: "main", host: "old.test" }] },
    })
  })

  test("a first part builds on whatever is there", () => {
    expect(JSON.parse(bodyOf(null, "1", []))).toMatchObject({ base: null, generation: "1" })
  })

  test("items come in the order in which they must take effect", () => {
    const change: LiveChange = {
      certificates: { set: [certificate("c1")], remove: ["c2"] },
      authorities: { set: [{ id: "ca1", certificates: ["MAA="], crls: [] }], remove: ["ca2"] },
      staples: { set: [{ certificate: "c1", response: "MAA=", untilMs: 1 }], remove: ["c2"] },
      backends: { set: [backend("a")], remove: ["b"] },
      tlsHosts: { set: [{ host: "a.test", certificates: ["c1"] }], remove: ["b.test"] },
      addressLists: { set: [{ id: "l1", ranges: ["::/0"] }], remove: ["l2"] },
      userLists: { set: [{ id: "u1", users: [] }], remove: ["u2"] },
      hosts: { set: [host("a.test", "a")], remove: [{ server: "main", host: "b.test" }] },
      passthroughs: {
        set: [{ host: "p.test", owner: "shop", backend: "shop-p-443" }],
        remove: ["q.test"],
      },
      streams: { set: [{ name: "tcp:1", backend: "a" }], remove: ["udp:1"] },
    }
    expect([...itemsOf(change)].map(({ verb, kind }) => `${verb} ${kind}`)).toEqual([
      "set certificates",
      "set authorities",
      "set staples",
      "set backends",
      "set tlsHosts",
      "set addressLists",
      "set userLists",
      "set hosts",
      "set passthroughs",
      "set streams",
      "remove streams",
      "remove passthroughs",
      "remove hosts",
      "remove userLists",
      "remove addressLists",
      "remove tlsHosts",
      "remove backends",
      "remove staples",
      "remove authorities",
      "remove certificates",
    ])
  })
})

describe("parts", () => {
  const item = (length: number): Item => ({
    kind: "backends",
    verb: "remove",
    name: "",
    json: "x".repeat(length),
  })

  test("keep the order, lose nothing, and are no longer than allowed unless one item is", () => {
    const lengths = fc.array(fc.oneof(fc.nat(1000), fc.nat(2 * partBytes)), { maxLength: 30 })
    fc.assert(
      fc.property(lengths, (some) => {
        const items = some.map(item)
        const parts = [...partsOf(items)]
        expect(parts.flat()).toEqual(items)
        for (const part of parts) {
          const bytes = part.reduce((sum, { json }) => sum + json.length + 1, 0)
          expect(part.length === 1 || bytes <= partBytes).toBe(true)
        }
      }),
    )
  })

  test("count bytes, not characters", () => {
    const wide: Item = { kind: "backends", verb: "remove", name: "", json: "€".repeat(partBytes / 4) }
    expect([...partsOf([wide, wide])]).toHaveLength(2)
  })
})
