import type { Ingress } from "../../model/objects/ingress.ts"
import type { Entry } from "./entry.ts"
import { gate } from "./parse.ts"

/** One annotation as it was read, and where it stands. */
export type Single<T> =
  | { readonly kind: "value"; readonly key: string; readonly value: T }
  | { readonly kind: "refused"; readonly key: string }

/** What can be read by itself: an annotation of ingress-nginx's that has one name. */
type SingleEntry<T> = Pick<Entry<T>, "name" | "parse"> & {
  readonly aliases?: undefined
  readonly isOwn?: undefined
}

/**
 * Reads one annotation for a caller that asks for no other, as `readAnnotations` reads all.
 *
 * @param prefix `--annotations-prefix`
 * @returns undefined where it is absent or empty
 */
export function readSingle<T>(
  { name, parse }: SingleEntry<T>,
  { meta }: Ingress,
  prefix: string,
): Single<T> | undefined {
  const key = `${prefix}/${name}`
  const text = meta.annotations[key] ?? ""
  if (text === "") return undefined
  const parsed = gate(parse)(text)
  return parsed.kind === "value" ? { kind: "value", key, value: parsed.value } : { kind: "refused", key }
}
