/** Things of TLS in the control API: posted, listed, shown without keys, removed. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { backend, change, host, setBackends } from "./build.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const CHANGES = "/configuration/changes"
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes as string).toString("base64")
const json = (text: string) => JSON.parse(text)
const shown = (worker: Worker, path: string) => json(worker.get(`/configuration/${path}`).body)

const certificate = (id: string, chain: readonly string[] = ["leaf"], key = "key") => ({
  id,
  chain: chain.map((der) => base64(der)),
  key: base64(key),
})
const staple = (certificate: string) => ({ certificate, response: base64("staple"), until_ms: 1 })
const authority = (id: string) => ({ id, certificates: [base64("ca")], crls: [] })
const tlsHost = (name: string, ...certificates: string[]) => ({ host: name, certificates })
const passthrough = (name: string) => ({ host: name, backend: "shop-db-443" })

function apply(worker: Worker, parts: object): void {
  expect(worker.post(CHANGES, change(parts))).toMatchObject({ status: 201 })
}

/** One of everything. */
const everything = {
  backends: { set: [backend("shop", 1)] },
  routes: { set: [host("a.test")] },
  certificates: { set: [certificate("c1")] },
  staples: { set: [staple("c1")] },
  authorities: { set: [authority("ca1")] },
  tls_hosts: { set: [tlsHost("a.test", "c1")] },
  passthroughs: { set: [passthrough("p.test")] },
}

test("everything is listed by name, shown alone and among all, and removed", () => {
  const worker = new Worker()
  apply(worker, everything)
  expect(shown(worker, "names")).toMatchObject({
    backends: ["shop"],
    routes: [{ server: "main", host: "a.test" }],
    certificates: ["c1"],
    staples: ["c1"],
    authorities: ["ca1"],
    tls_hosts: ["a.test"],
    passthroughs: ["p.test"],
    next: null,
  })
  expect(shown(worker, "certificates")).toEqual([{ id: "c1", chain: [base64("leaf")] }])
  expect(shown(worker, "staples?certificate=c1")).toEqual([staple("c1")])
  expect(shown(worker, "authorities?id=ca1")).toEqual([authority("ca1")])
  expect(shown(worker, "tls_hosts?host=a.test")).toEqual([tlsHost("a.test", "c1")])
  expect(shown(worker, "passthroughs?host=p.test")).toEqual([passthrough("p.test")])
  apply(worker, {
    certificates: { remove: ["c1"] },
    staples: { remove: ["c1"] },
    authorities: { remove: ["ca1", "never-there"] },
    tls_hosts: { remove: ["a.test"] },
    passthroughs: { remove: ["p.test"] },
  })
  for (const list of ["certificates", "staples", "authorities", "tls_hosts", "passthroughs"]) {
    expect(shown(worker, list)).toEqual([])
  }
  expect(shown(worker, "names").backends).toEqual(["shop"])
})

test("a change writes what is named before what names it, and removes it after", () => {
  const zones = new Zones()
  const worker = new Worker({ zones })
  let keys: string[] = []
  const write = zones.write.bind(zones)
  zones.write = (writes) => {
    keys = writes.map(({ key, value }) => (value === null ? `-${key}` : key))
    return write(writes)
  }
  const reversed = Object.fromEntries(Object.entries(everything).reverse())
  apply(worker, {
    passthroughs: { set: [], remove: ["old"] },
    ...reversed,
    certificates: { remove: ["old"], ...everything.certificates },
    tls_hosts: { remove: ["old"], ...everything.tls_hosts },
    routes: { remove: [{ host: "old" }], ...everything.routes },
  })
  expect(keys).toEqual([
    "certificates/pairs/c1",
    "certificates/authorities/ca1",
    "certificates/staples/c1",
    "backends/shop",
    "certificates/hosts/a.test",
    "routes/main/a.test",
    "passthroughs/p.test",
    "-routes/main/old",
    "-certificates/hosts/old",
    "-certificates/pairs/old",
    "backends/:generation",
  ])
})

