/** What namespaces are charged with is not less than what their records take, in the records that the release filter writes. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { liveChange } from "../../controller/core/plan/change.ts"
import { zoneNames } from "../../controller/model/http/processes.ts"
import { emptyLive, type Live } from "../../controller/model/model.ts"
import type { Host, Route } from "../../controller/model/route.ts"
import type { Script } from "../../controller/model/route-records.ts"
import { SecretText } from "../../controller/model/secret-file.ts"
import type { ControlClient } from "../../controller/output/control/client.ts"
import { Control } from "../../controller/output/control/control.ts"
import { accountsOf } from "../../controller/output/control/shares/within-shares.ts"
import { runs } from "../support/runs.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

/** Of a node in the store, beside key and value, with what rounding costs (nginx/kv/src/entries.rs). */
const nodeBytes = 40 + 8 + 15

const text = fc.string({ unit: fc.constantFrom("a", "/", "é", "€"), maxLength: 40 })
const name = fc.stringMatching(/^[a-z]{1,20}$/)
const sketch = fc.record({
  hosts: fc.uniqueArray(name, { maxLength: 6 }),
  paths: fc.uniqueArray(text, { minLength: 1, maxLength: 6 }),
  routesOfLarge: fc.constantFrom(0, 0, 300),
  header: text,
  variable: text,
  ranges: fc.uniqueArray(fc.integer({ min: 1, max: 128 }), { minLength: 1, maxLength: 20 }),
  users: fc.uniqueArray(name, { minLength: 1, maxLength: 10 }),
  endpoints: fc.nat(30),
  der: fc.uint8Array({ minLength: 4, maxLength: 200 }),
})
type Sketch = typeof sketch extends fc.Arbitrary<infer T> ? T : never

function routeOf(path: string, { header, variable }: Sketch): Route {
  return {
    path,
    match: "prefix",
    location: "location-1",
    backend: "app",
    namespace: "shop",
    ingressName: "web",
    serviceName: "app",
    servicePort: "80",
    locationPath: path,
    rewrite: header,
    variables: { upstreamVhost: variable, connection: header },
    headers: [{ name: "x-text", value: header }],
    access: { allow: "list", basic: { users: "users", realm: variable } },
    limits: { key: "00ff00ff00ff00ff00ff00ff00ff00ff", rps: 1, burstMultiplier: 5, exempt: "list" },
    script: scriptOf(header, variable),
    overrides: { clientMaxBodyBytes: 1, proxyReadTimeoutMs: 1, proxyBuffering: true },
  }
}

function scriptOf(header: string, variable: string): Script {
  return {
    steps: [
      { op: "if", value: "$arg_a", test: "equal", against: header, skip: 1, level: 1 },
      { op: "return", code: 200, value: variable },
    ],
    levels: [
      { responseHeaders: [{ op: "add", name: "x-text", value: header }] },
      { errorPages: [{ codes: [404, 502], code: 0, to: `@${variable}` }], hides: ["x-text"] },
    ],
  }
}

function scriptOfHost({ header, variable }: Sketch): NonNullable<Host["script"]> {
  const steps = [
    { op: "set", name: "a", value: header },
    { op: "return", code: 200, value: variable },
  ] as const
  return { steps, levels: [{ defaultType: "text/plain" }], namespace: "shop", ingressName: "web" }
}

function liveOf(it: Sketch): Live {
  const paths = [
    ...it.paths.map((path) => `/${path}`),
    ...Array.from({ length: it.routesOfLarge }, (_, n) => `/n/${n}`),
  ]
  const der = Buffer.from(it.der).toString("base64")
  const hosts: Host[] = it.hosts.sort().map((host, at) => {
    const own = { server: "main", host: `${host}.test` }
    return at === 1
      ? { ...own, routes: [], aliasOf: `${it.hosts[0]}.test`, owner: "shop" }
      : {
          ...own,
          ...(at === 2 && { script: scriptOfHost(it) }),
          routes: paths.map((path) => routeOf(path, it)),
        }
  })
  const list = { id: "list", ranges: it.ranges.map((bits) => `::/${bits}`) }
  const users = {
    id: "users",
    users: it.users.sort().map((name) => ({ name, hash: new SecretText("{PLAIN}x") })),
  }
  const isUsed = hosts.length > 0
  const endpoints = Array.from({ length: it.endpoints }, (_, at) => ({ address: `::${at + 1}`, port: 80 }))
  return {
    ...emptyLive,
    hosts,
    addressLists: isUsed ? [list] : [],
    userLists: isUsed ? [users] : [],
    backends: isUsed ? [{ name: "app", loadBalance: "ewma", endpoints, slowStartMs: 1000 }] : [],
    certificates: isUsed ? [{ id: "c", chain: [der, der], key: new SecretText(der) }] : [],
    staples: isUsed ? [{ certificate: "c", response: der, untilMs: 1 }] : [],
    authorities: isUsed ? [{ id: "a", certificates: [der], crls: [der] }] : [],
    tlsHosts: hosts.map(({ host }) => ({
      host,
      owner: "shop",
      certificates: ["c"],
      clientCertificate: { authority: "a", verify: "on", depth: 1 },
    })),
    passthroughs: hosts.map(({ host }) => ({ host, owner: "shop", backend: "shop-app-443" })),
  }
}

async function storedBytes(live: Live): Promise<Readonly<Record<string, number>>> {
  const zones = new Zones()
  const worker = new Worker({ zones })
  const post = async (_: string, body: string) => worker.post("/configuration/changes", body)
  const get = async (path: string) => worker.get(path)
  const client = { post, get, reconnect() {} } as unknown as ControlClient
  const { refusals } = await new Control({ client, events: { posted() {} } }).apply(
    emptyLive,
    live,
    liveChange(emptyLive, live),
  )
  expect(refusals).toEqual([])
  const sums = Object.fromEntries(zoneNames.map((zone) => [zone, 0]))
  for (const [key, value] of zones.all()) {
    const zone = key.slice(0, key.indexOf("/"))
    if (!key.endsWith("/:generation")) sums[zone] = (sums[zone] ?? 0) + nodeBytes + key.length + value.length
  }
  return sums
}

test("no record takes more than is reckoned, nor much less", () =>
  fc.assert(
    fc.asyncProperty(sketch, async (it) => {
      const live = liveOf(it)
      const stored = await storedBytes(live)
      for (const zone of zoneNames) {
        const reckoned = accountsOf(live)[zone].wanted.get("shop") ?? 0
        expect(reckoned, zone).toBeGreaterThanOrEqual(stored[zone] ?? 0)
        expect(reckoned, zone).toBeLessThanOrEqual(2 * (stored[zone] ?? 0))
      }
    }),
    runs(60),
  ))
