import { readValues, type Type } from "./values.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: readonly string[] | string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  properties?: Record<string, Schema>
}

const definitions: Readonly<Record<string, Schema>> = {
  // For a template the text "false" is something, thus true: nobody means that.
  bool: { enum: [true, false, "true", null] },
  int: { anyOf: [{ type: ["integer", "null"] }, { type: "string", pattern: "^[0-9]*$" }] },
  string: { type: ["string", "number", "boolean", "null"] },
  map: { type: ["object", "null"] },
  list: { type: ["array", "null"] },
}

/**
 * Text of deploy/chart/values.schema.json. It refuses what cannot be meant: a text where a list belongs, a word where a number does. What
 * ingress-nginx's chart takes, it takes: null, numbers as texts (by --set-string), keys that it does not know.
 */
export function chartSchema(): string {
  const schema: Schema = { type: "object", properties: {} }
  for (const { path, type } of readValues()) put(schema, path, schemaOf(type))
  const text = JSON.stringify(
    { $schema: "http://json-schema.org/draft-07/schema#", ...schema, definitions },
    null,
    2,
  )
  return `${withShortLists(text)}\n`
}

function put(schema: Schema, [key = "", ...rest]: readonly string[], value: Schema): void {
  schema.properties ??= {}
  if (rest.length === 0) {
    schema.properties[key] = value
    return
  }
  schema.properties[key] ??= { type: "object" }
  put(schema.properties[key], rest, value)
}

function schemaOf(type: Type): Schema {
  const [name = "", words] = type.split(": ")
  if (words !== undefined) return { enum: words.split(", ") }
  const parts = name.split("|").map(reference)
  return parts.length === 1 ? (parts[0] ?? {}) : { anyOf: parts }
}

function reference(name: string): Schema {
  if (definitions[name] === undefined) throw new Error(`values.yaml: there is no type ${name}`)
  return { $ref: `#/definitions/${name}` }
}

/** As the formatter has it: lists of words on one line. */
function withShortLists(json: string): string {
  return json.replaceAll(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/,\s+/g, ", ")}]`,
  )
}
