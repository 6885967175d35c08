import type { Location } from "../../../model/location.ts"
import type { Overrides } from "../../../model/overrides.ts"
import { getOrMake } from "../../../support/maps.ts"
import type { RouteAccess } from "../../declared/access.ts"
import { locationOf, type RouteLocations } from "../../declared/locations.ts"
import type { Proxying } from "../../declared/proxying.ts"
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
  readonly #proxying = new WeakMap<Proxying, Proxying>()

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
      proxying: getOrMake(this.#proxying, route.proxying, () =>
        proxyingWithin(this.#ofPaths, route.proxying),
      ),
    }
  }
}

function proxyingWithin({ overrides, text }: OfPaths, proxying: Proxying): Proxying {
  const all: Overrides = { ...overrides, ...proxying.overrides }
  if (text.length === 0) return { ...proxying, overrides: all }
  return { ...proxying, overrides: all, locations: locationsWithin(text, proxying.locations) }
}

function locationsWithin(
  text: OfPaths["text"],
  { own, onDefault, onFallback }: RouteLocations,
): RouteLocations {
  const within = ({ name: _, ...fields }: Location) =>
    locationOf({ ...fields, text: inheritText(text, fields.text ?? []) })
  return {
    own: within(own),
    onDefault: within(onDefault),
    ...(onFallback && { onFallback: within(onFallback) }),
  }
}
