import { isRecord } from "../objects/reader.ts"
import type { NamedKind } from "../provider/source.ts"
import { type Api, ApiFailure } from "./api.ts"
import { byName, pathOf, selectorsOf } from "./kinds.ts"
import type { Content } from "./named-objects.ts"

/** Which object, and how old its content may be. */
export interface Wanted {
  readonly kind: NamedKind
  /** `namespace/name` */
  readonly name: string
  /** the version that was announced, or a later one */
  readonly atLeast: string
}

/**
 * Reads one object, as a list of what has its name: the right to list is needed for the watch anyway, and the one to get would be one more. With
 * the version the API server answers from its cache; without, it first asks etcd whether that is up to date, and that takes up to 100 ms.
 *
 * @returns undefined when there is none
 * @throws ApiFailure
 */
export async function readByName(
  api: Pick<Api, "send">,
  { kind, name: qualified, atLeast }: Wanted,
  signal: AbortSignal,
): Promise<Content | undefined> {
  const [namespace = "", name = ""] = qualified.split("/")
  const query = {
    ...selectorsOf(kind, byName(name)),
    resourceVersion: atLeast,
    resourceVersionMatch: "NotOlderThan",
  }
  const list = await api.send({ method: "GET", path: pathOf(kind, namespace), query }, signal)
  const items: readonly unknown[] | undefined =
    isRecord(list) && Array.isArray(list.items) ? list.items : undefined
  if (items === undefined) throw new ApiFailure("the answer is no list", { status: 0 })
  return items.length === 0 ? undefined : contentOf(items[0], name)
}

function contentOf(object: unknown, name: string): Content {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {}
  const { name: found, resourceVersion: version } = metadata
  if (found !== name || typeof version !== "string")
    throw new ApiFailure("the answer is another object than was asked for", { status: 0 })
  return { version, object }
}
