import { expect, test } from "vitest"
import {
  annotationPath,
  fieldPath,
  isOfAnnotations,
  type Step,
} from "../../../controller/model/field-path.ts"
import { sources, textOf } from "../../support/imports.ts"

test.each<[string, ...Step[]]>([
  ["spec.rules[0].http.paths[1].path", "spec", "rules", 0, "http", "paths", 1, "path"],
  ["spec.rules[0].host", "spec.rules[0]", "host"],
  ['metadata.annotations["a/b"]', "metadata", "annotations", ["a/b"]],
  ['data["use-gzip"]', "data", ["use-gzip"]],
  ['data["\\"]\\n"]', "data", ['"]\n']],
  ["spec", "", "spec"],
  ["spec", "spec", ""],
  ["", ""],
])("%s", (path, ...steps) => {
  expect(fieldPath(...steps)).toBe(path)
})

test("annotations are known by their paths", () => {
  expect(annotationPath("a/b")).toBe('metadata.annotations["a/b"]')
  expect(["metadata.annotations", annotationPath("a/b"), "metadata.name", ""].map(isOfAnnotations)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test("nobody else puts paths together", () => {
  const joins = /["'`][\w.]*(annotations|data|rules|paths|tls|addresses|endpoints)\[|`\$\{(\w+\.)?field\}[.[]/
  expect(sources().filter((source) => joins.test(withoutComments(textOf(source))))).toEqual([])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*/g, "")
}
