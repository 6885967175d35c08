// What clients, and other tenants, try between listeners of Gateways: the host of one asked for at another, by whatever of a request or of a handshake may
// say it, and names and backends taken that are not theirs.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import { ask, type Question } from "../../../harness/http.ts"
import { type Json, manifest, secret, serviceOn, settings } from "../../../harness/manifests.ts"
import { type Identity, rootAuthority } from "../../../harness/pki.ts"
import { freePorts } from "../../../harness/ports.ts"
import { TlsClient, type TlsClientOptions } from "../../../harness/tls-client.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { gateway, gatewayClass, gatewayObject, route } from "../../support/gateway-objects.ts"

const [one, two] = ["127.0.0.1", "127.0.0.2"] as const
const names = ["public", "admin", "other", "wild", "mutual", "tenant"]

let backends: Backends
let wick: Wick
let identity: Identity
let stranger: Identity
let [http, internal, https, mutual] = [0, 0, 0, 0]

const only = (label: string) => ({
  namespaces: { from: "Selector", selector: { matchLabels: { "kubernetes.io/metadata.name": label } } },
})
const ofAddress = (value: string, more: Json = {}) => ({
  spec: { addresses: [{ type: "IPAddress", value }], ...more },
})
const cert = { certificateRefs: [{ name: "cert" }] }

/** To a Service of its name. @param listener absent: to all of the Gateway */
function to(name: string, parent: string, hostname: string, listener?: string, more: Json = {}): Json {
  const [namespace, gatewayName] = parent.split("/")
  const parentRefs = [{ namespace, name: gatewayName, ...(listener && { sectionName: listener }) }]
  const rules = [{ backendRefs: [{ name, port: 80 }] }]
  return route("HTTPRoute", `shop/${name}`, parent, { parentRefs, rules, hostnames: [hostname], ...more })
}

function listenerSet(namespace: string, hostname: string): Json {
  const listeners = [{ name: "taken", port: https, protocol: "HTTPS", hostname, tls: cert }]
  return gatewayObject("ListenerSet", `${namespace}/taking`, {
    parentRef: { namespace: "shop", name: "one" },
    listeners,
  })
}

/** Of namespace `tenant`, to the one Service that it has. @param kind of the parent */
function taking(name: string, hostname: string, parentRef: Json, backend: Json = {}): Json {
  return gatewayObject("HTTPRoute", `tenant/${name}`, {
    parentRefs: [parentRef],
    hostnames: [hostname],
    rules: [{ backendRefs: [{ name: "tenant", port: 80, ...backend }] }],
  })
}

const ofSet = { kind: "ListenerSet", name: "taking" }
const open = { allowedRoutes: { namespaces: { from: "All" } } }
const own = { allowedRoutes: { namespaces: { from: "Same" } } }

function objects(authority: string): readonly Json[] {
  const validation = { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "authority" }] }
  const tls = { frontend: { default: {}, perPort: [{ port: mutual, tls: { validation } }] } }
  return [
    gatewayClass,
    gateway(
      "shop/one",
      [
        { name: "public", port: http, protocol: "HTTP", ...own },
        { name: "internal", port: internal, protocol: "HTTP", hostname: "admin.test", ...own },
        { name: "named", port: https, protocol: "HTTPS", hostname: "public.test", tls: cert, ...own },
        { name: "wild", port: https, protocol: "HTTPS", hostname: "*.test", tls: cert, ...open },
        { name: "mutual", port: mutual, protocol: "HTTPS", hostname: "mutual.test", tls: cert, ...own },
      ],
      0,
      ofAddress(one, { tls, allowedListeners: only("tenant") }),
    ),
    gateway(
      "shop/two",
      [
        { name: "public", port: http, protocol: "HTTP", ...own },
        { name: "named", port: https, protocol: "HTTPS", hostname: "other.test", tls: cert, ...own },
      ],
      1,
      ofAddress(two),
    ),
    to("public", "shop/one", "public.test"),
    to("admin", "shop/one", "admin.test", "internal"),
    to("wild", "shop/one", "*.test", "wild"),
    to("mutual", "shop/one", "mutual.test", "mutual"),
    to("other", "shop/two", "other.test"),
    secret("shop/cert", identity.tlsData()),
    secret("tenant/cert", identity.tlsData()),
    secret("evil/cert", identity.tlsData()),
    settings("shop/authority", { "ca.crt": authority }),
    ...["shop", "tenant", "evil"].map((name) => ({
      ...{ apiVersion: "v1", kind: "Namespace" },
      metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    })),
    ...backends.flatMap(({ name, port }) =>
      serviceOn(`${name === "tenant" ? "tenant" : "shop"}/${name}`, [port]),
    ),
    // one that is let in takes a name that the Gateway has, one that is not let in any
    listenerSet("tenant", "public.test"),
    listenerSet("evil", "*.evil.test"),
    taking("set", "public.test", ofSet),
    taking("below", "shop.public.test", { namespace: "shop", name: "one", sectionName: "named" }),
    taking("across", "public.test", { namespace: "shop", name: "one", sectionName: "public" }),
    taking("within", "public.test", { namespace: "shop", name: "one", sectionName: "wild" }),
    taking("beside", "mutual.test", { namespace: "shop", name: "one", sectionName: "wild" }),
    taking(
      "away",
      "away.test",
      { namespace: "shop", name: "one", sectionName: "wild" },
      {
        namespace: "shop",
        name: "admin",
      },
    ),
  ]
}

