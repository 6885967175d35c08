import type { MapKey } from "../../../model/http/requests.ts"

/** A `map` of nginx: the variable `name` gets the value of the first row that `source` is, else `otherwise`. Values may have variables. */
export interface VariableMap {
  readonly source: string
  readonly name: string
  readonly otherwise: string
  readonly rows: readonly Row[]
}

interface Row {
  /** as nginx reads it */
  readonly key: string
  readonly value: string
}

export function variableMap(
  source: string,
  name: string,
  otherwise: string,
  rows: Readonly<Record<string, string>> = {},
): VariableMap {
  return { source, name, otherwise, rows: Object.entries(rows).map(([key, value]) => ({ key, value })) }
}

/** A map of these keys to one value; its result never depends on what a regular expression matched. */
export function membership(
  source: string,
  name: string,
  keys: readonly MapKey[],
  { inside, outside }: { readonly inside: string; readonly outside: string },
): VariableMap {
  const printed = new Map(keys.map((key) => [identity(key), { key: printedKey(key), value: inside }]))
  return { source, name, otherwise: outside, rows: [...printed.values()] }
}

/** nginx compares texts without regard to case, and refuses two that are the same. */
function identity(key: MapKey): string {
  return key.kind === "text" ? key.text.toLowerCase() : printedKey(key)
}

/** The backslash keeps words of the directive, such as `include`, from being taken for that. */
function printedKey(key: MapKey): string {
  return key.kind === "text" ? `\\${key.text}` : `~${key.ignoresCase ? "*" : ""}${key.pattern}`
}

/** The least bucket size, in bytes, with which nginx takes a hash of these keys. Source: nginx, NGX_HASH_ELT_SIZE. */
export function bucketSizeFor(keys: readonly string[]): number {
  const longest = keys.reduce((most, key) => Math.max(most, Buffer.byteLength(key)), 0)
  const element = 8 + Math.ceil((longest + 2) / 8) * 8
  return 2 ** Math.ceil(Math.log2(element + 8))
}

/**
 * The variable that gives the value of `name`: itself, or the one behind maps that change nothing. Locations use that, because nginx works
 * each map out anew for every request; the maps stay for those whose log formats have them.
 */
export function withoutIdleMaps(name: string, maps: readonly VariableMap[]): string {
  const map = maps.find((candidate) => candidate.name === name)
  return map !== undefined && isIdle(map) ? withoutIdleMaps(map.source, maps) : name
}

function isIdle({ source, otherwise, rows }: VariableMap): boolean {
  return otherwise === source && rows.every(({ key, value }) => key === value)
}
