import { kinds } from "../../core/plan/kinds.ts"
import type { Host, Route } from "../../model/route.ts"
import { closedRoute } from "./closed-route.ts"
import { isGuarded } from "./no-wider.ts"
import type { Poster } from "./poster.ts"
import type { Refusal } from "./refusal.ts"
import { halvesOf, partWith, type RoutePart, routePartsOf } from "./route-parts.ts"
import { headItem, type Item, partItem, partRemoval } from "./wire.ts"

// Posts hosts in parts: first the parts that are not there yet, then the host's own record, which names them all. Who reads the host until then
// finds what it was before. Parts that no host names any more are removed afterwards.

/** How a post ended that may find the zones at another generation. */
type OrOutOfStep<T> = T | "out-of-step"

interface Fitting {
  readonly parts: readonly RoutePart[]
  /** what was left out, part by part */
  readonly refused: readonly LeftOut[]
}

interface LeftOut {
  readonly routes: readonly Route[]
  readonly status: number
  readonly reason: string
}

export class PartedHosts {
  readonly #poster: Pick<Poster, "post" | "postAll">
  /** ids of the parts in the zone */
  #there = new Set<string>()
  /** host → ids of the parts that its record names */
  readonly #named = new Map<string, readonly string[]>()
  /** hosts of which it is not known what their records name */
  #unknown = new Set<string>()

  constructor(poster: Pick<Poster, "post" | "postAll">) {
    this.#poster = poster
  }

  /** What is there was asked for. @param hosts those that have records, by their keys */
  found(parts: Iterable<string>, hosts: Iterable<string>): void {
    this.#there = new Set(parts)
    this.#named.clear()
    this.#unknown = new Set(hosts)
  }

  /** The host's record was removed, or replaced by one without parts. */
  hasNone(host: Pick<Host, "server" | "host">): void {
    this.#note(host, undefined)
  }

  /** Sets a host. @returns what of it is not in force: routes, or the host as a whole */
  async set(host: Host): Promise<OrOutOfStep<readonly Refusal[]>> {
    const fitting = await this.#postParts(host)
    if (fitting === "out-of-step") return fitting
    const noRoom = fitting.refused.filter(({ status }) => status === 507)
    const [first] = noRoom
    // What is served already stays whole until there is room.
    if (first !== undefined && this.#isInForce(host)) return [{ item: headItem(host, []), ...first }]
    if (first !== undefined && noRoom.some(({ routes }) => routes.some(isGuarded))) {
      const { status, reason } = first
      return [{ item: headItem(host, []), status, reason }]
    }
    return this.#postHead(host, fitting)
  }

  /** Removes the parts that no record names. */
  async removeUnused(): Promise<OrOutOfStep<readonly Refusal[]>> {
    if (this.#there.size === 0 || this.#unknown.size > 0) return []
    const named = new Set([...this.#named.values()].flat())
    return this.#remove([...this.#there].filter((id) => !named.has(id)))
  }

  #isInForce(host: Host): boolean {
    return this.#named.has(keyOf(host)) || this.#unknown.has(keyOf(host))
  }

  /** A part that is refused is cut in halves until the routes are found that nginx does not take. Where there is no room, it is left out. */
  async #postParts(host: Host): Promise<OrOutOfStep<Fitting>> {
    let parts = routePartsOf(host)
    const refused: LeftOut[] = []
    /** ids of parts of which nothing more can be tried */
    const last = new Set<string>()
    for (;;) {
      const refusals = await this.#postAll(parts.filter(({ id }) => !this.#there.has(id)).map(partItem))
      if (refusals === "out-of-step") return refusals
      if (refusals.length === 0) return { parts, refused }
      const byId = new Map(refusals.map((refusal) => [refusal.item.name, refusal]))
      const next: RoutePart[] = []
      for (const part of parts) {
        const refusal = byId.get(part.id)
        const mended = refusal === undefined ? taken(part) : await this.#mend(host, part, refusal, last)
        if (mended === "out-of-step") return mended
        next.push(...mended.parts)
        refused.push(...mended.refused)
      }
      parts = next
    }
  }

  /** What to post in the place of a part that was refused. @param last ids of parts that are left out if they are refused */
  async #mend(
    host: Host,
    part: RoutePart,
    { status, reason }: Refusal,
    last: Set<string>,
  ): Promise<OrOutOfStep<Fitting>> {
    if (status === 507 || last.has(part.id))
      return { parts: [], refused: [{ routes: part.routes, status, reason }] }
    const halves = halvesOf(host.host, part)
    if (halves.length > 1) return { parts: halves, refused: [] }
    const fitting = await this.#withoutBad(host, part)
    if (fitting !== "out-of-step") for (const { id } of fitting.parts) last.add(id)
    return fitting
  }

  /** The routes of one path are tried one by one. Those that nginx does not take are closed, for another path must not be open in their place. */
  async #withoutBad({ host }: Host, { routes }: RoutePart): Promise<OrOutOfStep<Fitting>> {
    const good: Route[] = []
    const refused: LeftOut[] = []
    for (const route of routes) {
      const refusal = await this.#try(host, route)
      if (refusal === "out-of-step") return refusal
      if (refusal === undefined) {
        good.push(route)
        continue
      }
      const closed = closedRoute(route)
      const isHopeless = await this.#try(host, closed)
      if (isHopeless === "out-of-step") return isHopeless
      if (isHopeless === undefined) good.push(closed)
      const state = isHopeless === undefined ? `${refusal.reason}; requests get 503` : refusal.reason
      refused.push({ routes: [route], status: refusal.status, reason: state })
    }
    return { parts: good.length === 0 ? [] : [partWith(host, good)], refused }
  }

