import { contentName } from "../../../support/content-name.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"

// A canary takes its share of the requests for one host and path, not of all that its primary's Service gets: a path with canaries leads to a
// backend of its own, which they are alternatives of. Where all paths of a Service have the same canaries there is one backend, as always.

/** Longer lists of canaries are named by their hash. */
const maxName = 200

/**
 * The route as it is served where these canaries may concern it. The same object for the same route and the same backends of canaries.
 *
 * @param canaries that mention the host, the oldest first
 */
export function diverted(
  route: ParsedRoute,
  host: string,
  canaries: readonly ParsedIngress[],
  derived: Pick<DerivedRoutes, "diverted">,
): ParsedRoute {
  const { backend } = route
  if (backend === undefined || canaries.length === 0) return route
  const diverting = canaries
    .flatMap((canary) => divertingIn(canary, host))
    .filter((canary) => isFor(route, canary))
    .flatMap((canary) => canary.backend ?? [])
  if (diverting.length === 0) return route
  return derived.diverted(route, backend, nameOf(diverting))
}

/** What a canary diverts to its backends on a host. The requests for its default backend are those for `/` that nobody else gets. */
function divertingIn({ root, rules }: ParsedIngress, host: string): readonly ParsedRoute[] {
  const routes = rules.flatMap((rule) => (rule.host === host ? rule.routes : []))
  return host === "_" && root.backend !== undefined ? [root, ...routes] : routes
}

/** A canary belongs to the namespace of its primary. */
function isFor(main: ParsedRoute, canary: ParsedRoute): boolean {
  return (
    main.key === canary.key &&
    main.source.namespace === canary.source.namespace &&
    main.backend !== undefined &&
    canary.backend !== undefined &&
    main.backend.key !== canary.backend.key
  )
}

function nameOf(diverting: readonly BackendRef[]): string {
  const names = [...new Set(diverting.map(({ service, port }) => `${service}:${port}`))]
  const text = names.join(",")
  return text.length <= maxName ? text : contentName(text)
}
