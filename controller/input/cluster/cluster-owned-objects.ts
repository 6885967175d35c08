import type { Kind } from "../../model/objects/object.ts"
import { recordOf } from "../../model/objects/reader.ts"
import type { OwnedKey, OwnedObjects } from "../provider/owned-objects.ts"
import { type Api, ApiFailure } from "./api.ts"
import { pathOf, pathOfObject, typeOf } from "./kinds.ts"

/** What this controller makes in a cluster; found again by a label. */
export class ClusterOwnedObjects implements OwnedObjects {
  readonly #api: Pick<Api, "send">
  readonly #label: { readonly name: string; readonly value: string }
  readonly #seen = new Map<string, unknown>()

  constructor(api: Pick<Api, "send">, label: { readonly name: string; readonly value: string }) {
    this.#api = api
    this.#label = label
  }

  get seen(): ReadonlyMap<string, unknown> {
    return this.#seen
  }

  /** @param name `namespace/name` @param object as the API server sent it; undefined when it is gone */
  observe(kind: Kind, name: string, object: unknown): void {
    if (kind !== "Service" && kind !== "EndpointSlice") return
    const key = `${kind} ${name}`
    if (this.#isOurs(object)) this.#seen.set(key, object)
    else this.#seen.delete(key)
  }

  async update(key: OwnedKey, change: (found: unknown) => unknown, signal: AbortSignal): Promise<void> {
    const path = pathOfObject(key.kind, key)
    const found = await this.#api.send({ method: "GET", path }, signal).catch(unlessGone)
    const changed = change(found)
    if (changed === undefined) return
    const body = { ...typeOf(key.kind), ...recordOf(changed) }
    if (found === undefined)
      await this.#api.send({ method: "POST", path: pathOf(key.kind, key.namespace), body }, signal)
    else await this.#api.send({ method: "PUT", path, body }, signal)
  }

  async remove(key: OwnedKey, signal: AbortSignal): Promise<void> {
    await this.#api.send({ method: "DELETE", path: pathOfObject(key.kind, key) }, signal).catch(unlessGone)
  }

  #isOurs(object: unknown): boolean {
    const { labels } = recordOf(recordOf(object).metadata)
    return recordOf(labels)[this.#label.name] === this.#label.value
  }
}

function unlessGone(error: unknown): undefined {
  if (error instanceof ApiFailure && error.status === 404) return undefined
  throw error
}
