// Values that pages show: the chart's schema takes them, they render, and NOTES.txt has nothing to say about them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import type { Json } from "../../harness/manifests.ts"
import { root } from "../../harness/paths.ts"
import { documentsOf, examplesOf, isObject, pages } from "../support/examples.ts"
import { chart, notices, render } from "./support/helm.ts"

const known = parse(readFileSync(join(chart, "values.yaml"), "utf8")) as Json

const shown = pages.flatMap(examplesOf).flatMap((example) => {
  const [values] = documentsOf(example)
  const isValues = !isObject(values) && Object.keys(values as Json).every((key) => key in known)
  return isValues ? [{ name: `${example.page}:${example.line}`, values: values as Json }] : []
})
const quickstart = "examples/quickstart/values.yaml"
const written = { name: quickstart, values: parse(readFileSync(join(root, quickstart), "utf8")) as Json }

test("pages show values", () => expect(shown.length).toBeGreaterThan(8))

test.each([...shown, written])("$name", ({ values }) => {
  expect(notices(render(values))).toEqual([])
})
