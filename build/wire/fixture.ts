import { encoded, field, u32 } from "../../wire/encode.ts"
import type { Field } from "../../wire/field.ts"
import { overrides } from "../../wire/overrides.ts"
import { records } from "../../wire/schema.ts"

const host = "numbers.test"
const route = { path: "/", match: "prefix", policy: "p", backend: "b" } as const
const file = `test/fixtures/wire/host-${host}`

/** An example of every override: as it is posted and shown, and the record. */
export function overridesFixture(): Readonly<Record<string, string>> {
  const numbers = Object.fromEntries(overrides.map(({ name, example }) => [name, example]))
  const shown = { server: "main", host, routes: [{ ...route, overrides: numbers }] }
  const all: Readonly<Record<string, unknown>> = { ...route, ...numbers }
  const fields = records.route.fields.flatMap((one: Field) =>
    all[one.name] === undefined ? [] : [field(one.id ?? 0, encoded(one.type, all[one.name]))],
  )
  const length = fields.reduce((sum, bytes) => sum + bytes.length, 0)
  const head = Buffer.concat([Buffer.of(records.host.version, 0, 0, 0), u32(1), u32(0)])
  const lines = [head, u32(length), ...fields].map((line) => line.toString("hex"))
  return {
    [`${file}.json`]: `${JSON.stringify(shown, undefined, 2)}\n`,
    [`${file}.hex`]: `${lines.join("\n")}\n`,
  }
}
