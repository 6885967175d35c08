import type { ConfigMap } from "../../model/objects/config-map.ts"
import { keys, plannedKeys, unneededKeys } from "./key-table.ts"

const known: ReadonlySet<string> = new Set([...keys, ...plannedKeys, ...unneededKeys].map(({ name }) => name))

/** Whether a ConfigMap looks like one of global settings: half of its keys or more are keys of those. */
export function holdsSettings({ data }: ConfigMap): boolean {
  const names = Object.keys(data)
  return names.length > 0 && names.filter((name) => known.has(name.toLowerCase())).length * 2 >= names.length
}
