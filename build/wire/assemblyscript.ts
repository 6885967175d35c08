import { tagOf } from "../../wire/encode.ts"
import { camelCase, constantCase, type Field, type Fields } from "../../wire/field.ts"
import { type Kind, kinds } from "../../wire/kinds.ts"
import { limits, posted, records } from "../../wire/schema.ts"
import { types, type ValueType } from "../../wire/types.ts"
import { origin } from "./origin.ts"

const all: readonly (readonly [string, ValueType])[] = Object.entries(types)
const numbers = all.flatMap(([name, type]) => (type.kind === "number" ? [{ name, ...type }] : []))

/** Constants that know nothing of anything else. */
export function ids(): string {
  const versions = Object.entries(records).flatMap(([name, record]) =>
    "version" in record ? [`export const ${constantCase(name)}_VERSION: u8 = ${record.version}`] : [],
  )
  const settings = records.backend.fields
  const bytes = Array.from({ length: endOf(settings) }, (_, id) => bytesOf(settings, id))
  const tags = Array.from({ length: endOf(settings) }, (_, id) =>
    tagOf(settings.find((field) => field.id === id) ?? {}),
  )
  const flags = posted.Cookie.flatMap(({ name, bit }) => (bit === undefined ? [] : [{ name, number: bit }]))
  return `${origin("//")}
${versions.join("\n")}

/** Ids of the fields of records. */
${fieldsOf().join("\n\n")}

/** Ids of settings are smaller than this. */
export const SETTINGS_END: u32 = ${endOf(settings)}

/** What the field of a setting begins with, by id. */
export const SETTING_TAGS: StaticArray<u8> = [${tags.join(", ")}]

/** Bytes of the settings that are always as long, by id; 0: of any length. */
export const SETTING_BYTES: StaticArray<u8> = [${bytes.join(", ")}]

${namespace("CookieFlag", "u8", flags)}

${namespace("Algorithm", "u8", placed(types.algorithm.words))}

${namespace("MaxBytes", "usize", limitsOf(true))}

${namespace("MaxCount", "i32", limitsOf(false))}

/** What the value of a field may be; numbers first. */
${namespace("Type", "i32", placed(Object.keys(types)))}
`
}

function fieldsOf(): string[] {
  return Object.entries(records).flatMap(([record, { fields }]) => {
    const name = record === "backend" ? "Setting" : `${camelCase(`_${record}`)}Field`
    return fields.length === 0 ? [] : [namespace(name, "u32", fields.map(numbered))]
  })
}

function limitsOf(areBytes: boolean): Numbered[] {
  return Object.entries(limits)
    .filter(([name]) => name.endsWith("_bytes") === areBytes)
    .map(([name, number]) => ({ name: name.replace("_bytes", ""), number }))
}

function bytesOf(fields: Fields, id: number): number {
  const field = fields.find((candidate) => candidate.id === id)
  if (field === undefined) return 0
  const type: ValueType = types[field.type]
  if (type.kind === "word") return 1
  return type.kind === "words" ? 4 : (type.bytes ?? 0)
}

function endOf(fields: Fields): number {
  return 1 + Math.max(...fields.map(({ id = 0 }) => id))
}

interface Numbered {
  readonly name: string
  readonly number: number
}

const numbered = ({ name, id = 0 }: Field): Numbered => ({ name, number: id })

function placed(names: readonly string[]): Numbered[] {
  return names.map((name, number) => ({ name, number }))
}

function namespace(name: string, type: string, members: readonly Numbered[]): string {
  const lines = members.map(
    (member) => `  export const ${constantCase(member.name)}: ${type} = ${member.number}`,
  )
  return `export namespace ${name} {\n${lines.join("\n")}\n}`
}

/** The algorithms by their numbers in a record: one that balancer-as/assembly/algorithm.ts lacks does not compile. */
export function algorithms(): string {
  const names = types.algorithm.words.map(constantCase)
  return `${origin("//")}
import { Algorithm, ${names.join(", ")} } from "./algorithm"

export const ALGORITHMS: StaticArray<Algorithm> = [${names.join(", ")}]
`
}

