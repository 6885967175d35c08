import { camelCase, type Field, type Fields } from "../../wire/field.ts"
import { kinds } from "../../wire/kinds.ts"
import { overrides } from "../../wire/overrides.ts"
import {
  backendInModel,
  inModel,
  listsInModel,
  modelNames,
  posted,
  streamInModel,
  tlsInModel,
} from "../../wire/schema.ts"
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

/** The model of backends. */
export function backendModel(): string {
  return `${origin("//")}
import type { loadBalances } from "./words.ts"

${interfacesOf(backendInModel).join("\n\n")}

export type LoadBalance = (typeof loadBalances)[number]
`
}

/** The model of lists that checks name. */
export function listModel(): string {
  return `${origin("//")}
import type { SecretText } from "./secret-file.ts"

${interfacesOf(listsInModel).join("\n\n")}
`
}

/** Of those that are objects of their own. */
function interfacesOf(meanings: Readonly<Record<string, string>>): string[] {
  return Object.entries(meanings)
    .filter(([, meaning]) => meaning !== "")
    .map(([name, meaning]) => interfaceOf(name, meaning, posted[name as keyof typeof posted]))
}

function interfaceOf(name: string, meaning: string, fields: Fields): string {
  const own = fields.filter(({ model }) => model?.within === undefined)
  return `/** ${meaning} */\nexport interface ${modelNames[name] ?? name} {\n${membersOf(own)}\n}`
}

function membersOf(fields: Fields): string {
  return fields.flatMap(inModelOf).join("\n")
}

function inModelOf(field: Field): string[] {
  const { name, type, model = {}, isRequired } = field
  if (model.isAbsent || model.isUnposted || model.constant !== undefined) return []
  if (model.isSpread) return spreadOf(type).flatMap(({ isRequired: _, ...one }) => inModelOf(one))
  const text = model.meaning ?? field.meaning
  const isAlways = isRequired === true || model.isAlways === true
  const named = `${model.name ?? camelCase(name)}${isAlways ? "" : "?"}`
  const line = member(named, model.type ?? modelTypeOf(type))
  return text === "" ? [line] : [`  /** ${text} */`, line]
}

/** The fields of the object that a field's value is. */
function spreadOf(type: Type): Fields {
  return posted[objectOf(type) as keyof typeof posted]
}

function objectOf(type: Type): string | undefined {
  return /Posted(\w+)/.exec(nameOf(type))?.[1]
}

function modelTypeOf(type: Type): string {
  if (type === "mark") return "true"
  return nameOf(type).replace(/Posted(\w+)/, (_, name) => modelNames[name] ?? name)
}

/** How the model's objects become posted ones. */
export function routeRows(): string {
  const models = [inModel, streamInModel, tlsInModel, backendInModel, listsInModel]
  const names = [...models.flatMap((model) => Object.keys(model)), "Overrides"]
  const tables = names.map((name) => {
    const fields: Fields = posted[name as keyof typeof posted]
    const rows = fields.filter(({ model }) => !model?.isUnposted).map(rowOf)
    return rows.length === 1 ? `  ${name}: [${rows[0]}],` : `  ${name}: [\n    ${rows.join(",\n    ")},\n  ],`
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
  readonly as?: "text" | "presence" | "isThere" | "filled" | "mark" | "variables" | "secret"
  /** its value is such an object, or a list of them */
  readonly object?: ObjectName
  /** the members of that object are the model's own */
  readonly isSpread?: true
  /** the value, always */
  readonly constant?: string
}

/** The fields of each object. */
export const rows: Readonly<Record<ObjectName, readonly Row[]>> = {
${tables.join("\n")}
}
`
}

function rowOf({ name, type, model = {} }: Field): string {
  const as = model.as ?? (type === "mark" || type === "variables" ? type : undefined)
  const members = {
    posted: name,
    model: model.name ?? camelCase(name),
    within: model.within,
    as,
    object: objectOf(type),
    isSpread: model.isSpread,
    constant: model.constant,
  }
  const text = Object.entries(members).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  )
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
