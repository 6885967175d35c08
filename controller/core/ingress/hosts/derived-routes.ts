import type { Redirect } from "../../../model/route.ts"
import { getOrMake } from "../../../support/maps.ts"
import { closedAccess } from "../../declared/access.ts"
import { type BackendRef, refWithCanaries } from "../../declared/backend-ref.ts"
import { plainProxying } from "../../declared/proxying.ts"
import { type ParsedRoute, pathMatch } from "../parsed/parsed-route.ts"
import type { ServerSnippet } from "../parsed/server-snippet.ts"
import { InServer } from "./in-server.ts"

/** Routes that are served in the place of declared ones. The same object for the same route and wish, so that what was computed from it can be used again. */
export class DerivedRoutes {
  readonly #closed = new WeakMap<ParsedRoute, ParsedRoute>()
  readonly #servers = new WeakMap<ServerSnippet, InServer>()
  readonly #nested = new WeakMap<ParsedRoute, Map<string, ParsedRoute>>()
  readonly #bare = new WeakMap<ParsedRoute, ParsedRoute>()
  readonly #diverted = new WeakMap<ParsedRoute, Map<string, ParsedRoute>>()
  readonly #redirects = new WeakMap<ParsedRoute, Map<string, ParsedRoute>>()
  readonly #located = new WeakMap<ParsedRoute, Map<string, ParsedRoute>>()
  readonly #appRoots = new WeakMap<ParsedRoute, ParsedRoute>()

  /** Every request gets 503. */
  closed(route: ParsedRoute): ParsedRoute {
    return getOrMake(this.#closed, route, () => {
      const nested = route.nested?.map((inside) => this.closed(inside))
      return { ...route, ...(nested && { nested }), access: closedAccess }
    })
  }

  /** With what a server block leaves to its paths. */
  inServer(route: ParsedRoute, server: ServerSnippet): ParsedRoute {
    return getOrMake(this.#servers, server, () => new InServer(server)).route(route)
  }

  /** A location block in the location of a path. @param within as nginx names that; blocks in blocks have another one */
  nestedIn(route: ParsedRoute, within: string): ParsedRoute {
    if (route.within !== undefined) return route
    const byName = getOrMake(this.#nested, route, () => new Map<string, ParsedRoute>())
    return getOrMake(byName, within, () => ({ ...route, within }))
  }

  /** Requests go to the default backend. */
  withoutBackend(route: ParsedRoute): ParsedRoute {
    return getOrMake(this.#bare, route, () => {
      const { backend: _, ...bare } = route
      return bare
    })
  }

  /** @param canaries names those that take a share of its requests */
  diverted(route: ParsedRoute, backend: BackendRef, canaries: string): ParsedRoute {
    const byName = getOrMake(this.#diverted, route, () => new Map<string, ParsedRoute>())
    return getOrMake(byName, canaries, () => ({ ...route, backend: refWithCanaries(backend, canaries) }))
  }

  /** Found at another path than the Ingress says. */
  located(route: ParsedRoute, path: string, match: ParsedRoute["match"]): ParsedRoute {
    const at = pathMatch(path, match)
    if (at.key === route.key) return route
    const byKey = getOrMake(this.#located, route, () => new Map<string, ParsedRoute>())
    return getOrMake(byKey, at.key, () => ({ ...route, ...at, locationPath: route.path }))
  }

  /** Found at the host's `/`, and answered with a redirect, whatever else the route says. */
  appRoot(route: ParsedRoute, redirect: Redirect): ParsedRoute {
    return getOrMake(this.#appRoots, route, () => {
      const { nested: _, ...rest } = route
      const { overrides } = route.filters
      const filters = { isPattern: false, redirect, ...(overrides && { overrides }) }
      return { ...rest, ...pathMatch("/", "exact"), locationPath: route.path, filters }
    })
  }

  /** The only route of a name that leads to the host. */
  redirect(host: string, route: ParsedRoute, code: Redirect["code"]): ParsedRoute {
    const byHost = getOrMake(this.#redirects, route, () => new Map<string, ParsedRoute>())
    return getOrMake(byHost, host, () => {
      const { backend: _, nested: __, script: ___, ...bare } = route
      const to = `$pass_access_scheme://${host}:$redirect_port$redirect_uri`
      const filters = { isPattern: false, redirect: { code, to } }
      return { ...bare, ...pathMatch("/", "prefix"), proxying: plainProxying, filters }
    })
  }
}