test("things of different kinds may have the same name", () => {
  const worker = new Worker()
  apply(worker, {
    certificates: { set: [certificate("x")] },
    staples: { set: [staple("x")] },
    authorities: { set: [authority("x")] },
    tls_hosts: { set: [tlsHost("x")] },
    passthroughs: { set: [passthrough("x")] },
    backends: { set: [backend("x", 1)] },
  })
  expect(shown(worker, "names")).toMatchObject({ certificates: ["x"], tls_hosts: ["x"], backends: ["x"] })
})

test.each([
  64, 9, 1,
])("parts of the names go through all the lists, %i parts of a zone at once", (partsAtOnce) => {
  const worker = new Worker()
  worker.zones.partsAtOnce = partsAtOnce
  const names = Array.from({ length: 20 }, (_, i) => `n${i}`)
  apply(worker, {
    certificates: { set: names.map((name) => certificate(name)) },
    authorities: { set: names.map(authority) },
    tls_hosts: { set: [":default", ...names].map((name) => tlsHost(name)) },
    passthroughs: { set: names.map(passthrough) },
  })
  const { generation: _, next, ...whole } = shown(worker, "names")
  expect(next).toBeNull()
  expect(whole.tls_hosts).toHaveLength(21)
  expect(new Set(whole.tls_hosts)).toEqual(new Set([":default", ...names]))
  for (const limit of [1, 7, 20, 21, 1000]) {
    const lists: Record<string, unknown[]> = Object.fromEntries(Object.keys(whole).map((list) => [list, []]))
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { generation: _, next, ...part } = shown(worker, `names?limit=${limit}${cursor}`)
      for (const [list, some] of Object.entries(part)) lists[list]?.push(...(some as unknown[]))
      cursor = next === null ? null : `&cursor=${next}`
    }
    expect(lists).toEqual(whole)
  }
})

describe("keys", () => {
  const marked = "-marked-private-key-"
  const key = base64(marked.repeat(3))
  const paths = [
    "names",
    "changes",
    "backends",
    "routes",
    "certificates",
    "certificates?id=c1",
    "certificates?limit=1",
    "staples",
    "authorities",
    "tls_hosts",
    "passthroughs",
    "general",
    "certs?hostname=a.test",
    "certs?hostname=b.test",
  ]

  function expectNoKey(text: string): void {
    // Wherever it begins in a text of base64, in any of the three ways.
    for (const skipped of [0, 1, 2]) expect(text).not.toContain(base64(marked.slice(skipped, skipped + 15)))
    expect(text).not.toContain(marked.slice(0, 8))
  }

  test("are in the zone, and in no answer and no log", () => {
    const worker = new Worker()
    apply(worker, { ...everything, certificates: { set: [{ ...certificate("c1"), key }] } })
    expect(Buffer.from(worker.zones.get("certificates/pairs/c1")?.value ?? []).includes(marked)).toBe(true)
    for (const path of paths) expectNoKey(worker.get(`/configuration/${path}`).body)
    expectNoKey(worker.log.join("\n"))
  })

  test("are in no refusal", () => {
    const worker = new Worker()
    const good = certificate("c1")
    const wrong = [
      { ...good, key: `${key}!` },
      { ...good, key: [key] },
      { ...good, id: key },
      { ...good, id: `${marked}.` },
      { ...good, chain: [`${key} `] },
      { ...good, chain: key },
      { ...good, key, critical: ["key", "more"], more: key },
      key,
      [key],
    ]
    for (const certificate of wrong) {
      const answer = worker.post(CHANGES, change({ certificates: { set: [certificate] } } as object))
      expect(answer.status).toBe(400)
      expectNoKey(answer.body)
    }
    const skipped = worker.post(
      CHANGES,
      change({ certificates: { set: [{ ...good, key, more: key }] } } as object),
    )
    expect(skipped.body).toContain('"skipped":["more"]')
    expectNoKey(skipped.body)
    const answer = worker.post(CHANGES, change({ certificates: { remove: [key] } } as object))
    expect(answer.status).toBe(400)
    expectNoKey(answer.body)
    expectNoKey(worker.log.join("\n"))
  })

  test("are not shown of a damaged record either", () => {
    const worker = new Worker()
    apply(worker, { ...everything, certificates: { set: [{ ...certificate("c1"), key }] } })
    const record = Buffer.from(worker.zones.get("certificates/pairs/c1")?.value ?? [])
    for (let at = 0; at < 8; at++) {
      for (const byte of [0, 1, 2, 17, 59, 61, 255]) {
        const damaged = Buffer.from(record)
        damaged[at] = byte
        worker.zones.write([{ key: "certificates/pairs/c1", value: damaged, cas: 0 }])
        // A length of the key that ends within it is the one lie that cannot be told from a truth.
        if (at >= 4 && damaged.readUInt32LE(4) < record.readUInt32LE(4)) continue
        for (const path of paths) expectNoKey(worker.get(`/configuration/${path}`).body)
      }
    }
  })
})

