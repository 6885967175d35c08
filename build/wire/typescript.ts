import { camelCase, type Field, type Fields } from "../../wire/field.ts"
import { kinds } from "../../wire/kinds.ts"
import { overrides } from "../../wire/overrides.ts"
import { inModel, posted, streamInModel, tlsInModel } from "../../wire/schema.ts"
import { namedAlgorithms, type Type, types, type ValueType } from "../../wire/types.ts"
import { origin } from "./origin.ts"

/** Of the formatter. */
const lineLength = 110

/** What the controller posts and a GET shows. */
export function postedTypes(): string {
  const interfaces = Object.entries(posted).map(([name, fields]) => printInterface(name, fields))
  const critical = Object.entries(posted).flatMap(([name, fields]) => {
    const list = namesOfCritical(fields).map((field) => `"${field}"`)
    return list.length === 0 ? [] : [criticalOf(name, list)]
  })
  const names = kinds.map(({ model, list }) => `  ${model}: "${list}",`)
  const asked = kinds.map(({ list, argument }) => `  ${list}: "${argument}",`)
  return `${origin("//")}
${interfaces.join("\n\n")}

/** The fields without which an object must not be served. Those that an object always has are known to its readers. */
export const criticalFields = {
${critical.join("\n")}
} as const

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

function criticalOf(name: string, list: readonly string[]): string {
  const line = `  ${name}: [${list.join(", ")}],`
  return line.length <= lineLength ? line : `  ${name}: [\n    ${list.join(",\n    ")},\n  ],`
}

function printInterface(name: string, fields: Fields): string {
  const lines = fields.map((field) =>
    member(`${key(field.name)}${field.isRequired ? "" : "?"}`, typeOf(field)),
  )
  if (namesOfCritical(fields).length > 0) lines.push("  critical?: readonly string[]")
  return `export interface Posted${name} {\n${lines.join("\n")}\n}`
}

/** As the formatter has it: on one line while there is room. */
function member(name: string, type: string): string {
  const line = `  readonly ${name}: ${type}`
  return line.length <= lineLength ? line : `  readonly ${name}:\n    | ${type.replaceAll(" | ", "\n    | ")}`
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

/** The model of what routes consist of. */
export function routeModel(): string {
  const all = interfacesOf(inModel)
  const tracing = posted.Route.filter(({ model }) => model?.within === "tracing")
  return `${origin("//")}
import type { Overrides } from "./overrides.ts"
import type { RouteVariables } from "./route-variables.ts"

${all.join("\n\n")}

/** How requests of a route are traced. */
export interface Tracing {
${membersOf(tracing)}
}
`
}

/** The model of what serves a port. */
export function streamModel(): string {
  return `${origin("//")}\n${interfacesOf(streamInModel).join("\n\n")}\n`
}

/** The model of certificates and handshakes. */
export function tlsModel(): string {
  return `${origin("//")}
import type { SecretText } from "./secret-file.ts"

${interfacesOf(tlsInModel).join("\n\n")}
`
}

function interfacesOf(meanings: Readonly<Record<string, string>>): string[] {
  return Object.entries(meanings).map(([name, meaning]) =>
    interfaceOf(name, meaning, posted[name as keyof typeof posted]),
  )
}

function interfaceOf(name: string, meaning: string, fields: Fields): string {
  const own = fields.filter(({ model }) => model?.within === undefined)
  return `/** ${meaning} */\nexport interface ${name} {\n${membersOf(own)}\n}`
}

function membersOf(fields: Fields): string {
  return fields
    .filter(({ model }) => model?.isAbsent !== true)
    .flatMap((field) => {
      const { name, type, model = {}, isRequired } = field
      const text = model.meaning ?? field.meaning
      const isAlways = isRequired === true || model.isAlways === true
      const named = `${model.name ?? camelCase(name)}${isAlways ? "" : "?"}`
      const line = member(named, model.type ?? inModelOf(type))
      return text === "" ? [line] : [`  /** ${text} */`, line]
    })
    .join("\n")
}

function inModelOf(type: Type): string {
  return type === "mark" ? "true" : nameOf(type).replace("Posted", "")
}

/** How the model's objects become posted ones. */
export function routeRows(): string {
  const models = [inModel, streamInModel, tlsInModel]
  const names = [...models.flatMap((model) => Object.keys(model)), "Overrides"]
  const tables = names.map((name) => {
    const rows = posted[name as keyof typeof posted].map(rowOf)
    return `  ${name}: [\n${rows.map((row) => `    ${row},`).join("\n")}\n  ],`
  })
  return `${origin("//")}
export type ObjectName =
${names.map((name) => `  | "${name}"`).join("\n")}

/** A field: what it is called in the model and as it is posted, and how its value is written, where that is not as it is. */
export interface Row {
  readonly posted: string
  readonly model: string
  /** the member of the object whose member it is */
  readonly within?: string
  readonly as?: "text" | "presence" | "mark" | "variables" | "secret"
  /** its value is such an object, or a list of them */
  readonly object?: ObjectName
}

/** The fields of each object. */
export const rows: Readonly<Record<ObjectName, readonly Row[]>> = {
${tables.join("\n")}
}
`
}

function rowOf({ name, type, model = {} }: Field): string {
  const as = model.as ?? (type === "mark" || type === "variables" ? type : undefined)
  const object = /Posted(\w+)/.exec(nameOf(type))?.[1]
  const members = [
    ["posted", name],
    ["model", model.name ?? camelCase(name)],
    ["within", model.within],
    ["as", as],
    ["object", object],
  ]
  const text = members.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: "${value}"`]))
  return `{ ${text.join(", ")} }`
}

/** Words that the model shares with what is posted. */
export function wordsOfModel(): string {
  return `${origin("//")}
/** Algorithms that a backend is given by name. */
export const loadBalances = ${listOf(namedAlgorithms)}

/** The words of nginx's \`proxy_next_upstream\`, in its order. */
export const nextUpstreamWords = ${listOf(types.next_upstream.words)}
`
}

/** As the formatter has it: on one line while there is room. */
function listOf(words: readonly string[]): string {
  const list = words.map((word) => `"${word}"`)
  const line = list.join(", ")
  return line.length < 80 ? `[${line}] as const` : `[\n  ${list.join(",\n  ")},\n] as const`
}

/** The model of the numbers that routes may have of their own. */
export function overridesModel(): string {
  const lines = overrides.flatMap(({ name, type, meaning }) => [
    ...(meaning === "" ? [] : [`  /** ${meaning} */`]),
    `  readonly ${camelCase(name)}?: ${nameOf(type)}`,
  ])
  return `${origin("//")}
/** Numbers and switches in force instead of the location's; absent ones are inherited. */
export interface Overrides {
${lines.join("\n")}
}
`
}