beforeAll(async () => {
  const root = await rootAuthority()
  identity = await root.issue({ cn: "client", names: ["public.test"] })
  stranger = await (await rootAuthority()).issue({ cn: "stranger" })
  backends = await startBackends(...names)
  ;[http = 0, internal = 0, https = 0, mutual = 0] = await freePorts(4)
  wick = await startWick({
    manifests: { "all.yaml": manifest(...objects(root.pem)) },
    flags: [`--gateway-addresses=${one},${two}`],
  })
  await until("the last route", async () => (await plain(two, http, { host: "other.test" })) === "200 other")
})
afterAll(async () => {
  await wick?.stop()
  await backends?.stop()
})

const said = ({ status, body }: { status: number; body: string }) =>
  status === 200 ? `${status} ${body}` : `${status}`

async function plain(host: string, port: number, question: Question): Promise<string> {
  return said(await ask({ host, port }, question))
}

/** Several requests on one connection: what is said to the last. */
async function secured(port: number, options: TlsClientOptions, ...questions: Question[]): Promise<string> {
  try {
    await using client = await TlsClient.connect(port, options)
    let last = ""
    for (const question of questions) last = said(await client.ask(question))
    return last
  } catch {
    return "closed"
  }
}

type Attack = readonly [what: string, attack: () => Promise<string>, answer: string]

const absolute = (host: string, header: string): Question => ({ path: `http://${host}/`, host: header })

describe("without TLS", () => {
  const attacks: readonly Attack[] = [
    ["the host itself", () => plain(one, http, { host: "public.test" }), "200 public"],
    ["the host of another port, by Host", () => plain(one, http, { host: "admin.test" }), "404"],
    ["with that port in Host", () => plain(one, http, { host: `admin.test:${internal}` }), "404"],
    ["by an absolute target", () => plain(one, http, absolute("admin.test", "public.test")), "404"],
    [
      "by an absolute target with its port",
      () => plain(one, http, absolute(`admin.test:${internal}`, "public.test")),
      "404",
    ],
    [
      "by Host behind an own target",
      () => plain(one, http, absolute("public.test", "admin.test")),
      "200 public",
    ],
    ["at its own port", () => plain(one, internal, { host: "admin.test" }), "200 admin"],
    ["the host of another address", () => plain(one, http, { host: "other.test" }), "404"],
    ["the other way round", () => plain(two, http, { host: "public.test" }), "404"],
    ["by an absolute target there", () => plain(two, http, absolute("public.test", "other.test")), "404"],
    ["in capitals, with a dot", () => plain(two, http, { host: "PUBLIC.test." }), "404"],
    [
      "by headers that proxies believe",
      () =>
        plain(one, http, {
          host: "public.test",
          headers: {
            "x-forwarded-host": "admin.test",
            "x-forwarded-port": `${internal}`,
            forwarded: "host=admin.test",
          },
        }),
      "200 public",
    ],
    ["the host of a listener with TLS", () => plain(one, http, { host: "mutual.test" }), "404"],
    ["a name that only a wildcard with TLS has", () => plain(one, http, { host: "any.test" }), "404"],
    ["no host that anybody has", () => plain(one, http, { host: "127.0.0.1" }), "404"],
  ]
  test.each(attacks)("%s", async (_, attack, answer) => expect(await attack()).toBe(answer))
})

