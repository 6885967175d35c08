// What one namespace can take from another by objects of the Gateway API: nothing.
import { describe, expect, test } from "vitest"
import {
  type Translation,
  Translator,
  translateOptions,
} from "../../../../controller/core/translate/translate.ts"
import { noFacts } from "../../../../controller/model/facts.ts"
import { tlsData } from "../../../../harness/certificates.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../../../harness/manifests.ts"
import { settings as usualSettings } from "../../../../harness/objects.ts"
import { changesOf, optionsOf, Passes, storeWith, translationOf } from "../../../../harness/translation.ts"
import { gateway, gatewayClass, gatewayObject, grant, route } from "../../../support/gateway-objects.ts"

const webs = ["a", "b"].flatMap((namespace) => [
  service(`${namespace}/web`),
  slice(`${namespace}/web`, [namespace === "a" ? "10.0.0.1" : "10.0.0.2"], 80),
])
const base = [gatewayClass, ingressClass, ...webs]

function translated(objects: readonly Json[], ...flags: readonly string[]): Translation {
  const changes = [...base, ...objects].flatMap((object) => changesOf(object, "test"))
  return translationOf(changes, optionsOf(["--manifests=x", ...flags]))
}

/** Namespaces that serve a host of a listener; of `main` where none is named. */
function servers({ model }: Translation, host: string, server = "main"): readonly string[] {
  const found = model.live.hosts.find((it) => it.server === server && it.host === host)
  return [...new Set(JSON.stringify(found ?? "").match(/(?<=gateway:)[ab](?=\/web)/g) ?? [])]
}

const said = ({ problems }: Translation) => problems.map(({ message }) => message).join("\n")
const http = { port: 80, protocol: "HTTP" }
const https = { port: 443, protocol: "HTTPS", tls: { certificateRefs: [{ name: "pair" }] } }
const passing = { port: 443, protocol: "TLS", tls: { mode: "Passthrough" } }

