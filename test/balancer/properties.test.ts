/** What holds for any input: the control API never traps and reads JSON as RFC 8259 says, addresses as RFC 4291 and 5952 say. */
import { isIP } from "node:net"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../support/runs.ts"
import { backend, change, counts, type PostedBackend, type PostedHost, setBackends } from "./build.ts"
import { type Answer, Worker } from "./host.ts"
import { postedClientCertificate, postedRoute } from "./routes.ts"
import { algorithmOf, settings } from "./settings.ts"

const CHANGES = "/configuration/changes"

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/)
const hostName = fc.oneof(
  fc.constant("_"),
  label,
  fc.tuple(label, label).map(([a, b]) => `*.${a}.${b}`),
)
const text = fc.string({ unit: "grapheme", maxLength: 12 })
const address = fc.oneof(fc.ipV4(), fc.ipV6())

const backendName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter((name) => !name.startsWith(":"))

const postedBackend = fc.record(
  {
    name: backendName,
    "load-balance": fc.constantFrom("round_robin", "ewma", "least_conn", "p2c", "custom"),
    ...settings({ label, hostName, backendName }),
    endpoints: fc.array(
      fc.record(
        {
          address,
          port: fc.integer({ min: 1, max: 65535 }).chain((port) => fc.constantFrom(port, String(port))),
          weight: fc.integer({ min: 1, max: 100 }),
          zone: fc.constantFrom("ours", "another"),
        },
        { requiredKeys: ["address", "port"] },
      ),
      { maxLength: 12 },
    ),
  },
  { requiredKeys: ["name"] },
) as fc.Arbitrary<PostedBackend>

const postedHost = fc.record(
  {
    host: hostName,
    server: label,
    routes: fc.array(postedRoute({ label, text }), { maxLength: 6 }),
    client_certificate: postedClientCertificate,
  },
  { requiredKeys: ["host", "routes"] },
) as fc.Arbitrary<PostedHost>

const changeOf = (backends: PostedBackend[], hosts: PostedHost[]) =>
  change({ backends: { set: backends }, routes: { set: hosts } })

function shown(worker: Worker, path: string): { [field: string]: unknown }[] {
  return JSON.parse(worker.get(path).body)
}

/** A refusal that says where, or an acceptance; anything else is a fault. */
function expectAnswer(answer: Answer, bytes: number): void {
  expect([201, 400, 409]).toContain(answer.status)
  if (answer.status !== 400) return
  const { error, offset } = JSON.parse(answer.body)
  expect(error).toMatch(/\S/)
  expect(offset).toBeGreaterThanOrEqual(0)
  expect(offset).toBeLessThanOrEqual(bytes)
}

test("any bytes are answered", () => {
  const worker = new Worker()
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (body) => {
      for (const path of [CHANGES, "/configuration/backends"])
        expectAnswer(worker.post(path, body), body.length)
    }),
    runs(500),
  )
})

test("a damaged change is answered, and a refused one writes nothing", () => {
  const damage = fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 4 }))
  fc.assert(
    fc.property(postedBackend, postedHost, fc.array(damage, { maxLength: 3 }), (backend, host, damages) => {
      const worker = new Worker()
      let body = Buffer.from(JSON.stringify(changeOf([backend], [host])))
      for (const [at, cut, put] of damages) {
        const from = at % body.length
        body = Buffer.concat([body.subarray(0, from), put, body.subarray(Math.min(body.length, from + cut))])
      }
      if (body.length === 0) return
      const answer = worker.post(CHANGES, body)
      expectAnswer(answer, body.length)
      if (answer.status !== 201) expect(worker.zones.version).toBe(0n)
    }),
    runs(400),
  )
})