  /** Posts a part with one route; if no host comes to name it, it goes again. */
  async #try(host: string, route: Route): Promise<OrOutOfStep<Refusal | undefined>> {
    const refusals = await this.#postAll([partItem(partWith(host, [route]))])
    return refusals === "out-of-step" ? refusals : refusals[0]
  }

  /** Where there is no room for the host's own record, parts make room for it. */
  async #postHead(host: Host, { parts, refused }: Fitting): Promise<OrOutOfStep<readonly Refusal[]>> {
    const ids = parts.map(({ id }) => id)
    const item = headItem(host, ids)
    const refusals = await this.#poster.post([item])
    if (refusals === "out-of-step") return refusals
    const [refusal] = refusals
    if (refusal === undefined) {
      this.#note(host, ids)
      const inForce = { ...host, routes: parts.flatMap(({ routes }) => routes) }
      return refused.map((left) => ({ item, ...left, inForce }))
    }
    if (refusal.status !== 507 || this.#isInForce(host) || parts.length === 0) return refusals
    const last = parts.slice(-Math.ceil(parts.length / 16))
    if (last.some(({ routes }) => routes.some(isGuarded))) return refusals
    const removed = await this.#remove(last.map(({ id }) => id))
    if (removed === "out-of-step") return removed
    const { status, reason } = refusal
    const left = last.map(({ routes }) => ({ routes, status, reason }))
    return this.#postHead(host, { parts: parts.slice(0, -last.length), refused: [...refused, ...left] })
  }

  async #remove(ids: readonly string[]): Promise<OrOutOfStep<readonly Refusal[]>> {
    return this.#postAll(ids.map(partRemoval))
  }

  async #postAll(items: readonly Item[]): Promise<OrOutOfStep<readonly Refusal[]>> {
    const refusals = await this.#poster.postAll(items)
    if (refusals === "out-of-step") return refusals
    const refused = new Set(refusals.map(({ item }) => item))
    for (const item of items) if (!refused.has(item)) this.#noteItem(item)
    return refusals
  }

  #noteItem({ verb, name }: Item): void {
    if (verb === "set") this.#there.add(String(name))
    else this.#there.delete(String(name))
  }

  #note(host: Pick<Host, "server" | "host">, ids: readonly string[] | undefined): void {
    const key = keyOf(host)
    this.#unknown.delete(key)
    if (ids === undefined) this.#named.delete(key)
    else this.#named.set(key, ids)
  }
}

function taken(part: RoutePart): Fitting {
  return { parts: [part], refused: [] }
}

function keyOf({ server, host }: Pick<Host, "server" | "host">): string {
  return kinds.hosts.keyOf({ server, host })
}
