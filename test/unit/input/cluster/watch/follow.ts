import type { Api } from "../../../../../controller/input/cluster/api.ts"
import type { Delta } from "../../../../../controller/input/cluster/watch/delta.ts"
import type { WatchObserver } from "../../../../../controller/input/cluster/watch/observer.ts"
import { reflect } from "../../../../../controller/input/cluster/watch/reflect.ts"

export interface Following {
  /** `--sync-period` */
  readonly relistMs?: number
  /** before the state follows it */
  readonly check?: (delta: Delta, state: ReadonlyMap<string, number>) => void
  readonly random?: () => number
}

/** Reflects an API server, and keeps what is yielded as a consumer would: names without their namespace, and versions. */
export function follow(api: Api, { relistMs = 0, check = () => {}, random = () => 0.5 }: Following = {}) {
  const stop = new AbortController()
  const told: string[] = []
  const observer: WatchObserver = {
    contact() {},
    listed: () => told.push("listed"),
    failed: (cause) => told.push(cause),
    close: () => told.push("closed"),
  }
  const deltas: Delta[] = []
  const state = new Map<string, number>()
  const resource = { title: "Things", path: "/api/v1/things", selectors: { labelSelector: "a=b" } }
  const generator = reflect({ api, resource, signal: stop.signal, observer, relistMs, random })
  const done = (async () => {
    for await (const delta of generator) {
      check(delta, state)
      deltas.push(delta)
      for (const change of delta.changes) {
        if (change.kind === "set") state.set(nameIn(change.name), Number(change.version))
        else state.delete(nameIn(change.name))
      }
    }
  })()
  return { deltas, state, told, done, stop: () => stop.abort() }
}

/** Without the namespace, which all have. */
export function nameIn(qualified: string): string {
  return qualified.slice("shop/".length)
}