describe("on the ports of Ingresses", () => {
  const older = gateway("a/edge", [http])
  const ofA = route("HTTPRoute", "a/web", "a/edge", { hostnames: ["shop.test"] })

  test("a younger Gateway takes no name from an older one's routes", () => {
    const younger = gateway("b/edge", [{ ...http, hostname: "shop.test" }], 1)
    const ofB = route("HTTPRoute", "b/web", "b/edge", { hostnames: ["shop.test"] })
    const found = translated([older, ofA, younger, ofB])
    expect(servers(found, "shop.test")).toEqual(["a"])
    expect(said(found)).toContain('Cannot serve host "shop.test": Gateway "a/edge" is older, and has it')
    expect(found.problems.map(({ object, code }) => [object.namespace, code])).toEqual([["b", "path-taken"]])
  })

  test("a younger route is told that an older one has its path, until that is gone", () => {
    const younger = route("HTTPRoute", "b/web", "a/edge", { hostnames: ["shop.test"] }, 1)
    const passes = new Passes(optionsOf(["--manifests=x"]))
    passes.apply([...base, older, ofA, younger].flatMap((object) => changesOf(object, "test")))
    const told = 'Cannot serve path "/" of host "shop.test": HTTPRoute "a/web" has it already'
    expect(said(passes.translation())).toContain(told)
    passes.apply([{ kind: "delete", key: { kind: "HTTPRoute", namespace: "a", name: "web" } }])
    expect(said(passes.translation())).toBe("")
  })

  test.each([
    ["shop.test", "shop.test"],
    ["*.test", "shop.test"],
    [undefined, "shop.test"],
    ["*.test", "a.shop.test"],
  ])("TLS connections for %s are not taken from an Ingress with host %s", (hostname, host) => {
    const own = gateway("b/edge", [{ ...passing, ...(hostname && { hostname }) }])
    const tls = route("TLSRoute", "b/tls", "b/edge", hostname ? { hostnames: [hostname] } : {})
    const { model, problems } = translated([ingress("a/web", `${host}/ → web:80`), own, tls])
    expect(model.live.streams).toEqual([])
    expect(problems.map(({ code }) => code)).toContain("stream-refused")
  })

  test("those for other names are taken", () => {
    const tls = route("TLSRoute", "b/tls", "b/edge", { hostnames: ["mail.test", "shop.test"] })
    const objects = [ingress("a/web", "shop.test/ → web:80"), gateway("b/edge", [passing]), tls]
    const { model } = translated(objects)
    expect(model.live.streams.flatMap(({ names }) => names?.map(({ host }) => host))).toEqual(["mail.test"])
  })

  test("a Gateway brings no certificate for the host of another", () => {
    const data = tlsData
    const first = gateway("a/edge", [https])
    const younger = gateway("b/edge", [{ ...https, hostname: "shop.test" }], 1)
    const pairs = [secret("a/pair", data), secret("b/pair", data)]
    const { model } = translated([...pairs, first, ofA, younger])
    expect(model.live.tlsHosts.filter(({ owner }) => owner === "b")).toEqual([])
  })

  test.each([
    [undefined, "_"],
    ["*.test", "**.test"],
  ])("a listener for %s shows its certificate, but not for the host of an Ingress", (hostname, host) => {
    const own = gateway("b/edge", [{ ...https, ...(hostname && { hostname }) }])
    const routed = route("HTTPRoute", "b/web", "b/edge", { hostnames: ["own.test"] })
    const shop = ingress("a/shop", "shop.test/ → web:80")
    const { model } = translated([secret("b/pair", tlsData), own, routed, shop])
    const shown = new Map(model.live.tlsHosts.map((it) => [it.host, it.certificates.length]))
    expect(shown.get(host)).toBe(1)
    // Of its own it has none, so it is the default one.
    expect(shown.get("shop.test")).toBe(0)
    expect(shown.has("own.test")).toBe(false)
  })

  test("a route has no host that admission-hosts gives to another namespace", () => {
    const objects = [
      settings("wick/settings", { "admission-hosts": "a: shop.test; *: *.apps.test" }),
      gateway("b/edge", [http]),
      route("HTTPRoute", "b/web", "b/edge", { hostnames: ["shop.test", "b.apps.test"] }),
    ]
    const found = translated(objects, "--configmap=wick/settings")
    expect(servers(found, "shop.test")).toEqual([])
    expect(servers(found, "b.apps.test")).toEqual(["b"])
    expect(said(found)).toContain('host "shop.test" is not for namespace "b" (admission-hosts)')
    const all = [...objects.slice(0, 2), route("HTTPRoute", "b/web", "b/edge")]
    expect(said(translated(all, "--configmap=wick/settings"))).toContain("every host is not for")
  })

  describe("a listener has no host that admission-hosts gives to another namespace", () => {
    const rules = settings("wick/settings", { "admission-hosts": "a: *.shop.test; *: *.apps.test" })
    const pair = [rules, secret("b/pair", tlsData)]
    const translatedBy = (...objects: readonly Json[]) =>
      translated([...pair, ...objects], "--configmap=wick/settings", "--default-backend-service=a/web")
    const handshakes = ({ model }: Translation) => model.live.tlsHosts.map(({ host, owner }) => [host, owner])
    const hosts = ({ model }: Translation) =>
      model.live.hosts.flatMap(({ server, host, routes }) =>
        server === "main" ? [[host, routes.length]] : [],
      )

    test("without any route, and neither the certificate", () => {
      const web = ingress("a/web", "*.shop.test/ → web:80")
      const listeners = [http, https].map((it) => ({ ...it, hostname: "pay.shop.test" }))
      const found = translatedBy(web, gateway("b/edge", listeners))
      expect([handshakes(found), hosts(found)]).toEqual([
        handshakes(translatedBy(web)),
        hosts(translatedBy(web)),
      ])
      const told = found.problems.map(({ object, code, field }) => [object.namespace, code, field])
      expect(told).toEqual([0, 1].map((at) => ["b", "host-forbidden", `spec.listeners[${at}].hostname`]))
    })

    test("nor in a ListenerSet, beside a Gateway's that has its routes", () => {
      const edge = gateway("a/edge", [{ ...http, hostname: "*.shop.test" }], 0, {
        spec: { allowedListeners: { namespaces: { from: "All" } } },
      })
      const set = gatewayObject("ListenerSet", "b/set", {
        parentRef: { name: "edge", namespace: "a" },
        listeners: [{ name: "own", ...http, hostname: "pay.shop.test" }],
      })
      const web = route("HTTPRoute", "a/web", "a/edge", { hostnames: ["pay.shop.test"] })
      expect(servers(translatedBy(edge, set, web), "pay.shop.test")).toEqual(["a"])
    })

    test("and for all hosts it has the names of its routes, where its certificate is shown", () => {
      const edge = gateway("b/edge", [http, https])
      const web = route("HTTPRoute", "b/web", "b/edge", { hostnames: ["b.apps.test"] })
      const found = translatedBy(edge, web)
      expect(servers(found, "b.apps.test")).toEqual(["b"])
      expect([handshakes(found), said(found)]).toEqual([[["b.apps.test", "b"]], ""])
      expect(hosts(found)).toEqual([
        ["_", 1],
        ["b.apps.test", 2],
      ])
    })
  })

  test("the default backend is there for what no route of a listener for all hosts serves", () => {
    const root = (...listeners: readonly Json[]) => {
      const found = translated([gateway("b/edge", listeners)], "--default-backend-service=a/web")
      return found.model.live.hosts.find(({ host }) => host === "_")?.routes.map(({ backend }) => backend)
    }
    expect(root(http)).toEqual(["upstream-default-backend"])
    expect(root(http, { ...http, name: "more", hostname: "shop.test" })).toEqual(["upstream-default-backend"])
  })

  test("a route that another listener's isolation leaves without a name takes no certificate away", () => {
    const listeners = [http, { ...http, hostname: "*.shop.test" }]
    const younger = gateway("b/edge", [{ ...https, hostname: "pay.shop.test" }], 1)
    const isolated = route("HTTPRoute", "a/web", "a/edge", {
      parentRefs: [{ name: "edge", sectionName: "l0" }],
      hostnames: ["pay.shop.test"],
    })
    const own = route("HTTPRoute", "b/web", "b/edge", {}, 1)
    const found = translated([
      secret("b/pair", tlsData),
      gateway("a/edge", listeners),
      isolated,
      younger,
      own,
    ])
    expect(servers(found, "pay.shop.test")).toEqual(["b"])
    expect(found.model.live.tlsHosts.map(({ host, owner }) => [host, owner])).toEqual([
      ["pay.shop.test", "b"],
    ])
  })

  test("no Gateway has a port by which another one's Service leads here", () => {
    const flags = optionsOf(["--gateway-port-range=20000-20010"])
    const store = storeWith(flags)
    const shared = { infrastructure: { parametersRef: { group: "", kind: "ConfigMap", name: "shared" } } }
    const other = gateway("b/edge", [{ ...http, port: 20_000, hostname: "shop.test" }], 1, { spec: shared })
    const objects = [
      ...base,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "wick", name: "ingress-controller-leader-gateway-ports" },
        data: { "a.edge": "80=20000" },
      },
      settings("b/shared", { placement: "shared" }),
      gateway("a/edge", [http]),
      ofA,
      other,
      route("HTTPRoute", "b/web", "b/edge", { hostnames: ["shop.test"] }),
    ]
    store.apply(objects.flatMap((object) => changesOf(object, "test")))
    const options = translateOptions({ ...flags, electionId: "ingress-controller-leader" }, new Set(), "wick")
    const found = new Translator(options).translate(store.snapshot(), noFacts, usualSettings)
    expect(servers(found, "shop.test", "http:*:20000")).toEqual(["a"])
    expect(said(found)).toContain("--gateway-port-range has it")
    // Backends are told of the port that clients know.
    expect(found.model.fixed.http.ports.clientPorts).toEqual({ 20000: 80 })
  })
})

