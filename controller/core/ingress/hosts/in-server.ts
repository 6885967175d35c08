import type { Location } from "../../../model/location.ts"
import type { Overrides } from "../../../model/overrides.ts"
import type { Script } from "../../../model/route-records.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { RouteAccess } from "../../declared/access.ts"
import { locationOf, type RouteLocations } from "../../declared/locations.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { withHeadersOfKept } from "../../snippets/kept-answers.ts"
import { inheritText } from "../../snippets/levels.ts"
import { scriptWithin } from "../../snippets/script-within.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { OfPaths, ServerSnippet } from "../parsed/server-snippet.ts"
import { accessWithin } from "../parsed/snippet-access.ts"

/**
 * Paths as they are inside of one server block. nginx gives a location what the server says and the location does not; what the reference writes into
 * each location never comes from the server. The same object for the same route.
 */
export class InServer {
  readonly #ofPaths: OfPaths
  readonly #access: (access: RouteAccess) => RouteAccess
  readonly #routes = new WeakMap<ParsedRoute, ParsedRoute>()
  readonly #proxying = new WeakMap<Proxying, Map<string, Proxying>>()

  constructor({ ofPaths }: ServerSnippet) {
    this.#ofPaths = ofPaths
    this.#access = accessWithin(ofPaths.access)
  }

  route(route: ParsedRoute): ParsedRoute {
    return getOrMake(this.#routes, route, () => this.#within(route))
  }

  #within(route: ParsedRoute): ParsedRoute {
    const script = scriptWithin(this.#ofPaths.level, route.script)
    return {
      ...route,
      ...(script && { script }),
      ...(route.nested && { nested: route.nested.map((nested) => this.route(nested)) }),
      access: this.#access(route.access),
      proxying: this.#proxyingWithin(route.proxying, script),
    }
  }

  /** Nothing else of a script says anything of locations. */
  #proxyingWithin(proxying: Proxying, script: Script | undefined): Proxying {
    const { hides, passes } = script?.levels?.[0] ?? {}
    const known = getOrMake(this.#proxying, proxying, () => new Map<string, Proxying>())
    return getOrMake(known, JSON.stringify([hides, passes]), () =>
      proxyingWithin(this.#ofPaths, proxying, script),
    )
  }
}

function proxyingWithin(ofPaths: OfPaths, proxying: Proxying, script: Script | undefined): Proxying {
  const overrides: Overrides = { ...ofPaths.overrides, ...proxying.overrides }
  return { ...proxying, overrides, locations: locationsWithin(ofPaths, proxying.locations, script) }
}

function locationsWithin(
  { text: around, caches }: OfPaths,
  { own, onDefault, onFallback }: RouteLocations,
  script: Script | undefined,
): RouteLocations {
  const within = (location: Location) => {
    const { name: _, ...fields } = location
    const text = withHeadersOfKept(inheritText(around, fields.text ?? []), script, caches)
    return text.length === 0 ? location : locationOf({ ...fields, text })
  }
  return {
    own: within(own),
    onDefault: within(onDefault),
    ...(onFallback && { onFallback: within(onFallback) }),
  }
}