test("JSON is what JSON.parse takes, but for keys twice, halves of surrogate pairs and great depth", () => {
  const worker = new Worker()
  const stricter = /is there twice$|^Half of a surrogate pair$|nested too deep$/
  const json = fc.json({ maxDepth: 4 })
  const snippet = fc.constantFrom(
    "",
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "0",
    "-",
    ".",
    "e",
    " ",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\t",
  )
  fc.assert(
    fc.property(json, fc.nat(), fc.nat({ max: 2 }), snippet, (value, at, cut, put) => {
      const from = at % (value.length + 1)
      const damaged = value.slice(0, from) + put + value.slice(from + cut)
      const answer = worker.post("/configuration/backends", `[{"name":"a","service":${damaged}}]`)
      if (answer.status === 400 && stricter.test(JSON.parse(answer.body).error)) return
      expect(answer.status, damaged).toBe(isJson(damaged) ? 201 : 400)
    }),
    runs(1500),
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test("what is posted is shown again, defaults filled in", () => {
  const unique = <T>(items: fc.Arbitrary<T>, key: (item: T) => string) =>
    fc.uniqueArray(items, { maxLength: 5, selector: key })
  const place = ({ server = "main", host }: PostedHost) => `${server}/${host}`
  fc.assert(
    fc.property(
      unique(postedBackend, ({ name }) => name),
      unique(postedHost, place),
      (backends, hosts) => {
        const worker = new Worker()
        expect(worker.post(CHANGES, changeOf(backends, hosts)).status).toBe(201)
        for (const backend of backends) {
          const path = `/configuration/backends?name=${encodeURIComponent(backend.name)}`
          expect(shown(worker, path)).toEqual([withDefaults(backend)])
        }
        for (const host of hosts) {
          const path = `/configuration/routes?host=${host.host}&server=${host.server ?? "main"}`
          expect(shown(worker, path)).toEqual([{ server: "main", ...withoutEmpty(host) }])
        }
        expect(shown(worker, "/configuration/backends")).toHaveLength(backends.length)
        expect(shown(worker, "/configuration/routes")).toHaveLength(hosts.length)
      },
    ),
    runs(100),
  )
})

function withDefaults({ name, endpoints = [], ...settings }: PostedBackend) {
  return {
    ...settings,
    name,
    "load-balance": algorithmOf(settings),
    endpoints: endpoints.map(({ address, port, weight = 1, ...zone }) => ({
      address: canonical(address),
      port: String(port),
      weight,
      ...zone,
    })),
  }
}

test("what is shown of a backend, in any order, makes the same record again", () => {
  fc.assert(
    fc.property(postedBackend, fc.infiniteStream(fc.nat()), (backend, numbers) => {
      const worker = new Worker()
      setBackends(worker, backend)
      const record = worker.zones.get(`backends/${backend.name}`)?.value
      for (const back of shown(worker, "/configuration/backends")) {
        expect(worker.post("/configuration/backends", [shuffled(back, numbers)]).status).toBe(201)
      }
      expect(worker.zones.get(`backends/${backend.name}`)?.value).toEqual(record)
    }),
    runs(100),
  )
})

test("what is shown of a host makes the same record again", () => {
  fc.assert(
    fc.property(postedHost, fc.infiniteStream(fc.nat()), (host, numbers) => {
      const worker = new Worker()
      const post = (hosts: unknown[]) =>
        worker.post(CHANGES, change({ routes: { set: hosts as PostedHost[] } })).status
      const routes = host.routes.map((route) => shuffled(route, numbers))
      const own = host.client_certificate && {
        client_certificate: shuffled(host.client_certificate, numbers),
      }
      expect(post([{ ...host, ...own, routes }])).toBe(201)
      const key = `routes/${host.server ?? "main"}/${host.host}`
      const record = worker.zones.get(key)?.value
      expect(post(shown(worker, "/configuration/routes"))).toBe(201)
      expect(worker.zones.get(key)?.value).toEqual(record)
    }),
    runs(100),
  )
})

/** The same fields in another order; lists and `locations`, whose order the record keeps, stay. */
function shuffled(value: unknown, numbers: fc.Stream<number>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).map(([name, field]) => ({
    name,
    field: name === "locations" ? field : shuffled(field, numbers),
    place: numbers.next().value,
  }))
  fields.sort((a, b) => a.place - b.place)
  return Object.fromEntries(fields.map(({ name, field }) => [name, field]))
}

/** Lists and objects without a field, and what is false by itself, leave nothing in the record. */
function withoutEmpty(host: PostedHost): PostedHost {
  const isKept = ([name, value]: [string, unknown]) =>
    name === "log_rewrite" || name === "rewrite_raw"
      ? value
      : typeof value !== "object" || Object.keys(value ?? {}).length > 0
  const routes = host.routes.map((route) => Object.fromEntries(Object.entries(route).filter(isKept)))
  return { ...host, routes } as PostedHost
}

/** Node's URL prints addresses in the canonical form. */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

test("an address is what Node takes for one, and shown in the canonical form", () => {
  const part = fc.constantFrom(
    "::",
    ":",
    ".",
    "0",
    "1",
    "00ab",
    "ffff",
    "FFFF",
    "10000",
    "255",
    "256",
    "10.0.0.1",
    "g",
    "%",
    " ",
    "[",
    "]",
  )
  const alike = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""))
  const damaged = fc
    .tuple(fc.ipV6(), fc.nat(), fc.nat({ max: 2 }), part)
    .map(
      ([text, at, cut, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + cut),
    )
  const groups = fc.array(fc.constantFrom("0", "0", "0", "1", "ab"), { minLength: 8, maxLength: 8 })
  const worker = new Worker()
  fc.assert(
    fc.property(
      fc.oneof(
        address,
        alike,
        damaged,
        groups.map((list) => list.join(":")),
      ),
      (text) => {
        const endpoints = [{ address: text, port: 80 }]
        const answer = worker.post("/configuration/backends", [{ name: "a", endpoints }])
        const isZoned = text.includes("%")
        const literal = /^\[.+\]$/.test(text) && isIP(text.slice(1, -1)) === 6 ? text.slice(1, -1) : text
        expect(answer.status, text).toBe(isIP(literal) !== 0 && !isZoned ? 201 : 400)
        if (answer.status !== 201) return
        expect(shown(worker, "/configuration/backends?name=a")).toMatchObject([
          { endpoints: [{ address: canonical(literal) }] },
        ])
      },
    ),
    runs(1500),
  )
})

const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 })

test("over a whole rotation each endpoint is chosen as often as its weight says, from any start", () => {
  fc.assert(
    fc.property(weights, fc.nat({ max: 500 }), fc.double(), (list, start, seed) => {
      const worker = new Worker({ seed })
      setBackends(worker, backend("a", list))
      for (let i = 0; i < start; i++) worker.pick("a")
      const seen = counts(
        worker,
        "a",
        list.reduce((sum, weight) => sum + weight),
      )
      expect(list.map((_, i) => seen.get(`10.0.0.${i + 1}`))).toEqual(list)
    }),
    runs(50),
  )
})

test("retries never repeat an endpoint while another is left, and always choose one that lives", () => {
  fc.assert(
    fc.property(weights, weights, fc.nat({ max: 40 }), (before, after, start) => {
      const worker = new Worker()
      setBackends(worker, backend("a", before))
      for (let i = 0; i < start; i++) worker.pick("a")
      setBackends(worker, backend("a", after))
      const tags: number[] = []
      for (let attempt = 0; attempt < 16; attempt++) {
        const { address, tag } = worker.pick("a", tags)
        expect(Number(address.split(".")[3])).toBeLessThanOrEqual(after.length)
        if (attempt < after.length) expect(tags).not.toContain(tag)
        tags.push(tag)
      }
    }),
    runs(100),
  )
})
