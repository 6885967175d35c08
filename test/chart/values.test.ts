// Every value of ingress-nginx's chart changes what it changes there, or NOTES.txt says that it does not; and a real API server takes what comes of it.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readValues } from "../../build/reference/chart/values.ts"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { shared } from "../../harness/paths.ts"
import { startCluster } from "./support/cluster.ts"
import { difference } from "./support/difference.ts"
import { DryRun } from "./support/dry-run.ts"
import { type Rendering, renderAll } from "./support/helm.ts"
import { keysOf, type Row, readRows, valuesOf } from "./support/rows.ts"

const rows = readRows()
const changes = new Map<Row, readonly string[]>()
const renderings: Rendering[] = []
let server: ApiServer
afterAll(() => server?.stop())

beforeAll(async () => {
  server = await startCluster()
  const jobs = rows.flatMap(({ value, set, given = {} }) => [
    { values: JSON.stringify(valuesOf(given)) },
    { values: JSON.stringify(valuesOf({ ...given, [value]: set })) },
  ])
  renderings.push(...renderAll(jobs))
  rows.forEach((row, index) => {
    const [before, after] = renderings.slice(2 * index, 2 * index + 2)
    if (before !== undefined && after !== undefined) changes.set(row, difference(before, after))
  })
})

test("every value renders", () => {
  expect(renderings.map(({ error }) => error).filter((error) => error !== "")).toEqual([])
})

test("every value changes something, or is said to have no effect", () => {
  expect(rows.filter((row) => changes.get(row)?.length === 0).map(({ value }) => value)).toEqual([])
})

test("each value changes what it is meant to change, and nothing else", async () => {
  const text = rows.map((row) => {
    const given = row.given === undefined ? "" : `, given ${JSON.stringify(row.given)}`
    return [`${row.value}: ${JSON.stringify(row.set)}${given}`, ...(changes.get(row) ?? [])].join("\n  ")
  })
  await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot("values.txt")
})

/** Rows that rename or move nothing. */
function isPlain(row: Row | undefined): boolean {
  return !/^(name|fullname|namespace)Override$|\.namespace$|pathOverride|MapNamespace/.test(row?.value ?? "")
}

test("every object has the labels that all have, and a namespace if it belongs to one", () => {
  const clusterWide = [
    "ClusterRole",
    "ClusterRoleBinding",
    "GatewayClass",
    "IngressClass",
    "ValidatingWebhookConfiguration",
  ]
  for (const { object } of renderings
    .filter((_, index) => isPlain(rows[index >> 1]))
    .flatMap(({ objects }) => objects)) {
    const { kind, metadata } = object
    expect(metadata.namespace, kind).toBe(clusterWide.includes(kind) ? undefined : "ingress")
    expect(metadata.labels, kind).toMatchObject({
      "helm.sh/chart": expect.stringMatching(/^wick-\d/),
      "app.kubernetes.io/name": "ingress-nginx",
      "app.kubernetes.io/instance": "edge",
      "app.kubernetes.io/version": expect.stringMatching(/^\d/),
      "app.kubernetes.io/part-of": "ingress-nginx",
      "app.kubernetes.io/managed-by": "Helm",
    })
  }
})

test("the API server takes every object", async () => {
  const taken = renderings.filter((_, index) => rows[index >> 1]?.refused === undefined)
  const objects = taken.flatMap((rendering) => rendering.objects.map(({ object }) => object))
  expect([...(await new DryRun(server.admin).refused(objects)).values()]).toEqual([])
})

test("no value of values.yaml is without a row", () => {
  const known = rows.map(({ value }) => value)
  const paths = readValues().map(({ path }) => path.join("."))
  expect(paths.filter((path) => !known.some((one) => one === path || one.startsWith(`${path}.`)))).toEqual([])
})

const facts = join(shared, "spec/chart.json")

interface Facts {
  readonly values: readonly { readonly p: string; readonly d: unknown }[]
  readonly values_read_but_not_in_values_yaml: readonly { readonly p: string }[]
}

describe.skipIf(!existsSync(facts))("of the facts about ingress-nginx's chart", () => {
  test("no value is without a row", () => {
    const text = readFileSync(facts, "utf8")
    const { values, values_read_but_not_in_values_yaml: undeclared } = JSON.parse(text) as Facts
    const known = new Set(rows.map(({ value }) => value))
    const asked = [...values, ...undeclared].flatMap(({ p }) => alternatives(p))
    expect(asked.filter((path) => !known.has(path))).toEqual([])
    expect(values).toHaveLength(345)
  })
})

/** `a.b|c` is `a.b` and `a.c`. */
function alternatives(path: string): string[] {
  const keys = keysOf(path)
  return (keys.pop() ?? "").split("|").map((last) => [...keys, last].join("."))
}