test("records of any bytes are shown as JSON or as unreadable", () => {
  const worker = new Worker()
  const fixtures = ["pair-everything", "staple-everything", "authority-everything", "tls-host-everything"]
  const records = [...fixtures, "passthrough-everything"].map((name) =>
    Buffer.from(readFileSync(join(root, `test/fixtures/wire/${name}.hex`), "utf8").replace(/\s/g, ""), "hex"),
  )
  const places = ["certificates", "staples", "authorities", "tls_hosts", "passthroughs"]
  const keys = ["certificates/pairs/x", "certificates/staples/x", "certificates/authorities/x"]
  keys.push("certificates/hosts/x", "passthroughs/x")
  const damage = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 255 })), { maxLength: 3 })
  fc.assert(
    fc.property(fc.nat({ max: 4 }), damage, fc.nat({ max: 100 }), (at, damages, cut) => {
      const record = Buffer.from(records[at] ?? [])
      for (const [offset, byte] of damages) if (offset < record.length) record[offset] = byte
      const value = record.subarray(0, Math.max(0, record.length - (cut < 50 ? 0 : cut)))
      worker.zones.write([{ key: keys[at] ?? "", value, cas: 0 }])
      expect(shown(worker, places[at] ?? "")).toHaveLength(1)
      expect([200, 404]).toContain(worker.get("/configuration/certs?hostname=x").status)
    }),
    { numRuns: 500 },
  )
})

describe("the chain of a name", () => {
  const worker = new Worker()
  const leaf = "x".repeat(100)
  apply(worker, {
    certificates: {
      set: [
        certificate("exact", [leaf, "issuer"]),
        certificate("wild", ["wild"]),
        certificate("any", ["any"]),
        certificate("default", ["default"]),
      ],
    },
    tls_hosts: {
      set: [
        tlsHost("a.test", "gone", "exact", "wild"),
        tlsHost("*.a.test", "wild"),
        tlsHost("none.test"),
        tlsHost("gone.test", "gone"),
        tlsHost(":default", "default"),
      ],
    },
  })
  const chain = (name: string) => worker.get(`/configuration/certs?hostname=${name}`)
  const first = (name: string) =>
    Buffer.from(chain(name).body.split("\n").slice(1, 2).join(""), "base64").toString()

  test("is PEM, the leaf first, in lines of 64 digits", () => {
    const { status, body, headers } = chain("a.test")
    expect(status).toBe(200)
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
    const pem = (text: string) =>
      `-----BEGIN CERTIFICATE-----\n${base64(text).replace(/(.{64})(?=.)/g, "$1\n")}\n-----END CERTIFICATE-----\n`
    expect(body).toBe(pem(leaf) + pem("issuer"))
  })

  test.each([
    ["A.TEST.", leaf.slice(0, 48)],
    ["b.a.test", "wild"],
    ["b.b.a.test", "default"],
    ["none.test", "default"],
    ["gone.test", "default"],
    ["other.test", "default"],
    ["localhost", "default"],
  ])("%s", (name, expected) => expect(first(name)).toBe(expected))

  test("is the one of _ where nothing else is", () => {
    apply(worker, { tls_hosts: { set: [tlsHost("_", "any")] } })
    expect(first("other.test")).toBe("any")
    expect(first("b.a.test")).toBe("wild")
    apply(worker, { tls_hosts: { remove: ["_", ":default"] } })
    expect(chain("other.test").status).toBe(404)
    expect(chain("none.test").status).toBe(404)
    expect(worker.get("/configuration/certs").status).toBe(400)
    expect(chain("").status).toBe(400)
  })
})

