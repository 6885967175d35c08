import { request as start } from "node:https"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { type ApiObject, type Login, pathOf } from "../../harness/cluster/client.ts"

/** All objects of one kind, kept as the API server has them. */
export class Watch {
  readonly #objects = new Map<string, ApiObject>()
  readonly #path: string
  readonly #login: Login
  readonly #changed: (object: ApiObject, isDeleted: boolean) => void
  readonly #end = new AbortController()
  readonly #ended: Promise<void>

  /** @param changed is told of every object that is there, and of every change */
  constructor(login: Login, kind: string, changed: (object: ApiObject, isDeleted: boolean) => void) {
    this.#login = login
    this.#changed = changed
    const query = new URLSearchParams({
      watch: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
      allowWatchBookmarks: "true",
    })
    this.#path = `${pathOf(kind, "/")}?${query}`
    this.#ended = this.#follow()
  }

  /** As they are now. */
  get objects(): readonly ApiObject[] {
    return [...this.#objects.values()]
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.#ended
  }

  /** Again when the API server ends it. What was deleted between two watches stays: nothing here outlives its API server. */
  async #follow(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      await this.#read().catch(() => {})
      await pause(100, undefined, { signal }).catch(() => {})
    }
  }

  async #read(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>()
    const { token: _, ...tls } = this.#login
    const path = this.#path
    start({ ...tls, host: "127.0.0.1", path, agent: false, signal: this.#end.signal }, resolve)
      .on("error", reject)
      .end()
    const input = await promise
    // An event that has no end is one that the API server did not finish.
    for await (const line of createInterface({ input })) this.#take(JSON.parse(line))
  }

  #take({ type, object }: { type: string; object: ApiObject }): void {
    if (type === "BOOKMARK" || type === "ERROR") return
    const { uid } = object.metadata
    if (type === "DELETED") this.#objects.delete(uid)
    else this.#objects.set(uid, object)
    this.#changed(object, type === "DELETED")
  }
}
