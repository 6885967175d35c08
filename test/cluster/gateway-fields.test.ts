// The fields that are known of the Gateway API are all that its definitions have: one that is not known would be read by nobody, and no test would ask.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import type { Fields } from "../../controller/model/objects/fields.ts"
import { gatewayFields } from "../../controller/model/objects/gateway/gateway-fields.ts"
import { root } from "../../harness/paths.ts"

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

interface Definition {
  readonly kind: string
  readonly spec: {
    readonly names: { readonly kind: string }
    readonly versions: readonly {
      readonly name: string
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

const folder = join(root, "out/gateway-crds")
const definitions = readdirSync(folder)
  .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), "utf8")))
  .map((document) => document.toJS() as Definition | null)
  .filter((it) => it?.kind === "CustomResourceDefinition")

/** The paths of a schema that are not among the fields. */
function unknownIn({ properties, items }: Schema, known: Fields | true | undefined, path: string): string[] {
  if (known === undefined) return [path]
  if (items !== undefined) return unknownIn(items, known, path)
  if (known === true) return properties === undefined ? [] : [`${path}: its fields`]
  return Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    unknownIn(schema, known[name], `${path}.${name}`),
  )
}

test("there is a definition of each kind", () => {
  expect(definitions.map((it) => it?.spec.names.kind).sort()).toEqual(Object.keys(gatewayFields).sort())
})

test.each(Object.entries(gatewayFields))("every field of a %s is known", (kind, known) => {
  const definition = definitions.find((it) => it?.spec.names.kind === kind)
  const version = definition?.spec.versions.find(({ name }) => name === "v1")
  const spec = version?.schema.openAPIV3Schema.properties?.spec
  expect(unknownIn(spec ?? {}, known.spec, "spec")).toEqual([])
  expect(Object.keys(spec?.properties ?? {})).not.toEqual([])
})
