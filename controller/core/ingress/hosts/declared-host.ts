import { sharedServer } from "../../../model/listener.ts"
import type { DeclaredHost, ServerText } from "../../declared/host.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { locationsOf } from "./locations.ts"
import type { MergedHost } from "./merged-host.ts"
import type { MergedServer } from "./server-locations.ts"

/** What is handed over of a host. */
export function declaredHost(
  merged: MergedHost,
  derived: Pick<DerivedRoutes, "located" | "appRoot">,
): DeclaredHost {
  const { host, owner, routes, clients, aliasOf, server } = merged
  return {
    // Ingresses name no listeners.
    server: sharedServer,
    host,
    owner: owner?.namespace ?? routes[0]?.source.namespace ?? "",
    rules: [...(server?.routes ?? []), ...withNested(locationsOf(merged, derived), routes)],
    ...(server && server.serverText.length > 0 && { serverText: serverTextOf(server) }),
    ...(server && server.steps.length > 0 && { script: { steps: server.steps, source: server.source } }),
    ...(clients && { clients }),
    ...(aliasOf !== undefined && { aliasOf }),
  }
}

/** nginx looks for blocks inside of the path that it has found: where a path of the host is longer, up to the block's own, none of its requests get there. */
function withNested(
  locations: readonly ParsedRoute[],
  paths: readonly ParsedRoute[],
): readonly ParsedRoute[] {
  return locations.flatMap((route) => {
    const isHidden = (nested: ParsedRoute) => paths.some((path) => liesBetween(path, route, nested))
    return [...(route.nested?.filter((nested) => !isHidden(nested)) ?? []), route]
  })
}

function liesBetween(path: ParsedRoute, outside: ParsedRoute, nested: ParsedRoute): boolean {
  if (path.path.length <= outside.path.length) return false
  if (path.match === "exact") return nested.match === "exact" && nested.path === path.path
  const bare = path.path.replace(/\/$/, "")
  return nested.path.startsWith(`${bare}/`) || (nested.match === "exact" && nested.path === bare)
}

function serverTextOf({ serverText, source }: MergedServer): ServerText {
  return { directives: serverText, source }
}
