import { camelCase, type Field, type Fields } from "../../wire/field.ts"
import { kinds } from "../../wire/kinds.ts"
import { overrides } from "../../wire/overrides.ts"
import { posted } from "../../wire/schema.ts"
import { type Type, types, type ValueType } from "../../wire/types.ts"
import { origin } from "./origin.ts"

/** What the controller posts and a GET shows. */
export function postedTypes(): string {
  const interfaces = Object.entries(posted).map(([name, fields]) => printInterface(name, fields))
  const critical = Object.entries(posted).flatMap(([name, fields]) => {
    const list = namesOfCritical(fields).map((field) => `"${field}"`)
    return list.length === 0 ? [] : [`  ${name}: [${list.join(", ")}],`]
  })
  const names = kinds.map(({ model, list }) => `  ${model}: "${list}",`)
  const asked = kinds.map(({ list, argument }) => `  ${list}: "${argument}",`)
  return `${origin("//")}
${interfaces.join("\n\n")}

/** The fields without which an object must not be served. Whoever knows the object knows those that it always has. */
export const criticalFields = {
${critical.join("\n")}
} as const

/** What the model's numbers of routes are called. */
export const postedOverrides = {
${overrides.map(({ name }) => `  ${camelCase(name)}: "${name}",`).join("\n")}
} as const satisfies Readonly<Record<string, keyof PostedOverrides>>

/** What the control API calls the list of each kind. */
export const lists = {
${names.join("\n")}
} as const

/** The argument that asks for one thing of a list. */
export const listArguments = {
${asked.join("\n")}
} as const
`
}

function printInterface(name: string, fields: Fields): string {
  const lines = fields.map(
    (field) => `  readonly ${key(field.name)}${field.isRequired ? "" : "?"}: ${typeOf(field)}`,
  )
  if (namesOfCritical(fields).length > 0) lines.push("  critical?: readonly string[]")
  return `export interface Posted${name} {\n${lines.join("\n")}\n}`
}

/** Every reader of the object knows the required ones. */
function namesOfCritical(fields: Fields): string[] {
  return fields.flatMap(({ name, isCritical, isRequired }) => (isCritical && !isRequired ? [name] : []))
}

/** Writers may say `undefined`, which is absent in JSON. */
function typeOf({ type, isRequired }: Field): string {
  const name = nameOf(type)
  return isRequired || name === "unknown" ? name : `${name} | undefined`
}

function nameOf(type: Type): string {
  const known: ValueType = types[type]
  switch (known.kind) {
    case "number":
      return "number"
    case "word":
      return known.words.map((word) => `"${word}"`).join(" | ")
    case "words":
      return "string"
    default:
      return known.json
  }
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name}"`
}

/** The model of the numbers that routes may have of their own. */
export function overridesModel(): string {
  const lines = overrides.flatMap(({ name, type, meaning }) => [
    ...(meaning === "" ? [] : [`  /** ${meaning} */`]),
    `  readonly ${camelCase(name)}?: ${nameOf(type)}`,
  ])
  return `${origin("//")}
/** Numbers and switches in force instead of the policy's; absent ones are inherited. */
export interface Overrides {
${lines.join("\n")}
}
`
}