test("a record that leads to a port of Ingresses leads nowhere", () => {
  const flags = optionsOf(["--gateway-port-range=20000-20010", "--https-port=20001"])
  const store = storeWith(flags)
  const objects = [
    ...base,
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "wick", name: "ingress-controller-leader-gateway-ports" },
      data: { "b.edge": "443=20001" },
    },
    ingress("a/web", "shop.test/ → web:80"),
    gateway("b/edge", [passing]),
    route("TLSRoute", "b/tls", "b/edge"),
  ]
  store.apply(objects.flatMap((object) => changesOf(object, "test")))
  const options = translateOptions({ ...flags, electionId: "ingress-controller-leader" }, new Set(), "wick")
  const found = new Translator(options).translate(store.snapshot(), noFacts, usualSettings)
  expect(found.model.live.streams).toEqual([])
  expect(said(found)).toContain("Cannot listen on port 443: --https-port has it")
})

describe("with HTTP/3", () => {
  const flags = ["--configmap=wick/settings"]
  const http3 = settings("wick/settings", { "use-http3": "true" })
  const datagrams = (port: number) => [
    gateway("b/udp", [{ port, protocol: "UDP" }], 1),
    route("UDPRoute", "b/udp", "b/udp", {}, 1),
  ]

  test.each([
    ["--gateway-addresses=10.9.0.1"],
    [],
  ])("nobody takes the datagrams of Ingresses (%s)", (...pool) => {
    const found = translated([http3, ...datagrams(443)], ...flags, ...pool)
    expect(found.model.live.streams).toEqual([])
    expect(said(found)).toContain("Cannot listen on port 443: --https-port (HTTP/3) has it")
  })

  test("nor those of an older Gateway; a younger one goes without", () => {
    const asking = { infrastructure: { parametersRef: { group: "", kind: "ConfigMap", name: "quic" } } }
    const own = (age: number) => [
      settings("a/quic", { http3: "true" }),
      secret("a/pair", tlsData),
      gateway("a/edge", [{ ...https, port: 8443 }], age, { spec: asking }),
    ]
    const pool = "--gateway-addresses=10.9.0.1,10.9.0.2"
    const older = translated([http3, ...own(0), ...datagrams(8443)], ...flags, pool)
    expect(older.model.live.streams).toEqual([])
    expect(said(older)).toContain('Cannot listen on port 8443: Gateway "a/edge" (HTTP/3) has it')
    const younger = translated([http3, ...own(2), ...datagrams(8443)], ...flags, pool)
    expect(younger.model.live.streams).toHaveLength(1)
    expect(younger.model.fixed.listeners).toMatchObject([{ scheme: "https", port: 8443 }])
  })

  test("without it they are anybody's", () => {
    const found = translated(datagrams(443), "--gateway-addresses=10.9.0.1")
    expect(found.model.live.streams).toHaveLength(1)
  })
})

