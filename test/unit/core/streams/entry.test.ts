import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseEntry, portsNamedBy } from "../../../../controller/core/streams/entry.ts"

function entry(key: string, value: string, protocol: "tcp" | "udp" = "tcp") {
  const parsed = parseEntry(key, value, protocol)
  return parsed.kind === "entry" ? { ...parsed.entry, ignored: parsed.ignored !== undefined } : parsed.reason
}

const plain = {
  port: 9000,
  service: { namespace: "shop", service: "db", servicePort: "5432" },
  acceptsProxyProtocol: false,
  settings: {},
  ignored: false,
}

describe("an entry of TCP services", () => {
  test.for<[key: string, value: string, difference: object]>([
    ["9000", "shop/db:5432", {}],
    ["9000", "shop/db:postgres", { service: named("db", "postgres") }],
    ["09000", "shop/db:5432", {}],
    ["+9000", "shop/db:5432", {}],
    ["9000", "shop/db:5432:PROXY", { acceptsProxyProtocol: true }],
    ["9000", "shop/db:5432:proxy", { acceptsProxyProtocol: true }],
    ["9000", "shop/db:5432:PROXY:Proxy", { acceptsProxyProtocol: true, sendsProxyProtocol: "v1" }],
    ["9000", "shop/db:5432::PROXY", { sendsProxyProtocol: "v1" }],
    ["9000", "shop/db:5432:", {}],
    ["9000", "shop/db:5432:PROXI", { ignored: true }],
    ["9000", "shop/db:5432: PROXY", { ignored: true }],
    ["9000", "shop/db:5432::PROXI", { ignored: true }],
    ["9000", "shop/db:5432:PROXY:PROXY:", { acceptsProxyProtocol: true, ignored: true }],
  ])("%s: %s", ([key, value, difference]) => {
    expect(entry(key, value)).toEqual({ ...plain, ...difference })
  })

  test.for([
    "",
    "abc",
    "0",
    "-1",
    "65536",
    "90.5",
    "0x50",
    "9e3",
    " 9000",
    "9000 ",
    "9_000",
  ])("has no port in key %j", (key) => {
    expect(entry(key, "shop/db:5432")).toMatch(/is no port: write a number from 1 to 65535$/)
  })

  test.for([
    "",
    "shop/db",
    "shop/db:",
    "db:5432",
    "/db:5432",
    "shop/:5432",
    "shop/db/x:5432",
    "shop/db :5432",
    "shop/db: 5432",
    "shop/db:5432\n",
    "Shop/db:5432",
    "shop/db:5432;",
  ])("names no Service port in %j", (value) => {
    expect(entry("9000", value)).toMatch(/names no port of a Service: write namespace\/service:port/)
  })
})

test("UDP knows no PROXY protocol", () => {
  expect(entry("9000", "shop/db:5432", "udp")).toEqual(plain)
  expect(entry("9000", "shop/db:5432:PROXY:PROXY", "udp")).toEqual({ ...plain, ignored: true })
})

test("any texts are read or refused, and what is read holds nothing but names and numbers", () => {
  const word = fc.constantFrom(
    '{"service":"',
    '"}',
    "shop",
    "db",
    "a-b",
    "80",
    "PROXY",
    ":",
    "/",
    " ",
    ";",
    "\n",
    "{",
    "",
    "é",
  )
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.array(word, { maxLength: 9 }).map((it) => it.join("")),
  )
  const key = fc.oneof(text, fc.integer().map(String))
  fc.assert(
    fc.property(key, text, fc.constantFrom("tcp" as const, "udp" as const), (written, value, protocol) => {
      const parsed = parseEntry(written, value, protocol)
      if (parsed.kind === "refused") return parsed.reason !== ""
      const { port } = parsed.entry
      const texts = portsNamedBy(parsed.entry).flatMap((it) => Object.values(it) as string[])
      const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
      return isPort && texts.length >= 3 && texts.every((name) => /^[A-Za-z0-9-]+$/.test(name))
    }),
    { seed: 34, numRuns: 5000 },
  )
})

