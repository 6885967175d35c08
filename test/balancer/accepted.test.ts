/** What the controller accepts of an annotation, the filter takes: what is refused only there costs its route, with a Problem that calls it a bug. */
import { expect, test } from "vitest"
import { annotations } from "../../controller/core/annotations/table.ts"
import { liveChange } from "../../controller/core/plan/change.ts"
import { emptyLive } from "../../controller/model/model.ts"
import { bodyOf, type Item, setItemsOf } from "../../controller/output/control/wire.ts"
import {
  ingress,
  meta,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../harness/objects.ts"
import { hostile } from "../support/hostile.ts"
import { Worker } from "./host.ts"

/** Beside a path that it may be the canary of, and a pattern. */
const world = [
  ...["cart", "main"].flatMap((name) => [
    service(`shop/${name}`, "http:80>8080"),
    slice(`shop/${name}`, ["10.0.0.1"], "http:8080"),
  ]),
  ingress("shop/main", ["cart.test/ → main:80"], {}, 1),
  ingress("shop/other", ["cart.test/x → main:80"], { "use-regex": "true" }, 1),
]

const letters = ["a", "é", "9", "/", "$host", "a,"]
const lengths = [64, 128, 250, 254, 256, 1024, 3500, 4000, 4096]
const counts = [16, 17, 33, 65, 129, 257, 1000]

function valuesLike(example: string): string[] {
  const many = (n: number, one: (at: number) => string) =>
    Array.from({ length: n }, (_, at) => one(at)).join(",")
  const numbered = (at: number) =>
    example.replace(/\d+|[a-z]+$/i, (part) => (/\d/.test(part) ? `${at % 250}` : `${part}${at}`))
  return [
    ...hostile.map((text) => `${example}${text}`),
    ...letters.flatMap((letter) =>
      lengths.flatMap((n) => [`${example}${letter.repeat(n)}`, letter.repeat(n)]),
    ),
    ...counts.flatMap((n) => [many(n, () => example), many(n, numbered)]),
  ]
}

function itemsWith(own: Readonly<Record<string, string>>): readonly Item[] {
  const asking = { ...ingress("shop/cart", ["cart.test/ → cart:80"]), meta: meta("shop/cart", own) }
  const { live } = translate(snapshot(asking, ...world), settings, options).model
  return [...setItemsOf(liveChange(emptyLive, live))]
}

const named = annotations.map((entry) => [entry.name, entry] as const)

test.each(named)("annotation %s", (name, { example, exampleWith, isOwn }) => {
  const key = (name: string) => (name.includes("/") ? name : `${options.annotationsPrefix}/${name}`)
  const others = Object.entries(exampleWith?.annotations ?? {}).map(([name, value]) => [key(name), value])
  const worker = new Worker()
  const taken = new Set<string>()
  const refused = valuesLike(example).flatMap((value) => {
    const own = { ...Object.fromEntries(others), [isOwn ? `wick.dev/${name}` : key(name)]: value }
    const change = bodyOf(null, "g", itemsWith(own))
    // Much of this is refused before, and then the same is posted.
    if (taken.has(change)) return []
    const { status, body } = worker.post("/configuration/changes", change)
    if (status !== 201) return [{ value: value.slice(0, 80), length: value.length, body }]
    taken.add(change)
    return []
  })
  expect(refused).toEqual([])
})
