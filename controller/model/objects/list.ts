import { isRecord } from "./reader.ts"

/**
 * The objects in a value: those of a `List` or of a typed list such as `IngressList`, whose items may leave kind and apiVersion to it; or the
 * value itself. Lists may hold lists.
 */
export function* expandLists(value: unknown): Generator<unknown> {
  if (
    !isRecord(value) ||
    typeof value.kind !== "string" ||
    !value.kind.endsWith("List") ||
    !Array.isArray(value.items)
  ) {
    yield value
    return
  }
  const kind = value.kind.slice(0, -"List".length)
  const typed = kind === "" ? {} : { kind, apiVersion: value.apiVersion }
  for (const item of value.items) yield* expandLists(isRecord(item) ? { ...typed, ...item } : item)
}