describe("an entry as JSON", () => {
  const json = (value: object) => JSON.stringify({ service: "shop/db:5432", ...value })

  test.for<[value: object, difference: object]>([
    [{}, {}],
    [
      { proxyProtocol: { accept: true, send: "v2" } },
      { acceptsProxyProtocol: true, sendsProxyProtocol: "v2" },
    ],
    [{ proxyProtocol: {} }, {}],
    [{ loadBalance: "least_conn" }, { loadBalance: "least_conn" }],
    [{ loadBalance: "wasm/spill-over" }, { loadBalance: "wasm/spill-over" }],
    [
      { policyConfig: "share=3", loadBalance: "wasm/spill-over" },
      { loadBalance: "wasm/spill-over", policyConfig: "share=3" },
    ],
    [
      { tls: { secret: "shop/tls", alpn: ["h2"], clients: { secret: "shop/ca" } } },
      { tls: { secret: "shop/tls", alpn: ["h2"], clients: { secret: "shop/ca", verify: "on", depth: 1 } } },
    ],
    [
      {
        backendTls: {
          name: "db.internal",
          names: ["a.internal"],
          secret: "shop/ca",
          verify: false,
          depth: 3,
        },
      },
      {
        backendTls: {
          name: "db.internal",
          names: ["a.internal"],
          secret: "shop/ca",
          verify: false,
          depth: 3,
        },
      },
    ],
    [
      { names: { "a.test": { service: "shop/a:1", tls: { secret: "shop/tls" } }, "b.test": "shop/b:1" } },
      {
        names: [
          {
            host: "a.test",
            service: { namespace: "shop", service: "a", servicePort: "1" },
            tls: { secret: "shop/tls" },
          },
          { host: "b.test", service: { namespace: "shop", service: "b", servicePort: "1" } },
        ],
      },
    ],
    [
      { upstreamHashBy: "$remote_addr", slowStart: "10s", outlierEjection: { failures: 3 } },
      {
        balancing: {
          hashBy: { key: "$remote_addr" },
          slowStartMs: 10_000,
          outlierEjection: { failures: 3, ejectionMs: 30_000 },
        },
      },
    ],
    [{ drain: "0" }, { settings: { drainMs: 0 } }],
    [{ drain: "30s" }, { settings: { drainMs: 30_000 } }],
    [
      { timeout: "1h", connectTimeout: "300ms" },
      { settings: { timeoutMs: 3_600_000, connectTimeoutMs: 300 } },
    ],
    [
      { connections: 5, connectionsPerSecond: 2, uploadRate: "1m", downloadRate: "0" },
      { settings: { connections: 5, connectionsPerSecond: 2, uploadBytes: 1 << 20, downloadBytes: 0 } },
    ],
    [
      { allow: ["10.0.0.1"], deny: ["10.0.0.0/8"] },
      { settings: { allow: list("10.0.0.1/32"), deny: list("10.0.0.0/8") } },
    ],
  ])("%j", ([value, difference]) => {
    expect(entry("9000", ` ${json(value)}\n`)).toEqual({ ...plain, ...difference })
  })

  test("names Services by server name, and perhaps one for all others", () => {
    const names = { "b.test": "shop/b:1", "*.a.test": "shop/a:web" }
    const read = [
      { host: "*.a.test", service: named("a", "web") },
      { host: "b.test", service: named("b", "1") },
    ]
    expect(entry("9000", json({ names }))).toEqual({ ...plain, names: read })
    const { service, ...alone } = plain
    expect(entry("9000", JSON.stringify({ names }))).toEqual({ ...alone, names: read })
  })

  test("has words for datagrams", () => {
    const settings = { responses: 0, requests: 3 }
    expect(entry("9000", json(settings), "udp")).toEqual({ ...plain, settings })
  })

  test.for<[value: string, reason: RegExp]>([
    ["{", /^it is no JSON: /],
    ["{}", /^"service" is missing: /],
    ['{"service": 5}', /^of "service": write a text/],
    ['{"service": "shop/db:5432:PROXY"}', /^"shop\/db:5432:PROXY" names no port/],
    [json({ names: { "a.test": "shop/db" } }), /^"shop\/db" names no port/],
    [json({ names: {} }), /^of "names": write /],
    [json({ names: { "A test": "shop/db:1" } }), /^of "names": for "A test" write a DNS name/],
    [json({ names: { "a.test": 1 } }), /^of "names": write /],
    [json({ allows: ["10.0.0.1"] }), /^there is no "allows": write service, names, /],
    [json({ __proto__: null, constructor: 1 }), /^there is no "constructor"/],
    [json({ allow: [] }), /^of "allow": write a list/],
    [json({ allow: ["10.0.0.x"] }), /^of "allow": for "10.0.0.x" write an IP address/],
    [json({ connections: 0 }), /^of "connections": write a whole number from 1/],
    [json({ connections: 1.5 }), /^of "connections"/],
    [json({ timeout: "0" }), /^of "timeout": write a duration from 1ms/],
    [json({ timeout: 5 }), /^of "timeout": write a text/],
    [json({ loadBalance: "random" }), /^of "loadBalance": write round_robin or /],
    [json({ loadBalance: "wasm/a.b" }), /^of "loadBalance": write the name of a policy: /],
    [json({ loadBalance: "ewma", policyConfig: "x" }), /^"policyConfig" needs "loadBalance" with wasm\//],
    [json({ policyConfig: 3 }), /^of "policyConfig": write a text in quotes/],
    [json({ proxyProtocol: true }), /^of "proxyProtocol": write /],
    [json({ proxyProtocol: { send: "v3" } }), /^of "proxyProtocol": write /],
    [json({ proxyProtocol: { accepts: true } }), /^of "proxyProtocol": write /],
    [json({ responses: 1 }), /^of "responses": it is about datagrams/],
    [json({ tls: {} }), /^of "tls": write {"secret": /],
    [json({ tls: { secret: "shop" } }), /^of "tls": of "secret": write namespace\/name/],
    [json({ tls: { secret: "shop/a", alpn: [] } }), /^of "tls": of "alpn": write a list/],
    [json({ tls: { secret: "shop/a", alpn: ["h 2"] } }), /^of "tls": of "alpn"/],
    [json({ tls: { secret: "shop/a", clients: {} } }), /^of "tls": of "clients": write /],
    [
      json({ tls: { secret: "shop/a", clients: { secret: "shop/b", verify: "off" } } }),
      /of "verify": write "on"/,
    ],
    [json({ tls: { secret: "shop/a", mode: "x" } }), /^of "tls": there is no "mode"/],
    [json({ backendTls: { verify: true } }), /^of "backendTls": "verify" needs a "secret"/],
    [json({ backendTls: { name: "10.0.0.1 " } }), /^of "backendTls": of "name": write a host name/],
    [json({ names: { "a.test": { service: "shop/db:1", tls: 1 } } }), /for "a.test" of "tls": write /],
    [json({ names: { "a.test": { service: "shop/db:1", allow: [] } } }), /for "a.test" there is no "allow"/],
    [json({ upstreamHashBy: "$request_uri" }), /^of "upstreamHashBy": write \$remote_addr/],
    [json({ outlierEjection: 3 }), /^of "outlierEjection": write {"failures": 5/],
    [json({ outlierEjection: { failures: 1001 } }), /^of "outlierEjection": write/],
    [json({ drain: "-1s" }), /^of "drain": write a duration/],
  ])("%s is refused", ([value, reason]) => {
    expect(entry("9000", value)).toMatch(reason)
  })
})

function named(service: string, servicePort: string) {
  return { namespace: "shop", service, servicePort }
}

function list(...ranges: readonly string[]) {
  return { id: expect.any(String), ranges }
}
