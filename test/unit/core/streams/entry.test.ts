import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseEntry } from "../../../../controller/core/streams/entry.ts"

function entry(key: string, value: string, protocol: "tcp" | "udp" = "tcp") {
  const parsed = parseEntry(key, value, protocol)
  return parsed.kind === "entry" ? { ...parsed.entry, ignored: parsed.ignored !== undefined } : parsed.reason
}

const plain = {
  port: 9000,
  namespace: "shop",
  service: "db",
  servicePort: "5432",
  acceptsProxyProtocol: false,
  settings: {},
  ignored: false,
}

describe("an entry of TCP services", () => {
  test.for<[key: string, value: string, difference: object]>([
    ["9000", "shop/db:5432", {}],
    ["9000", "shop/db:postgres", { servicePort: "postgres" }],
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
      const { port, namespace, service, servicePort } = parsed.entry
      const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
      return isPort && [namespace, service, servicePort].every((name) => /^[A-Za-z0-9-]+$/.test(name))
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

  test("has words for datagrams", () => {
    const settings = { responses: 0, requests: 3 }
    expect(entry("9000", json(settings), "udp")).toEqual({ ...plain, settings })
  })

  test.for<[value: string, reason: RegExp]>([
    ["{", /^it is no JSON: /],
    ["{}", /^"service" is missing: /],
    ['{"service": 5}', /^of "service": write a text/],
    ['{"service": "shop/db:5432:PROXY"}', /^of "service": .* names no port/],
    [json({ allows: ["10.0.0.1"] }), /^there is no "allows": write service, proxyProtocol, /],
    [json({ __proto__: null, constructor: 1 }), /^there is no "constructor"/],
    [json({ allow: [] }), /^of "allow": write a list/],
    [json({ allow: ["10.0.0.x"] }), /^of "allow": for "10.0.0.x" write an IP address/],
    [json({ connections: 0 }), /^of "connections": write a whole number from 1/],
    [json({ connections: 1.5 }), /^of "connections"/],
    [json({ timeout: "0" }), /^of "timeout": write a duration from 1ms/],
    [json({ timeout: 5 }), /^of "timeout": write a text/],
    [json({ loadBalance: "random" }), /^of "loadBalance": write round_robin or /],
    [json({ proxyProtocol: true }), /^of "proxyProtocol": write /],
    [json({ proxyProtocol: { send: "v3" } }), /^of "proxyProtocol": write /],
    [json({ proxyProtocol: { accepts: true } }), /^of "proxyProtocol": write /],
    [json({ responses: 1 }), /^of "responses": it is about datagrams/],
  ])("%s is refused", ([value, reason]) => {
    expect(entry("9000", value)).toMatch(reason)
  })
})

function list(...ranges: readonly string[]) {
  return { id: expect.any(String), ranges }
}
