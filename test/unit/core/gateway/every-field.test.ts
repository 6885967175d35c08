// No field of the Gateway API is read for nothing: taken away it makes a difference, or it is refused, or docs/gateway-api.md says that it has no effect.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { expect, test } from "vitest"
import type { Fields } from "../../../../controller/model/objects/fields.ts"
import { gatewayFields } from "../../../../controller/model/objects/gateway/gateway-fields.ts"
import { root } from "../../../../harness/paths.ts"
import { changesOf, optionsOf, translationOf } from "../../../../harness/translation.ts"
import { golden, objectsIn } from "../../../support/golden.ts"
import { refusedFields } from "./refused-fields.ts"

type Json = { [field: string]: unknown }

const world = [join(golden, "base.yaml"), join(import.meta.dirname, "every-field.yaml")].flatMap((file) =>
  objectsIn(file),
) as readonly Json[]
const options = optionsOf(["--manifests=/objects", "--gateway-addresses=10.0.0.1,10.0.0.2"])

/** Read in the wanted Services (report/exposure), which are no part of a translation. */
const ofServices = ["Gateway spec.infrastructure.labels", "Gateway spec.infrastructure.annotations"]

/** What is served and said of these objects. */
function outcome(objects: readonly Json[]) {
  const { model, statuses, problems } = translationOf(
    objects.flatMap((object) => changesOf(object, "")),
    options,
  )
  return { model, statuses, problems }
}

function leaves(fields: Fields, path: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, below]) =>
    below === true ? `${path}.${name}` : leaves(below, `${path}.${name}`),
  )
}

const all = Object.entries(gatewayFields).flatMap(([kind, { spec }]) =>
  leaves(spec as Fields, "spec").map((path) => `${kind} ${path}`),
)

/** Every place below a value that a path leads to, in all items of lists. */
function places(value: unknown, [name = "", ...rest]: readonly string[]): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => places(item, [name, ...rest]))
  if (typeof value !== "object" || value === null || !(name in value)) return []
  return rest.length === 0 ? [value as Json] : places((value as Json)[name], rest)
}

/** The world with the field changed in one place; undefined when there is no such place. */
function changed(kind: string, path: string, place: number, change: (at: Json, name: string) => void) {
  const objects = structuredClone(world) as Json[]
  const found = objects.filter((it) => it.kind === kind).flatMap((it) => places(it, path.split(".")))
  const at = found[place]
  if (at === undefined) return undefined
  change(at, path.slice(path.lastIndexOf(".") + 1))
  return objects
}

function remove(at: Json, name: string): void {
  delete at[name]
}

/** Another value of the same type. */
function alter(at: Json, name: string): void {
  const value = at[name]
  at[name] = typeof value === "number" ? value + 1 : typeof value === "string" ? `${value}x` : []
}

const usual = outcome(world)

/** Whether the field says something in any of the places where it is. */
function hasEffect(field: string): boolean {
  const [kind = "", path = ""] = field.split(" ")
  for (const change of [remove, alter])
    for (let place = 0; ; place++) {
      const objects = changed(kind, path, place, change)
      if (objects === undefined) break
      if (!isDeepStrictEqual(outcome(objects), usual)) return true
    }
  return false
}

/** What is refused, and all that is below it. */
function isRefused(field: string): boolean {
  return refusedFields.some((it) => field === it.field || field.startsWith(`${it.field}.`))
}

test("the world of this test is sound", () => {
  const wrong = usual.statuses.flatMap((status) =>
    JSON.stringify(status).includes('"False"') && JSON.stringify(status).includes("UnsupportedValue")
      ? status
      : [],
  )
  expect(wrong).toEqual([])
})

test("every field has an effect, is refused, or is documented as one without", () => {
  const doc = readFileSync(join(root, "docs/gateway-api.md"), "utf8")
  const section = doc.split("## Fields without effect")[1]?.split("\n## ")[0] ?? ""
  const documented = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path)
  const silent = all.filter((it) => !ofServices.includes(it) && !isRefused(it) && !hasEffect(it))
  expect([...new Set(silent.map((it) => it.split(" ")[1]))].sort()).toEqual(documented.sort())
})

test.each(refusedFields)("$field is refused, and its condition says so", ({ field, at, value }) => {
  const [kind = ""] = field.split(" ")
  const objects = changed(kind, at, 0, (part, name) => {
    part[name] = value
  })
  const { statuses } = outcome(objects ?? [])
  const conditions = statuses.filter((it) => it.kind === kind).map((it) => JSON.stringify(it.status))
  expect(conditions.join()).toMatch(/UnsupportedValue|"type":"Accepted","status":"False"/)
})
