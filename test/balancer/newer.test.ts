/** Records that a newer wick wrote: fields that are not known change nothing, unless they are critical; then the record is not used. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { root } from "../../harness/paths.ts"
import { placesIn, type RecordKind, withField } from "../../wire/newer.ts"
import { records } from "../../wire/schema.ts"
import { Worker } from "./host.ts"

interface Example {
  readonly kind: RecordKind
  readonly file: string
  readonly key: string
  readonly path: string
}

const examples: readonly Example[] = [
  { kind: "backend", file: "backend-shop-all-80", key: "backends/x", path: "backends?name=x" },
  { kind: "host", file: "host-everything.test", key: "routes/main/x", path: "routes?host=x" },
  { kind: "route_part", file: "route-part-everything", key: "routes/:parts/x", path: "route_parts?id=x" },
  {
    kind: "address_list",
    file: "address-list-everything",
    key: "routes/:addresses/x",
    path: "address_lists?id=x",
  },
  { kind: "user_list", file: "user-list-everything", key: "routes/:users/x", path: "user_lists?id=x" },
  { kind: "pair", file: "pair-everything", key: "certificates/pairs/x", path: "certificates?id=x" },
  { kind: "staple", file: "staple-everything", key: "certificates/staples/x", path: "staples?certificate=x" },
  {
    kind: "authority",
    file: "authority-everything",
    key: "certificates/authorities/x",
    path: "authorities?id=x",
  },
  { kind: "tls_host", file: "tls-host-everything", key: "certificates/hosts/x", path: "tls_hosts?host=x" },
  { kind: "passthrough", file: "passthrough-everything", key: "passthroughs/x", path: "passthroughs?host=x" },
  { kind: "stream", file: "stream-everything", key: "routes/:streams/x", path: "streams?name=x" },
]
const CRITICAL = 128

function recordIn(file: string): Buffer {
  const hex = readFileSync(join(root, "test/fixtures/wire", `${file}.hex`), "utf8")
  return Buffer.from(hex.replace(/\s/g, ""), "hex")
}

/** What this filter makes of a record: how it shows it, and where the first requests for a backend go. */
function readBy(worker: Worker, { kind, key, path }: Example, record: Buffer): object {
  worker.zones.write([{ key, value: record, cas: 0 }])
  const shown = JSON.parse(worker.get(`/configuration/${path}`).body)[0]
  return { shown, served: kind === "backend" ? worker.select("x") : undefined }
}

const isUnreadable = (result: object) => JSON.stringify(result).includes("cannot read the record")

describe.each(examples)("a newer record: $kind", (example) => {
  const { kind, file } = example
  const whole = recordIn(file)
  const worker = new Worker()
  const expected = readBy(worker, example, whole)

  test("an unknown field at each place is passed over", () => {
    expect(isUnreadable(expected)).toBe(false)
    expect(readBy(worker, example, recordIn(`newer/${file}`))).toEqual(expected)
  })

  test("one that is critical is not", () => {
    const result = readBy(worker, example, recordIn(`newer/critical/${file}`))
    expect(isUnreadable(result)).toBe(true)
    if (kind === "backend") expect(result).toMatchObject({ served: { status: 503 } })
  })

  test("so it is with any field at any place", () => {
    const known = new Set(records[kind].fields.map(({ id }) => id))
    if (kind === "host" || kind === "route_part") for (const { id } of records.route.fields) known.add(id)
    const id = fc.integer({ min: 0, max: 127 }).filter((id) => !known.has(id))
    const place = fc.nat({ max: placesIn(kind, whole) - 1 })
    fc.assert(
      fc.property(
        place,
        id,
        fc.boolean(),
        fc.uint8Array({ maxLength: 40 }),
        (place, id, isCritical, bytes) => {
          const tag = id + (isCritical ? CRITICAL : 0)
          const result = readBy(worker, example, withField(kind, whole, place, tag, Buffer.from(bytes)))
          if (isCritical) expect(isUnreadable(result)).toBe(true)
          else expect(result).toEqual(expected)
        },
      ),
      { numRuns: 200 },
    )
  })

  test("a known field says the same with and without the mark", () => {
    const { fields } = records[kind]
    if (fields.length === 0 || kind === "host") return
    const marked = Buffer.from(whole)
    marked[kind === "backend" ? 12 : 4] = (marked[kind === "backend" ? 12 : 4] ?? 0) ^ CRITICAL
    expect(readBy(worker, example, marked)).toEqual(expected)
  })
})

test("a record of another version is not read", () => {
  const worker = new Worker()
  for (const example of examples) {
    for (const version of [2, 4]) {
      const record = recordIn(example.file)
      record[0] = version
      expect(isUnreadable(readBy(worker, example, record))).toBe(true)
    }
  }
})
