import { isDeepStrictEqual } from "node:util"
import { annotationsPath } from "../model/field-path.ts"
import type { Http } from "../model/http.ts"
import { sharedServer } from "../model/listener.ts"
import type { Location } from "../model/location.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { ObjectName, Problem } from "../model/problem.ts"
import { type Host, locationsOf, type Route } from "../model/route.ts"
import { routeSourceOf } from "../model/route-source.ts"
import type { ServerBlock } from "../model/server-block.ts"
import { assertSame, byContentName, isAmong } from "../support/content-name.ts"
import { getOrMake } from "../support/maps.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

/** What may be left out of a configuration by itself. Its name is a hash of its content. */
type Part = Location | ServerBlock

/** A part that nginx did not take, its words, and the settings beside which it did not. */
interface Refused {
  readonly part: Part
  readonly reason: string
  readonly http: Http
}

/**
 * The model without locations and server blocks that nginx refuses, so that nobody else waits for them. One that is changed has another name and is
 * tried anew, and so is every one when the settings around it are others.
 */
export class CheckedLocations {
  readonly #refused = new Map<string, Refused>()

  /** @returns the model to try, where routes of what is refused answer 503, and a Problem for each Ingress that has such routes */
  leaveOut(model: Model): { readonly model: Model; readonly problems: readonly Problem[] } {
    if (this.#refused.size === 0) return { model, problems: [] }
    const { fixed, live } = model
    const parts = partsOf(fixed)
    const left = parts.filter((part) => !this.#isRefused(part))
    if (left.length === parts.length) return { model, problems: [] }
    const problems = new Map<string, Problem>()
    const closed = this.#closedHosts(fixed, problems)
    const checked = withParts(fixed, left)
    const hosts = live.hosts.map((host) =>
      closed.has(host.host) && host.server === sharedServer
        ? { ...host, routes: host.routes.map((route) => withoutLocation(route, checked.locations)) }
        : this.#withoutRefused(host, checked.locations, problems),
    )
    return { model: { fixed: checked, live: { ...live, hosts } }, problems: [...problems.values()] }
  }

  /**
   * nginx refused a configuration with these: finds out whether that was about new parts of it.
   *
   * @param inForce what nginx runs with
   * @param good    settings to try them with where those of `wanted` are refused themselves
   * @returns whether it was; `leaveOut` then leaves them out
   */
  async refused(
    wanted: Fixed,
    inForce: Pick<Fixed, "locations" | "servers"> | undefined,
    good: Http,
    check: (fixed: Fixed) => Promise<Verdict>,
  ): Promise<boolean> {
    const tried = (http: Http, some: readonly Part[]) => check({ ...withParts(wanted, some), http })
    const base = await usable(basesOf(wanted, inForce, good), ({ http, parts }) => tried(http, parts))
    if (base === undefined) return false
    const { http, parts } = base
    const added = partsOf(wanted).filter((part) => !parts.includes(part))
    const culprits = await leaveOutCulprits(parts, added, (some) => tried(http, some))
    for (const [part, reason] of culprits) this.#refused.set(part.name, { part, reason, http })
    return culprits.size > 0
  }

  /** nginx runs with these settings. @returns whether refused locations are worth another try */
  taken(http: Http): boolean {
    const others = [...this.#refused].filter(([, refused]) => !isDeepStrictEqual(refused.http, http))
    for (const [name] of others) this.#refused.delete(name)
    return others.length > 0
  }

  #isRefused(part: Part): boolean {
    const refused = this.#refused.get(part.name)
    if (refused !== undefined) assertSame(part.name, refused.part, part)
    return refused !== undefined
  }

  /** Names whose server block is refused. */
  #closedHosts({ servers }: Fixed, problems: Map<string, Problem>): ReadonlySet<string> {
    const refused = (servers?.own ?? []).flatMap((block) => {
      const reason = this.#refused.get(block.name)?.reason
      return reason === undefined ? [] : [{ block, reason }]
    })
    for (const { block, reason } of refused) {
      const { namespace, name } = block.source
      getOrMake(problems, `${namespace}/${name}`, () => problemOf(block.source, reason))
    }
    return new Set(refused.flatMap(({ block }) => block.hosts))
  }

  #withoutRefused(host: Host, left: readonly Location[], problems: Map<string, Problem>): Host {
    if (!host.routes.flatMap(locationsOf).some((location) => this.#refused.has(location))) return host
    const routes = host.routes.map((route) => {
      const [refused] = locationsOf(route).flatMap((location) => this.#refused.get(location) ?? [])
      if (refused === undefined) return route
      const { namespace, ingressName } = route
      problems.set(`${namespace}/${ingressName}`, problemOf(routeSourceOf(route), refused.reason))
      return withoutLocation(route, left)
    })
    return { ...host, routes }
  }
}

/** A redirect would be the Ingress's own, and what it asks for is not in force. */
function withoutLocation(
  { redirect, httpsRedirect, access, ...route }: Route,
  left: readonly Location[],
): Route {
  return { ...route, location: left[0]?.name ?? route.location, status: 503 }
}

function problemOf(object: ObjectName, reason: string): Problem {
  return {
    object,
    field: annotationsPath,
    code: "location-refused",
    message: `Cannot do what the annotations ask for, requests get 503: ${reason}`,
  }
}

interface Base {
  readonly http: Http
  readonly parts: readonly Part[]
}

/**
 * Where the search for culprits may begin: with all that is in force. What nginx took with somebody's text it may refuse later, as when that names
 * a host which DNS does not know any more: then without any text.
 */
function basesOf(
  wanted: Fixed,
  inForce: Pick<Fixed, "locations" | "servers"> | undefined,
  good: Http,
): readonly Base[] {
  const known = byContentName(inForce === undefined ? [] : partsOf(inForce))
  const old = partsOf(wanted).filter((part) => isAmong(known, part.name, part))
  const withoutText = old.filter(({ text }) => text === undefined)
  const all = withoutText.length === old.length ? [old] : [old, withoutText]
  return all.flatMap((parts) => [wanted.http, good].map((http) => ({ http, parts })))
}

async function usable(
  candidates: readonly Base[],
  check: (base: Base) => Promise<Verdict>,
): Promise<Base | undefined> {
  for (const base of candidates) if ((await check(base)) === "taken") return base
  return undefined
}

function partsOf({ locations, servers }: Pick<Fixed, "locations" | "servers">): readonly Part[] {
  return [...locations, ...(servers?.own ?? [])]
}

/** With those of its parts that are among these. */
function withParts(fixed: Fixed, parts: readonly Part[]): Fixed {
  const { locations, servers, ...rest } = fixed
  const names = new Set(parts.map(({ name }) => name))
  const isLeft = ({ name }: Part) => names.has(name)
  const own = servers?.own.filter(isLeft) ?? []
  return {
    ...rest,
    locations: locations.filter(isLeft),
    ...(servers && own.length > 0 && { servers: { ...servers, own } }),
  }
}
