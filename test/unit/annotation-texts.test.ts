// Annotations are read once, in core/annotations. Code elsewhere that compares the text of one reads it by a second rule, and "True" is then no
// `true` to him: all others take values. The sources are read for it.

import { expect, test } from "vitest"
import { sources, textOf } from "../support/imports.ts"

/** Files that may, and why: by the end of their paths. */
const reasons = {
  "cli/lint/refusals.ts": "what ingress-nginx makes of a text, by its own checks",
  "convert/kept-annotations.ts": "hands them on as they are",
  "ingress/annotated-routes.ts": "hands those of a route to the one who reads them",
  "admission/standing.ts": "whether an author has changed an annotation, whatever it says",
  "input/store/class.ts": "kubernetes.io/ingress.class, an annotation of Kubernetes",
  "backends/zones.ts": "service.kubernetes.io/topology-mode, an annotation of Services",
}

/** How the texts of an object's annotations are reached. Keys alone are no text. */
const ways = [
  /(?<!\bObject\.(?:keys|hasOwn)\((?:\w+\.)*)\bmeta\??\.annotations\b/g,
  /\bmeta: \{[^{}]*\bannotations\b/g,
  /\{[^{}]*\bannotations\b[^{}]*\} = (?:\w+\.)*meta\b(?!\.)/g,
]

function readsOf(text: string): readonly string[] {
  return ways.flatMap((way) => text.match(way) ?? [])
}

const outside = sources().filter((path) => !path.startsWith("core/annotations/"))

test("finds each way in which a text can be reached", () => {
  const text = `
    const a = ingress.meta.annotations["x/canary"]
    const { annotations } = ingress.meta
    const f = ({ meta: { annotations: texts } }: Ingress) => texts
    for (const [key, value] of Object.entries(meta.annotations)) use(key, value)
    const keys = Object.keys(meta.annotations)
    const isThere = Object.hasOwn(meta.annotations, key)
    const { annotations: said } = subject
  `
  expect(readsOf(text)).toHaveLength(4)
})

test("outside of core/annotations nobody reads the text of an annotation", () => {
  const reading = outside.filter((path) => readsOf(textOf(path)).length > 0)
  const isExcused = (path: string) => Object.keys(reasons).some((end) => path.endsWith(end))
  expect(reading.filter((path) => !isExcused(path))).toEqual([])
  expect(Object.keys(reasons).filter((end) => !reading.some((path) => path.endsWith(end)))).toEqual([])
})