describe("with addresses of their own", () => {
  const pool = "--gateway-addresses=10.9.0.1,10.9.0.2"
  const has = (value: string) => ({ status: { addresses: [{ type: "IPAddress", value }] } })
  const asks = (value: string) => ({ spec: { addresses: [{ type: "IPAddress", value }] } })

  test("nobody gets an address by asking for the one that another has", () => {
    const found = translated(
      [gateway("a/edge", [http], 0, has("10.9.0.1")), gateway("b/edge", [http], 1, asks("10.9.0.1"))],
      pool,
    )
    expect(addressesOf(found)).toEqual({ "a/edge": ["10.9.0.1"], "b/edge": [] })
  })

  test("a port stays as nginx reads it for the older one", () => {
    const web = { ...http, port: 8000 }
    const found = translated(
      [
        gateway("a/edge", [web]),
        route("HTTPRoute", "a/web", "a/edge"),
        gateway("b/edge", [{ port: 8000, protocol: "TCP" }], 1),
        route("TCPRoute", "b/web", "b/edge"),
      ],
      pool,
    )
    expect(found.model.fixed.listeners).toEqual([{ scheme: "http", port: 8000 }])
    expect(found.model.live.streams).toEqual([])
    expect(said(found)).toContain('Cannot listen on port 8000: Gateway "a/edge" (requests) has it')
  })

  describe("no listener has a port of Ingresses at an address", () => {
    const own = [
      gateway("b/edge", [http, { ...https, port: 8443 }, passing]),
      secret("b/pair", tlsData),
      route("TLSRoute", "b/tls", "b/edge"),
    ]
    const isApart = (found: Translation) =>
      expect([found.model.live.streams.length, said(found)]).toEqual([1, ""])
    const isWithout = (found: Translation) => {
      expect(found.model.live.streams).toEqual([])
      expect(found.model.fixed.listeners).toEqual([{ scheme: "https", port: 8443 }])
      expect(said(found)).toContain("Cannot listen on port 443: --https-port has it")
      expect(said(found)).toContain("Cannot listen on port 80: --http-port has it")
    }

    test("where these are said to be", () => {
      isApart(translated(own, pool, "--publish-status-address=10.9.0.2"))
      isWithout(translated(own, pool, "--publish-status-address=10.9.0.1"))
    })

    const balanced = { loadBalancer: { ingress: [{ ip: "10.9.0.1" }] } }
    test.each<[string, Json, Json]>([
      ["its load balancer's", { type: "LoadBalancer" }, balanced],
      ["external beside it", { type: "LoadBalancer", externalIPs: ["10.9.0.1"] }, {}],
      ["external", { type: "NodePort", externalIPs: ["10.9.0.1"] }, {}],
    ])("of their Service: %s", (_, spec, status) => {
      const balancer = {
        ...service("a/balancer"),
        spec: { ...(service("a/balancer").spec as Json), ...spec },
      }
      const passes = new Passes(optionsOf(["--manifests=x", pool, "--publish-service=a/balancer"]))
      const pass = (...objects: readonly Json[]) => {
        passes.apply(objects.flatMap((object) => changesOf(object, "test")))
        return passes.translation()
      }
      isApart(pass(...base, ...own, { ...balancer, spec: { type: "LoadBalancer" } }))
      isWithout(pass({ ...balancer, status }))
      isApart(pass({ ...balancer, spec: { ...balancer.spec, externalIPs: ["10.9.0.7"] }, status: {} }))
    })
  })

  test.each([10_246, 10_247, 10_254, 8181])("no listener has port %i of wick's own", (port) => {
    const all = ["HTTP", "TCP"].map((protocol, at) => gateway(`a/g${at}`, [{ port, protocol }], at))
    const flags = ["--status-port=10246", "--default-server-port=8181", "--ui-port=10247"]
    const { model } = translated([...all, route("TCPRoute", "a/tcp", "a/g1")], pool, ...flags)
    expect([model.fixed.listeners ?? [], model.fixed.streams ?? []]).toEqual([[], []])
  })
})

