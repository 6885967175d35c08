import type { ConfigMap } from "../../model/objects/config-map.ts"
import { keys, unneededKeys } from "./key-table.ts"

const known = new Set([...keys, ...unneededKeys].map(({ name }) => name))

/** Whether all keys of a ConfigMap are those of ingress-nginx's, so that it is hardly anything else. */
export function looksLikeSettings({ data }: Pick<ConfigMap, "data">): boolean {
  const names = Object.keys(data)
  return names.length > 0 && names.every((name) => known.has(name.toLowerCase()))
}
