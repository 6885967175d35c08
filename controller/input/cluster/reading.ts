import { qualifiedName } from "../../model/objects/object.ts"
import { isRecord } from "../../model/objects/reader.ts"
import type { NamedKind } from "../provider/source.ts"
import { type Api, ApiFailure } from "./api.ts"
import { byName, pathOf, selectorsOf } from "./kinds.ts"
import type { Content, Reading } from "./named-objects.ts"
import { pagesOf } from "./pages.ts"

/**
 * Reads Secrets or ConfigMaps by their names. One object is a list of what has its name: the right to list is needed for the watch anyway, and
 * the one to get would be one more. With the version that was announced the API server answers from its cache, in 1 ms; without, it asks etcd
 * first whether that is up to date, and takes up to 100 ms for it.
 */
export function readingOf(api: Pick<Api, "send">, kind: NamedKind, signal: AbortSignal): Reading {
  const list = (namespace: string, query: Readonly<Record<string, string>>) =>
    api.send({ method: "GET", path: pathOf(kind, namespace), query }, signal)
  return {
    async one(qualified, atLeast) {
      const [namespace = "", name = ""] = qualified.split("/")
      const version = { resourceVersion: atLeast, resourceVersionMatch: "NotOlderThan" }
      const answer = await list(namespace, { ...selectorsOf(kind, byName(name)), ...version })
      return contentsOf(answer).get(qualified)
    },

    async *all(namespace) {
      const pages = pagesOf((query) => list(namespace, { ...selectorsOf(kind), ...query }))
      for await (const page of pages) yield contentsOf(page)
    },
  }
}

/** By `namespace/name`. @throws ApiFailure when the answer is no list of objects */
function contentsOf(list: unknown): ReadonlyMap<string, Content> {
  // an empty list may be null
  const items: unknown = isRecord(list) && "items" in list ? (list.items ?? []) : undefined
  if (!Array.isArray(items)) throw new ApiFailure("the answer is no list", { status: 0 })
  return new Map(items.map((object: unknown) => [nameOf(object), { version: versionOf(object), object }]))
}

function nameOf(object: unknown): string {
  return qualifiedName({ namespace: metadataOf(object, "namespace"), name: metadataOf(object, "name") })
}

function versionOf(object: unknown): string {
  return metadataOf(object, "resourceVersion")
}

function metadataOf(object: unknown, field: string): string {
  const value = isRecord(object) && isRecord(object.metadata) ? object.metadata[field] : undefined
  if (typeof value === "string") return value
  throw new ApiFailure(`the answer has an object without metadata.${field}`, { status: 0 })
}
