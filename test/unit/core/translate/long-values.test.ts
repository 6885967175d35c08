// The longest value that an annotation or path may have still makes texts that a record takes (docs/wire.md): what is put before and behind it has its
// place, too.
import { expect, test } from "vitest"
import { annotations } from "../../../../controller/core/annotations/table.ts"
import { routeFields } from "../../../../controller/output/control/wire-route.ts"
import {
  ingress,
  meta,
  options,
  service,
  settings,
  slice,
  snapshot,
  translate,
} from "../../../../harness/objects.ts"

const maxBytes = 4096
const world = [
  service("shop/cart", "http:80>8080"),
  slice("shop/cart", ["10.0.0.1"], "http:8080"),
  ingress("shop/other", ["cart.test/x → cart:80"], { "use-regex": "true" }),
]

/** The longest text of a route, in bytes, and whether nobody objected. */
function longest(path: string, more: Readonly<Record<string, string>>) {
  const plain = ingress("shop/cart", ["cart.test/ → cart:80"])
  const [rule] = plain.rules
  const rules = rule?.paths?.map((one) => ({ ...rule, paths: [{ ...one, path }] })) ?? []
  const own = Object.entries(more).map(([name, value]) => [
    name.includes("/") ? name : `${options.annotationsPrefix}/${name}`,
    value,
  ])
  const { model, problems } = translate(
    snapshot({ ...plain, rules, meta: meta("shop/cart", Object.fromEntries(own)) }, ...world),
    settings,
    options,
  )
  const routes = model.live.hosts.flatMap(({ routes }) => routes.map(routeFields))
  return { bytes: Math.max(...textsIn(routes).map((text) => Buffer.byteLength(text))), problems }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The greatest number up to `max` that is accepted. */
function greatest(max: number, isAccepted: (n: number) => boolean): number {
  let [low, high] = [0, max]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isAccepted(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const named = annotations.map((entry) => [entry.name, entry] as const)

test.each(named)("annotation %s", (name, { example, exampleWith, isOwn }) => {
  const key = isOwn ? `wick.dev/${name}` : name
  const withMore = (n: number) =>
    longest("/cart", { ...exampleWith?.annotations, [key]: `${example}${"a".repeat(n)}` })
  const isAccepted = (n: number) => withMore(n).problems.every(({ field }) => !field.includes(`/${name}"`))
  expect(withMore(greatest(10_000, isAccepted)).bytes).toBeLessThanOrEqual(maxBytes)
})

test.each([
  ["beside patterns", {}],
  ["that is a pattern", { "use-regex": "true" }],
  ["that is rewritten", { "rewrite-target": "/x" }],
])("a path %s", (_, more) => {
  const path = (n: number) => `/${"a".repeat(n)}`
  const n = greatest(10_000, (n) => longest(path(n), more).problems.length === 0)
  expect(n).toBeGreaterThan(4000)
  expect(longest(path(n), more).bytes).toBeLessThanOrEqual(maxBytes)
})
