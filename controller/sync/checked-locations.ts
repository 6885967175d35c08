import { isDeepStrictEqual } from "node:util"
import { annotationsPath } from "../model/field-path.ts"
import type { Http } from "../model/http.ts"
import type { Location } from "../model/location.ts"
import type { Fixed, Model } from "../model/model.ts"
import type { Problem } from "../model/problem.ts"
import { type Host, locationsOf, type Route } from "../model/route.ts"
import { assertSame, byContentName, isAmong } from "../support/content-name.ts"
import { leaveOutCulprits, type Verdict } from "./trial.ts"

/** A location that nginx did not take, its words, and the settings beside which it did not. */
interface Refused {
  readonly location: Location
  readonly reason: string
  readonly http: Http
}

/**
 * The model without locations that nginx refuses, so that nobody else waits for them. A location's name is a hash of its content: one that is
 * changed has another name and is tried anew, and so is every one when the settings around it are others.
 */
export class CheckedLocations {
  readonly #refused = new Map<string, Refused>()

  /** @returns the model to try, where routes of refused locations answer 503, and a Problem for each Ingress that has such routes */
  leaveOut(model: Model): { readonly model: Model; readonly problems: readonly Problem[] } {
    if (this.#refused.size === 0) return { model, problems: [] }
    const { locations } = model.fixed
    const left = locations.filter((location) => !this.#isRefused(location))
    if (left.length === locations.length) return { model, problems: [] }
    const problems = new Map<string, Problem>()
    const hosts = model.live.hosts.map((host) => this.#withoutRefused(host, left, problems))
    const checked = { fixed: { ...model.fixed, locations: left }, live: { ...model.live, hosts } }
    return { model: checked, problems: [...problems.values()] }
  }

  /**
   * nginx refused a configuration with these: finds out whether that was about new ones among them.
   *
   * @param inForce locations that nginx runs with
   * @param good    settings to try them with where those of `wanted` are refused themselves
   * @returns whether it was; `leaveOut` then leaves them out
   */
  async refused(
    wanted: Fixed,
    inForce: readonly Location[],
    good: Http,
    check: (fixed: Fixed) => Promise<Verdict>,
  ): Promise<boolean> {
    const known = byContentName(inForce)
    const old = wanted.locations.filter((location) => isAmong(known, location.name, location))
    const added = wanted.locations.filter(({ name }) => !known.has(name))
    const http = await usable([wanted.http, good], (candidate) =>
      check({ ...wanted, http: candidate, locations: old }),
    )
    if (http === undefined) return false
    const culprits = await leaveOutCulprits(old, added, (locations) => check({ ...wanted, http, locations }))
    for (const [location, reason] of culprits) this.#refused.set(location.name, { location, reason, http })
    return culprits.size > 0
  }

  /** nginx runs with these settings. @returns whether refused locations are worth another try */
  taken(http: Http): boolean {
    const others = [...this.#refused].filter(([, refused]) => !isDeepStrictEqual(refused.http, http))
    for (const [name] of others) this.#refused.delete(name)
    return others.length > 0
  }

  #isRefused(location: Location): boolean {
    const refused = this.#refused.get(location.name)
    if (refused !== undefined) assertSame(location.name, refused.location, location)
    return refused !== undefined
  }

  #withoutRefused(host: Host, left: readonly Location[], problems: Map<string, Problem>): Host {
    if (!host.routes.flatMap(locationsOf).some((location) => this.#refused.has(location))) return host
    const routes = host.routes.map((route) => {
      const [refused] = locationsOf(route).flatMap((location) => this.#refused.get(location) ?? [])
      if (refused === undefined) return route
      problems.set(`${route.namespace}/${route.ingressName}`, problemOf(route, refused.reason))
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
  const location = left.find(({ isQuestion }) => isQuestion === undefined)
  return { ...route, location: location?.name ?? route.location, status: 503 }
}

function problemOf({ namespace, ingressName }: Route, reason: string): Problem {
  return {
    object: { kind: "Ingress", namespace, name: ingressName },
    field: annotationsPath,
    code: "location-refused",
    message: `Cannot do what the annotations ask for, requests get 503: ${reason}`,
  }
}

async function usable(
  candidates: readonly Http[],
  check: (http: Http) => Promise<Verdict>,
): Promise<Http | undefined> {
  for (const http of candidates) if ((await check(http)) === "taken") return http
  return undefined
}
