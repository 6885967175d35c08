// The rows of values.yaml.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import type { Json } from "../../../harness/manifests.ts"

export interface Row {
  /** path in the values of the chart */
  readonly value: string
  readonly set: unknown
  /** what it needs to have an effect, by path */
  readonly given?: Readonly<Record<string, unknown>>
  /** what the API server has against it: a value that is only there to be seen */
  readonly refused?: string
}

export function readRows(): readonly Row[] {
  return parse(readFileSync(join(import.meta.dirname, "../values.yaml"), "utf8")) as Row[]
}

/** Values of a chart from their paths. */
export function valuesOf(byPath: Readonly<Record<string, unknown>>): Json {
  const values: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(byPath)) put(values, keysOf(path), value)
  return values as Json
}

/** `controller.nodeSelector.kubernetes.io/os` has a key with a dot in it. */
export function keysOf(path: string): string[] {
  return path.match(/kubernetes\.io\/os|[^.]+/g) ?? []
}

function put(into: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[key] = value
    return
  }
  into[key] ??= {}
  put(into[key] as Record<string, unknown>, rest, value)
}
