/** Posts of a newer controller: what is not known is passed over and named in the answer, unless it must be understood. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { Worker } from "./host.ts"

const CHANGES = "/configuration/changes"
const everything = JSON.parse(readFileSync(join(root, "test/fixtures/wire/change.json"), "utf8"))
everything.base = null

type Json = Record<string, unknown>

/** Objects in which any name may stand. */
const free = new Set(["variables", "locations", "service"])

/** The objects of a change, itself the first. */
function objectsIn(value: unknown, key = ""): Json[] {
  if (typeof value !== "object" || value === null || free.has(key)) return []
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item))
  const own = value as Json
  return [own, ...Object.entries(own).flatMap(([name, field]) => objectsIn(field, name))]
}

/** Everything that there is, each object changed by `edit`. */
function edited(edit: (object: Json, number: number) => void): Json {
  const change = structuredClone(everything)
  objectsIn(change).forEach(edit)
  return change
}

/** The records in the zones, by key. */
function recordsAfter(change: Json): { answer: Json; status: number; records: Map<string, string> } {
  const worker = new Worker()
  const { status, body } = worker.post(CHANGES, change)
  const zones = ["backends/", "routes/", "certificates/", "passthroughs/"]
  const keys = zones.flatMap((prefix) => worker.zones.list(prefix, 0, 1000).keys)
  const records = keys.map((key): [string, string] => [
    key,
    Buffer.from(worker.zones.get(key)?.value ?? []).toString("hex"),
  ])
  return { status, answer: JSON.parse(body), records: new Map(records) }
}

const count = objectsIn(everything).length
const known = recordsAfter(everything)

test("what both know has nothing that is skipped", () => {
  expect(known).toMatchObject({ status: 201, answer: { generation: "7f3a-42" } })
  expect(known.answer).not.toHaveProperty("skipped")
  expect(count).toBeGreaterThan(40)
})

describe("a field that is not known", () => {
  test("is skipped in every object, and the records are the same", () => {
    const value = { deep: [1, { a: null }], text: "critical" }
    const after = recordsAfter(edited((object) => Object.assign(object, { newer: value })))
    expect(after.status).toBe(201)
    expect(after.answer).toEqual({ ...known.answer, skipped: ["newer"] })
    expect(after.records).toEqual(known.records)
  })

  test("may come before all others", () => {
    const after = recordsAfter(
      edited((object) => {
        const fields = Object.entries(object)
        for (const [name] of fields) delete object[name]
        Object.assign(object, { newer: 1 }, Object.fromEntries(fields))
      }),
    )
    expect(after.records).toEqual(known.records)
  })

  test("may be a kind of things", () => {
    const after = recordsAfter({ ...everything, guards: { set: [{ name: "a" }], remove: ["b"] } })
    expect(after.answer).toEqual({ ...known.answer, skipped: ["guards"] })
    expect(after.records).toEqual(known.records)
  })

  test("is named in the answer, up to sixteen of them, each once and none that is long", () => {
    const names = Array.from({ length: 30 }, (_, number) => `newer-${number}`)
    const fields = Object.fromEntries(["x".repeat(81), 'a"b', ...names].map((name) => [name, 0]))
    const after = recordsAfter(edited((object) => Object.assign(object, fields)))
    expect(after.answer.skipped).toEqual(['a"b', ...names.slice(0, 15)])
  })

  test("is read as strictly as all others", () => {
    const worker = new Worker()
    const answer = worker.post(CHANGES, '{"base":null,"generation":"g","newer":{"a":1,"a":2}}')
    expect(answer).toMatchObject({
      status: 400,
      body: expect.stringContaining('The key \\"a\\" is there twice'),
    })
  })

  test("is named for a full set of ingress-nginx, too", () => {
    const { status, body } = new Worker().post("/configuration/backends", [{ name: "a", newer: 1 }])
    expect({ status, answer: JSON.parse(body) }).toEqual({
      status: 201,
      answer: { generation: null, skipped: ["newer"] },
    })
  })
})

describe("a field that must be understood", () => {
  test("refuses the change, in whatever object", () => {
    for (let at = 0; at < count; at += 1) {
      const worker = new Worker()
      const change = edited((object, number) => {
        if (number === at) object.critical = ["newer"]
      })
      const answer = worker.post(CHANGES, change)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body).error).toBe(
        'The field "newer" is critical, and this filter does not know it',
      )
      expect(worker.zones.version).toBe(0n)
    }
  })

  test("is no obstacle when it is known, wherever the list stands", () => {
    const list = (object: Json) => Object.keys(object).filter((name) => name !== "critical")
    const after = recordsAfter(
      edited((object) => {
        const fields = Object.entries(object).filter(([name]) => name !== "critical")
        const critical = list(object)
        for (const [name] of fields) delete object[name]
        Object.assign(object, { critical }, Object.fromEntries(fields))
      }),
    )
    expect(after).toEqual(known)
  })

  test("is named in a list of texts", () => {
    const refusal = (critical: unknown) =>
      JSON.parse(new Worker().post(CHANGES, { ...everything, critical }).body).error
    expect(refusal("base")).toBe("An array is expected")
    expect(refusal([1])).toBe("The name of a field is expected")
  })
})

test.each([
  ["backends", { name: "a", upstreamHashByConfig: { "upstream-hash-on": "a" } }, "upstream-hash-on"],
  ["backends", { name: "a", sessionAffinityConfig: { type: "cookie" } }, "type"],
  ["backends", { name: "a", endpoints: [{ address: "::1", port: 80, weigth: 1 }] }, "weigth"],
  ["tls_hosts", { host: "a.test", chiphers: "A" }, "chiphers"],
])("a slip in %s is told: %j", (list, thing, name) => {
  const { status, body } = new Worker().post(CHANGES, {
    base: null,
    generation: "g",
    [list]: { set: [thing] },
  })
  expect({ status, skipped: JSON.parse(body).skipped }).toEqual({ status: 201, skipped: [name] })
})