describe("without a zone for it", () => {
  const zones = () => new Zones({ backends: 1 << 20, routes: 1 << 20 })

  test("only the change that needs one is refused", () => {
    const worker = new Worker({ zones: zones() })
    setBackends(worker, backend("a", 1))
    const answer = worker.post(CHANGES, change(everything as object))
    expect(answer).toMatchObject({
      status: 500,
      body: '{"error":"There is no such zone: \\"certificates\\""}',
    })
    expect(worker.post(CHANGES, change({ passthroughs: { set: [passthrough("a")] } } as object)).status).toBe(
      500,
    )
    expect(worker.post(CHANGES, change({ tls_hosts: { set: [], remove: [] } } as object)).status).toBe(201)
    setBackends(worker, backend("b", 1))
  })

  test("the lists are empty", () => {
    const worker = new Worker({ zones: zones() })
    setBackends(worker, backend("a", 1))
    expect(shown(worker, "names")).toMatchObject({
      backends: ["a"],
      certificates: [],
      passthroughs: [],
      next: null,
    })
    expect(shown(worker, "names?limit=1&cursor=t0")).toMatchObject({ tls_hosts: [], next: null })
    expect(shown(worker, "certificates")).toEqual([])
    expect(shown(worker, "tls_hosts?host=a.test")).toEqual([])
    expect(worker.get("/configuration/certs?hostname=a.test").status).toBe(404)
  })

  test("a host that cannot list at all is no host without things", () => {
    const worker = new Worker({ abilities: { ours: false, tellsChanges: false } })
    expect(worker.get("/configuration/certificates").status).toBe(501)
  })
})

test("base64 of any bytes is decoded and shown again", () => {
  const worker = new Worker()
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      apply(worker, { staples: { set: [{ ...staple("c"), response: base64(bytes) }] } })
      const record = worker.zones.get("certificates/staples/c")?.value ?? new Uint8Array()
      expect(Buffer.from(record.subarray(8, 8 + bytes.length))).toEqual(Buffer.from(bytes))
      expect(shown(worker, "staples")[0].response).toBe(base64(bytes))
    }),
  )
})

test("what is no base64 is refused, whatever stands where", () => {
  const worker = new Worker()
  const text = base64("some bytes that are enough")
  fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      const response = text.slice(0, at) + other + text.slice(at + 1)
      const isBase64 = Buffer.from(response, "base64").toString("base64") === response
      const answer = worker.post(
        CHANGES,
        change({ staples: { set: [{ ...staple("c"), response }] } } as object),
      )
      expect(answer.status).toBe(isBase64 ? 201 : 400)
    }),
    { numRuns: 1000 },
  )
})

test("2,000 parts with other certificates leave the memory where it was", () => {
  const worker = new Worker()
  const chain = [Buffer.alloc(900, 1), Buffer.alloc(1100, 2)].map((der) => base64(der))
  const round = (i: number) => {
    const ids = Array.from({ length: 20 }, (_, at) => `c${(i % 7) * 20 + at}`)
    apply(worker, {
      certificates: { set: ids.map((id) => ({ id, chain, key: base64("key") })) },
      tls_hosts: { set: ids.map((id) => tlsHost(`${id}.test`, id)) },
    })
    worker.get("/configuration/certificates?limit=20")
  }
  for (let i = 0; i < 50; i++) round(i)
  const bytes = worker.memoryBytes
  for (let i = 50; i < 2000; i++) round(i)
  expect(worker.memoryBytes).toBe(bytes)
})