function addressesOf({ statuses }: Translation): Record<string, readonly string[]> {
  const gateways = statuses.filter(({ kind }) => kind === "Gateway")
  return Object.fromEntries(
    gateways.map(({ namespace, name, status }) => {
      const { addresses = [] } = status as { addresses?: readonly { value: string }[] }
      return [`${namespace}/${name}`, addresses.map(({ value }) => value)]
    }),
  )
}

describe("into another namespace", () => {
  test("nothing attaches to a Gateway that does not allow it", () => {
    const closed = gateway("a/edge", [{ ...http, allowedRoutes: undefined }])
    const found = translated([closed, route("HTTPRoute", "b/web", "a/edge", { hostnames: ["shop.test"] })])
    expect(servers(found, "shop.test")).toEqual([])
  })

  test("a policy reads no CA", () => {
    const policy = gatewayObject("BackendTLSPolicy", "b/web", {
      targetRefs: [{ group: "", kind: "Service", name: "web" }],
      validation: {
        hostname: "web.test",
        caCertificateRefs: [{ group: "", kind: "Secret", namespace: "a", name: "pair" }],
      },
    })
    const objects = [
      secret("a/pair", tlsData),
      gateway("b/edge", [http]),
      policy,
      route("HTTPRoute", "b/web", "b/edge"),
    ]
    expect(JSON.stringify(translated(objects).model.fixed)).not.toContain("verifies")
  })

  test("a Gateway reads no parameters", () => {
    const ref = { group: "", kind: "ConfigMap", namespace: "a", name: "shared" }
    const own = gateway("b/edge", [http], 0, { spec: { infrastructure: { parametersRef: ref } } })
    const found = translated(
      [settings("a/shared", { placement: "shared" }), own],
      "--gateway-addresses=10.9.0.1",
    )
    expect(found.model.live.hosts.map(({ server }) => server)).toContain("http:10.9.0.1:80")
  })

  /** What is served with a grant, and after it was taken away, by one controller that goes on. */
  function withdrawn(objects: readonly Json[], given: Json): readonly [Translation, Translation] {
    const passes = new Passes(optionsOf(["--manifests=x", "--gateway-addresses=10.9.0.1"]))
    const sets = [...base, ...objects, given].flatMap((object) => changesOf(object, "test"))
    passes.apply(sets)
    const before = passes.translation()
    const [set] = changesOf(given, "test")
    if (set?.kind !== "set") throw new Error("The grant is none")
    const { kind, meta } = set.object
    passes.apply([{ kind: "delete", key: { kind, namespace: meta.namespace, name: meta.name } }])
    return [before, passes.translation()]
  }

  const edge = gateway("b/edge", [http])
  const foreign = { namespace: "a", name: "web", port: 80 }

  test.each([
    ["backends", { rules: [{ backendRefs: [foreign] }] }],
    ["one of several backends", { rules: [{ backendRefs: [{ name: "web", port: 80 }, foreign] }] }],
    [
      "copies",
      {
        rules: [
          {
            backendRefs: [{ name: "web", port: 80 }],
            filters: [{ type: "RequestMirror", requestMirror: { backendRef: foreign } }],
          },
        ],
      },
    ],
  ])("%s end in the pass in which the grant goes", (_, more) => {
    const own = route("HTTPRoute", "b/web", "b/edge", more)
    const [before, after] = withdrawn([edge, own], grant("a", ["HTTPRoute", "b"], "Service"))
    expect(JSON.stringify(before.model.live)).toContain("10.0.0.1")
    expect(JSON.stringify(after.model.live)).not.toContain("10.0.0.1")
  })

  test.each(["TCP", "UDP"])("so do those of %s", (protocol) => {
    const kind = `${protocol}Route`
    const own = route(kind, "b/web", "b/edge", { rules: [{ backendRefs: [foreign] }] })
    const [before, after] = withdrawn(
      [gateway("b/edge", [{ port: 9000, protocol }]), own],
      grant("a", [kind, "b"], "Service"),
    )
    expect(before.model.live.streams).toHaveLength(1)
    expect(after.model.live.streams).toEqual([])
  })

  test("so do certificates", () => {
    const tls = { certificateRefs: [{ namespace: "a", name: "pair" }] }
    const own = gateway("b/edge", [{ ...https, tls }])
    const [before, after] = withdrawn(
      [own, secret("a/pair", tlsData)],
      grant("a", ["Gateway", "b"], "Secret"),
    )
    expect(before.model.live.certificates).toHaveLength(1)
    expect(after.model.live.certificates).toEqual([])
  })

  test("a grant for a kind, a name or a namespace holds for no other", () => {
    const own = route("HTTPRoute", "b/web", "b/edge", { rules: [{ backendRefs: [foreign] }] })
    for (const given of [
      grant("a", ["GRPCRoute", "b"], "Service"),
      grant("a", ["HTTPRoute", "c"], "Service"),
      grant("a", ["HTTPRoute", "b"], "Secret"),
      grant("b", ["HTTPRoute", "b"], "Service"),
    ])
      expect(JSON.stringify(translated([edge, own, given]).model.live)).not.toContain("10.0.0.1")
  })
})