describe("by TLS", () => {
  const of = (servername: string, more: TlsClientOptions = {}) => ({ servername, ...more })
  const h2 = { protocol: "h2" } as const
  const there = (more: TlsClientOptions = {}) => of("other.test", { host: two, ...more })
  const attacks: readonly Attack[] = [
    ["the host itself", () => secured(https, of("public.test"), { host: "public.test" }), "200 public"],
    ["a name of the wildcard", () => secured(https, of("any.test"), { host: "any.test" }), "200 wild"],
    [
      "a host of another listener than the handshake's",
      () => secured(https, of("any.test"), { host: "public.test" }),
      "421",
    ],
    [
      "the same on a connection that has been answered",
      () => secured(https, of("any.test"), { host: "any.test" }, { host: "public.test" }),
      "421",
    ],
    [
      "the same by HTTP/2",
      () => secured(https, of("any.test", h2), { host: "any.test" }, { host: "public.test" }),
      "421",
    ],
    ["the other way round", () => secured(https, of("public.test"), { host: "any.test" }), "421"],
    [
      "by an absolute target",
      () => secured(https, of("any.test"), { path: "https://public.test/", host: "any.test" }),
      "421",
    ],
    ["without a server name", () => secured(https, {}, { host: "public.test" }), "421"],
    ["with the name of nobody", () => secured(https, of("nobody.example"), { host: "public.test" }), "421"],
    [
      "an authority of HTTP/2 and another Host",
      () => secured(https, of("any.test", h2), { host: "any.test", headers: { host: "public.test" } }),
      "400",
    ],
    ["the host of another address", () => secured(https, there(), { host: "public.test" }), "421"],
    ["the same by HTTP/2", () => secured(https, there(h2), { host: "public.test" }), "421"],
    [
      "a handshake for it there",
      () => secured(https, there({ servername: "public.test" }), { host: "public.test" }),
      "404",
    ],
  ]
  test.each(attacks)("%s", async (_, attack, answer) => expect(await attack()).toBe(answer))
})

describe("where clients have to show a certificate", () => {
  const shown = () => ({ servername: "mutual.test", identity })
  const [h1, h2] = ["h1", "h2"] as const
  const asks = { host: "mutual.test" }
  const attacks: readonly Attack[] = [
    ["who shows it", () => secured(mutual, shown(), asks), "200 mutual"],
    ["who shows none", () => secured(mutual, { servername: "mutual.test" }, asks), "closed"],
    [
      "who shows one of a stranger",
      () => secured(mutual, { ...shown(), identity: stranger }, asks),
      "closed",
    ],
    ["a handshake without a name", () => secured(mutual, {}, asks), "421"],
    ["a handshake for another name", () => secured(mutual, { servername: "any.test" }, asks), "421"],
    ...[h1, h2].map(
      (protocol): Attack => [
        `another port, ${protocol}: a route of the wildcard there has the name`,
        () => secured(https, { servername: "mutual.test", protocol }, asks),
        "200 tenant",
      ],
    ),
    [
      "a connection kept from another port's name",
      () => secured(https, { servername: "any.test" }, { host: "any.test" }, asks),
      "200 tenant",
    ],
    ["without TLS", () => plain(one, mutual, asks), "400"],
    [
      "a session of the port that asks for nothing",
      async () => {
        await using client = await TlsClient.connect(https, { servername: "mutual.test" })
        await client.ask(asks)
        return await secured(mutual, { servername: "mutual.test", session: await client.session() }, asks)
      },
      "closed",
    ],
  ]
  test.each(attacks)("%s", async (_, attack, answer) => expect(await attack()).toBe(answer))
})

describe("other namespaces", () => {
  const attacks: readonly Attack[] = [
    [
      "a ListenerSet that is let in takes no name that the Gateway has",
      () => secured(https, { servername: "public.test" }, { host: "public.test" }),
      "200 public",
    ],
    [
      "one that is not let in takes none",
      () => secured(https, { servername: "a.evil.test" }, { host: "a.evil.test" }),
      "200 wild",
    ],
    [
      "a route under a wildcard takes no name that another listener has",
      () => secured(https, { servername: "public.test" }, { host: "public.test", path: "/" }),
      "200 public",
    ],
    [
      "a route to a listener that is for its own namespace",
      () => plain(one, http, { host: "public.test" }),
      "200 public",
    ],
    [
      "a route to somebody else's backend without a grant",
      () => secured(https, { servername: "away.test" }, { host: "away.test" }),
      "500",
    ],
  ]
  test.each(attacks)("%s", async (_, attack, answer) => expect(await attack()).toBe(answer))

  test("are told", () => {
    const log = wick.log()
    for (const code of [
      "listener-conflict",
      "listener-set-refused",
      "route-detached",
      "reference-not-permitted",
    ])
      expect(log).toContain(`"code":"${code}"`)
  })
})
