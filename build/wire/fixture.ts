import { readFileSync } from "node:fs"
import { join } from "node:path"
import { encoded, field, recordOf, tagOf } from "../../wire/encode.ts"
import type { Field } from "../../wire/field.ts"
import { placesIn, type RecordKind, withField, withFields } from "../../wire/newer.ts"
import { overrides } from "../../wire/overrides.ts"
import { records } from "../../wire/schema.ts"

const folder = "test/fixtures/wire"
const host = "numbers.test"
const route = { path: "/", match: "prefix", location: "p", backend: "b" } as const
const file = `${folder}/host-${host}`

/** An example of every override: as it is posted and shown, and the record. */
export function overridesFixture(): Readonly<Record<string, string>> {
  const numbers = Object.fromEntries(overrides.map(({ name, example }) => [name, example]))
  const shown = { server: "main", host, routes: [{ ...route, overrides: numbers }] }
  const all: Readonly<Record<string, unknown>> = { ...route, ...numbers }
  const fields = records.route.fields.flatMap((one: Field) =>
    all[one.name] === undefined ? [] : [field(tagOf(one), encoded(one.type, all[one.name]))],
  )
  const ofHost = field(
    records.host.fields.find(({ name }) => name === "routes")?.id ?? 0,
    Buffer.concat(fields),
  )
  const head = recordOf(records.host.version, ofHost).subarray(0, 4)
  const lines = [head, ofHost.subarray(0, 4), ...fields].map((line) => line.toString("hex"))
  return {
    [`${file}.json`]: `${JSON.stringify(shown, undefined, 2)}\n`,
    [`${file}.hex`]: `${lines.join("\n")}\n`,
  }
}

/** Records with everything that there is of their kind. */
const everything: Readonly<Record<RecordKind, string>> = {
  backend: "backend-shop-all-80",
  host: "host-everything.test",
  route_part: "route-part-everything",
  address_list: "address-list-everything",
  user_list: "user-list-everything",
  pair: "pair-everything",
  staple: "staple-everything",
  authority: "authority-everything",
  tls_host: "tls-host-everything",
  passthrough: "passthrough-everything",
  stream: "stream-everything",
}

/** The id that is free for longest. */
const unknownId = 127

/**
 * What a newer wick might write: those records with an unknown field at every place, which reads as if it were not there; and with a critical one at the
 * end, which must not be served. Of a host that is its last route.
 */
export function newerFixtures(): Readonly<Record<string, string>> {
  const files = Object.entries(everything).flatMap(([name, file]) => {
    const kind = name as RecordKind
    const text = readFileSync(join(import.meta.dirname, "../..", folder, `${file}.hex`), "utf8")
    const record = Buffer.from(text.replace(/\s/g, ""), "hex")
    const value = Buffer.from("newer")
    const skipped = withFields(kind, record, unknownId, value)
    const refused = withField(kind, record, placesIn(kind, record) - 1, unknownId | 128, value)
    return [
      [`${folder}/newer/${file}.hex`, `${skipped.toString("hex")}\n`],
      [`${folder}/newer/critical/${file}.hex`, `${refused.toString("hex")}\n`],
    ]
  })
  return Object.fromEntries(files)
}
