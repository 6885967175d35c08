import type { Field, Fields } from "../../wire/field.ts"
import { kinds } from "../../wire/kinds.ts"
import { posted, records } from "../../wire/schema.ts"
import { types, type ValueType } from "../../wire/types.ts"
import { code, table } from "../reference/markdown.ts"

/** A page with its tables printed anew: each stands between `<!-- wire: NAME -->` and `<!-- end -->`. */
export function inDocs(text: string, tableOf: (name: string) => string): string {
  return text.replace(
    /(<!-- wire: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin, name, end) => `${begin}${tableOf(name)}\n${end}`,
  )
}

/** A table of docs/wire.md. */
export function wireTable(name: string): string {
  if (name === "kinds") return kindsTable()
  if (name === "settings") return settingsTable(records.backend.fields)
  const fields = (posted as Readonly<Record<string, Fields>>)[name]
  if (fields === undefined)
    throw new Error(`docs/wire.md wants a table of "${name}", which wire/ does not have`)
  const isRecord = fields.some(({ id }) => id !== undefined)
  const heads = ["field", ...(isRecord ? ["id", "in the record"] : []), "since", ""]
  return table(
    heads,
    fields.map((field) => row(field, isRecord)),
  )
}

function row(field: Field, isRecord: boolean): string[] {
  return [code(field.name), ...(isRecord ? [id(field), bytes(field)] : []), field.since, about(field)]
}

function settingsTable(fields: Fields): string {
  const rows = fields.map((field) => [
    id(field),
    field.name.replaceAll("_", " "),
    bytes(field),
    field.since,
    about(field),
  ])
  return table(["id", "setting", "bytes", "since", ""], rows)
}

function id({ id, isRepeated, isCritical }: Field): string {
  if (id === undefined) return ""
  const parts = [
    String(id),
    ...(isCritical ? ["critical"] : []),
    ...(isRepeated ? ["one each, in order"] : []),
  ]
  return parts.join(", ")
}

function bytes({ type, id, bit }: Field): string {
  if (id === undefined) return ""
  if (bit !== undefined) return `bit ${bit}`
  const known: ValueType = types[type]
  switch (known.kind) {
    case "number":
      return known.bytes === 8 ? "i64" : `u${8 * known.bytes}`
    case "word":
      return `u8: ${known.words.map((word, place) => `${place + known.first} ${word}`).join(", ")}`
    case "words":
      return `u32, a bit for each word: ${known.words.map((word, place) => `${2 ** place} ${word}`).join(", ")}`
    default:
      return known.record ?? ""
  }
}

function about({ type, isRequired, isCritical, id, meaning }: Field): string {
  const isMarked = isCritical === true && id === undefined
  return [isRequired ? "required" : "", isMarked ? "critical" : "", values(types[type]), meaning]
    .filter((text) => text !== "")
    .join("; ")
}

function values(type: ValueType): string {
  switch (type.kind) {
    case "number":
      return `${type.min} to ${power(type.max)}`
    case "word":
      return type.words.map(code).join(", ")
    case "words":
      return "the directive's words between single blanks"
    default:
      return type.json === "boolean" ? "`true` or `false`" : ""
  }
}

function power(number: number): string {
  if (number === 2 ** 31 - 1) return "2^31−1"
  return number === 2 ** 53 ? "2^53" : String(number)
}

function kindsTable(): string {
  const rows = kinds.map(({ list, prefix, argument, ...kind }) => {
    const name = "name" in kind ? "" : "SERVER/"
    return [code(list), code(`${prefix}${name}${argument.toUpperCase()}`), code(`?${argument}=`)]
  })
  return table(["list", "key", "asks for one"], rows)
}
