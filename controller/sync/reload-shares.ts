import type { Problem } from "../model/problem.ts"
import { type Host, locationsOf, type Route } from "../model/route.ts"
import { routeSourceOf } from "../model/route-source.ts"
import { RateLimit } from "../support/rate-limit.ts"

/**
 * Of the reloads that `--sync-rate-limit` allows a namespace may cause one of so many, after the first ones: by default one in 83 s, so that
 * `worker-shutdown-timeout` has ended the workers of four earlier ones before there is a fifth.
 */
const part = 25
/** An application with some locations of its own comes at once. */
const burst = 2

/**
 * How soon a namespace may cause another reload: each one leaves workers behind that serve what they have begun. Whoever has had its share waits,
 * unless there is a reload for others anyway.
 */
export class ReloadShares {
  readonly #perSecond: number
  readonly #now: () => number
  readonly #limits = new Map<string, RateLimit>()

  /** @param perSecond of all reloads; @param now a clock in milliseconds that never goes back */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond / part
    this.#now = now
  }

  /** Milliseconds until one of them may cause a reload; 0 when one may now, or when it is nobody's. */
  waitMs(namespaces: ReadonlySet<string>): number {
    const waits = [...namespaces].map((namespace) => this.#limits.get(namespace)?.waitMs() ?? 0)
    return waits.length === 0 ? 0 : Math.min(...waits)
  }

  /** There is a reload, for these among others: each of them has had it. */
  take(namespaces: ReadonlySet<string>): void {
    for (const [namespace, limit] of this.#limits) if (limit.isFull) this.#limits.delete(namespace)
    for (const namespace of namespaces) {
      const limit = this.#limits.get(namespace) ?? new RateLimit(this.#perSecond, burst, this.#now)
      this.#limits.set(namespace, limit)
      limit.take()
    }
  }
}

/** The routes that name one of these locations. */
export function routesNaming(hosts: readonly Host[], locations: ReadonlySet<string>): readonly Route[] {
  const routes = hosts.flatMap((host) => host.routes)
  return routes.filter((route) => locationsOf(route).some((location) => locations.has(location)))
}

/** One for each Ingress whose paths wait. It is the same as long as they do. */
export function waitingProblems(waiting: readonly Route[]): readonly Problem[] {
  const names = new Map(waiting.map((route) => [`${route.namespace}/${route.ingressName}`, route]))
  return [...names.values()].map((route) => ({
    object: routeSourceOf(route),
    field: "metadata.annotations",
    code: "reload-waits",
    message: `What the annotations ask for needs a reload of nginx, and namespace "${route.namespace}" has had its share of reloads: hosts with its paths stay what they were until the next one`,
  }))
}
