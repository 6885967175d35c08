import type { GatewayRoute } from "../../model/objects/object.ts"
import type { Service } from "../../model/objects/service.ts"
import type { Change } from "../../support/incremental/changes.ts"
import { sameItems } from "../../support/incremental/last-result.ts"
import { Multimap } from "../../support/incremental/multimap.ts"
import { changedSince } from "../../support/incremental/shared-map.ts"
import { SortedList } from "../../support/incremental/sorted-list.ts"
import { setOrDelete } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { Built, SettledRoute } from "./settled-route.ts"

export type RouteChange<B extends Built = Built> = Change<SettledRoute<B>>

/** What routes are settled in. */
interface RouteWorld {
  readonly services: ReadonlyMap<string, Service>
  /** what any of them may depend on beside the Services that it names */
  readonly common: readonly unknown[]
}

/**
 * The routes of a kind as they are settled, kept from pass to pass. Looked at are those that have changed, and those that name a Service that has; all
 * of them where anything else is another object.
 */
export class FollowedRoutes<R extends GatewayRoute, B extends Built> {
  readonly #settled = new Map<string, SettledRoute<B>>()
  readonly #inOrder = new SortedList<SettledRoute<B>>(byName)
  /** names of routes by the Services that they name */
  readonly #users = new Multimap<string>()
  #routes: ReadonlyMap<string, R> = new Map()
  #world: RouteWorld = { services: new Map(), common: [] }

  /** @returns where one is settled in another way than in the pass before */
  follow(
    routes: ReadonlyMap<string, R>,
    world: RouteWorld,
    settle: (route: R) => SettledRoute<B> | undefined,
  ): readonly RouteChange<B>[] {
    const names = this.#concerned(routes, world)
    this.#routes = routes
    this.#world = world
    return [...names].flatMap((name) => {
      const route = routes.get(name)
      return this.#replace(name, route && settle(route))
    })
  }

  /** In the order of their names; the same list while they are the same. */
  get all(): readonly SettledRoute<B>[] {
    return this.#inOrder.items()
  }

  /** Those that name a Service. */
  of(service: string): readonly SettledRoute<B>[] {
    return [...this.#users.of(service)].flatMap((name) => this.#settled.get(name) ?? [])
  }

  #concerned(routes: ReadonlyMap<string, R>, { services, common }: RouteWorld): Iterable<string> {
    const changed = changedSince(this.#routes, routes)
    const served = changedSince(this.#world.services, services)
    if (changed === undefined || served === undefined || !sameItems(this.#world.common, common))
      return new Set([...this.#settled.keys(), ...routes.keys()])
    return new Set([...changed, ...[...served].flatMap((service) => [...this.#users.of(service)])])
  }

  #replace(name: string, after: SettledRoute<B> | undefined): readonly RouteChange<B>[] {
    const before = this.#settled.get(name)
    if (before === after) return []
    setOrDelete(this.#settled, name, after)
    if (before !== undefined) {
      this.#inOrder.remove(before)
      for (const service of before.built.services) this.#users.remove(service, name)
    }
    if (after !== undefined) {
      this.#inOrder.add(after)
      for (const service of after.built.services) this.#users.add(service, name)
    }
    return [{ before, after }]
  }
}

function byName({ built: { route: a } }: SettledRoute, { built: { route: b } }: SettledRoute): number {
  return compareText(a.meta.namespace, b.meta.namespace) || compareText(a.meta.name, b.meta.name)
}
