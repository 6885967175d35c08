import type { Meta } from "../../model/objects/meta.ts"
import { ownPrefix } from "../options/conflicts.ts"
import { annotationByName } from "./table.ts"

// What is asked about an annotation is asked about the annotation, however it is spelled: `whitelist-source-range` is `allowlist-source-range`.

/** An annotation as it stands in an Ingress. */
export interface Written {
  readonly key: string
  readonly value: string
}

/**
 * The whole key of the annotation that a key is another spelling of; of what the controller does not read, the key itself.
 *
 * @param key    whole, or without a prefix a name of the controller's
 * @param prefix `--annotations-prefix`
 */
export function canonicalKey(key: string, prefix: string): string {
  const name = nameUnder(key, prefix) ?? (key.includes("/") ? undefined : key)
  if (name === undefined) return key
  const entry = annotationByName.get(name)
  const isOwn = key.includes("/") ? key.startsWith(`${ownPrefix}/`) : entry?.isOwn === true
  if (isOwn) return `${ownPrefix}/${name}`
  const today = entry?.isOwn === true ? name : (entry?.name ?? name)
  return `${prefix}/${today}`
}

/** By canonical key, what of several spellings has an effect: that of today, unless it is empty (read.ts). */
export function effectiveAnnotations(
  annotations: Readonly<Record<string, string>>,
  prefix: string,
): ReadonlyMap<string, Written> {
  const found = new Map<string, Written>()
  for (const [key, value] of Object.entries(annotations)) {
    const canonical = canonicalKey(key, prefix)
    const other = found.get(canonical)?.value ?? ""
    if (other === "" || (canonical === key && value !== "")) found.set(canonical, { key, value })
  }
  return found
}

/** Annotations that are there and say nothing: their names of today, and their keys. */
export function emptyAnnotations(
  { annotations }: Meta,
  prefix: string,
): readonly { readonly name: string; readonly key: string }[] {
  return [...effectiveAnnotations(annotations, prefix)].flatMap(([canonical, { key, value }]) => {
    const name = nameUnder(canonical, prefix)
    return value === "" && name !== undefined ? [{ name, key }] : []
  })
}

/** Without the prefix, if it is one of those that are read. */
export function nameUnder(key: string, prefix: string): string | undefined {
  for (const read of [prefix, ownPrefix]) if (key.startsWith(`${read}/`)) return key.slice(read.length + 1)
  return undefined
}
