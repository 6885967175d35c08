import { compact } from "../../../support/compact.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { RouteChange } from "../followed-routes.ts"
import type { AttachableListener } from "../listeners/attachable.ts"
import type { BuiltRoute } from "../routes/built-route.ts"
import type { SettledRoute } from "../settled-route.ts"

/** A route under one of its names, on one listener. */
export interface Contribution {
  readonly built: BuiltRoute
  /** as the route has it; "": it has none */
  readonly own: string
}

type WebRoute = SettledRoute<BuiltRoute>

const nothing: readonly Contribution[] = []

/** The routes of a listener, by the names under which they are served. */
export class ListenerRoutes {
  readonly #byName = new Map<string, Map<WebRoute, readonly Contribution[]>>()
  readonly #lists = new Map<string, readonly Contribution[]>()

  get names(): Iterable<string> {
    return this.#byName.keys()
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** In no order; the same list while they are the same. */
  of(name: string): readonly Contribution[] {
    const routes = this.#byName.get(name)
    if (routes === undefined) return nothing
    return getOrMake(this.#lists, name, () => compact([...routes.values()].flat()))
  }

  add(name: string, route: WebRoute, contribution: Contribution): void {
    const routes = getOrMake(this.#byName, name, () => new Map<WebRoute, readonly Contribution[]>())
    const before = routes.get(route)
    routes.set(route, before === undefined ? [contribution] : [...before, contribution])
    this.#lists.delete(name)
  }

  remove(name: string, route: WebRoute): void {
    const routes = this.#byName.get(name)
    routes?.delete(route)
    if (routes?.size === 0) this.#byName.delete(name)
    this.#lists.delete(name)
  }
}

/** Names of listeners under which others serve than before. */
export type Touched = ReadonlyMap<AttachableListener, ReadonlySet<string>>

/** Which routes listeners serve, kept from pass to pass. */
export class Contributions {
  readonly #all = new Map<AttachableListener, ListenerRoutes>()

  /** Those of one listener: the same object as long as there is the listener. */
  of(listener: AttachableListener): ListenerRoutes {
    return getOrMake(this.#all, listener, () => new ListenerRoutes())
  }

  /**
   * @param listeners all that there are
   * @param builtOn a route as it is built for a listener
   */
  follow(
    listeners: ReadonlySet<AttachableListener>,
    changes: readonly RouteChange<BuiltRoute>[],
    builtOn: (route: WebRoute, listener: AttachableListener) => BuiltRoute,
  ): Touched {
    const touched = new Map<AttachableListener, Set<string>>()
    const touch = (listener: AttachableListener, name: string) =>
      getOrMake(touched, listener, () => new Set<string>()).add(name)
    for (const gone of this.#all.keys()) if (!listeners.has(gone)) this.#all.delete(gone)
    for (const { before, after } of changes) {
      for (const { listener, served } of placesOf(before)) {
        this.#all.get(listener)?.remove(served, before as WebRoute)
        touch(listener, served)
      }
      for (const { listener, served, own } of placesOf(after)) {
        this.of(listener).add(served, after as WebRoute, { built: builtOn(after as WebRoute, listener), own })
        touch(listener, served)
      }
    }
    return touched
  }
}

/** Where a route is served. */
function placesOf(route: WebRoute | undefined) {
  if (route === undefined) return []
  return route.parents.flatMap(({ attachments }) =>
    attachments.flatMap(({ listener, names }) => names.map((name) => ({ listener, ...name }))),
  )
}
