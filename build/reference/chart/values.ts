// The values of the chart, as values.yaml and its comments say them: `# -- (type) text` above a key.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

const file = join(import.meta.dirname, "../../../deploy/chart/values.yaml")

/** `int|string`, or `string: A, B` for one of these words. */
export type Type = string

export interface Value {
  /** the keys on the way to it */
  readonly path: readonly string[]
  readonly type: Type
  /** null when it has none */
  readonly fallback: unknown
  /** "" when name and type say enough */
  readonly text: string
}

/** In the order of the file. */
export function readValues(text = readFileSync(file, "utf8")): readonly Value[] {
  const defaults: unknown = parse(text)
  const values: Value[] = []
  const open: { readonly indent: number; readonly key: string }[] = []
  let comment: readonly [type: Type, text: string] | undefined
  for (const line of text.split("\n")) {
    const [, type, said = ""] = /^ *# -- \(([^)]*)\) ?(.*)$/.exec(line) ?? []
    const [, indent = "", key] = /^( *)([\w./-]+):/.exec(line) ?? []
    if (type !== undefined) comment = [type, said]
    if (key === undefined) continue
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent.length) open.pop()
    open.push({ indent: indent.length, key })
    if (comment === undefined) continue
    const path = open.map((one) => one.key)
    values.push({ path, type: comment[0], fallback: at(defaults, path), text: comment[1] })
    comment = undefined
  }
  return values
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key] ?? null,
    value,
  )
}