/** Which fields each posted object has. */
export function tables(): string {
  const objects = Object.entries(posted).map(
    ([name, fields]) => `export const ${constantCase(name)}: Fields = [${fields.map(row).join(", ")}]`,
  )
  return `${origin("//")}
import { Field, Fields, NumberType, WordType } from "./field"
import { Type } from "../ids"

/** By their types. */
export const NUMBERS: StaticArray<NumberType> = [
${numbers.map(({ bytes, min, max, wanted }) => `new NumberType(${bytes}, ${min}, ${max}, "${wanted}")`).join(",\n")}
]

${wordTypes().join("\n")}

${objects.join("\n\n")}
`
}

function row({ name, type, isRequired, isCritical, id, bit = id }: Field): string {
  const parts = [
    `"${name}"`,
    `Type.${constantCase(type)}`,
    `${isRequired === true}`,
    `${isCritical === true}`,
    `${bit ?? 0}`,
  ]
  return `new Field(${parts.join(", ")})`
}

function wordTypes(): string[] {
  return all.flatMap(([name, type]) => {
    const list = type.kind === "word" || type.kind === "words" ? type.words.map((word) => `"${word}"`) : []
    if (type.kind === "words")
      return [`export const ${constantCase(name)}_WORDS: StaticArray<string> = [${list.join(", ")}]`]
    if (type.kind !== "word") return []
    const wanted = `${list.slice(0, -1).join(", ")} or ${list.at(-1)} is expected`
    return [
      `export const ${constantCase(name)}_WORD: WordType = new WordType([${list.join(", ")}], ${type.first}, '${wanted}')`,
    ]
  })
}

/** What sets one kind of things apart from the others. */
export function kindsOfFilter(): string {
  const rules = [...new Set(kinds.flatMap((kind) => ("name" in kind ? [kind.name.test] : [])))].sort()
  return `${origin("//")}
import { Kind, NamedKind } from "./kind"
import { ${rules.join(", ")} } from "./name-rules"

${kinds.map(kindOf).join("\n")}

/** Parts of writes.ts, and which of them comes last. */
export const PARTS: i32 = ${2 * kinds.length + 1}
export const GENERATION_PART: i32 = ${2 * kinds.length}
`
}

function kindOf({ list, prefix, noun, name }: Kind, order: number): string {
  const parts = [
    String(order),
    String(2 * kinds.length - 1 - order),
    quoted(list),
    quoted(prefix),
    quoted(`${noun} `),
  ]
  const isNamed = name !== undefined
  if (isNamed) parts.push(quoted(name.wanted), quoted(name.rule), name.test)
  const type = isNamed ? "NamedKind" : "Kind"
  return `export const ${constantCase(nameOf(order))}: ${type} = new ${type}(${parts.join(", ")})`
}

function nameOf(order: number): string {
  return constantCase(kinds[order]?.model ?? "")
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}

/** How the things of each kind are read and shown. */
export function lists(): string {
  const imports = kinds.map(({ file, thing, ...kind }) => {
    const names = [`read${thing}`, `show${thing}`, ...("name" in kind ? [] : ["showPlace"])]
    return `import { ${names.join(", ")} } from "./${file}"`
  })
  const rows = kinds.map(({ argument, letter, thing, ...kind }, order) => {
    const name = "name" in kind ? "writer.text" : "showPlace"
    return `new List(${nameOf(order)}, 0x${letter.charCodeAt(0).toString(16)}, "${argument}", read${thing}, show${thing}, ${name})`
  })
  return `${origin("//")}
import { ${kinds.map((_, order) => nameOf(order)).join(", ")} } from "./kinds"
import { List } from "./list"
${imports.join("\n")}
import * as writer from "../json/writer"

export const LISTS: StaticArray<List> = [${rows.join(", ")}]
`
}
