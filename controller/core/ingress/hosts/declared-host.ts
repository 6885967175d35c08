import { sharedServer } from "../../../model/listener.ts"
import { compact } from "../../../support/compact.ts"
import type { DeclaredHost, DeclaredSteps, ServerText } from "../../declared/host.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { locationsOf } from "./locations.ts"
import type { MergedHost } from "./merged-host.ts"
import type { MergedServer } from "./server-locations.ts"

/** What is handed over of a host. */
export function declaredHost(
  merged: MergedHost,
  derived: Pick<DerivedRoutes, "located" | "appRoot" | "nestedIn">,
): DeclaredHost {
  const { host, owner, routes, clients, aliasOf, server } = merged
  return {
    // Ingresses name no listeners.
    server: sharedServer,
    host,
    owner: owner?.namespace ?? routes[0]?.source.namespace ?? "",
    rules: compact([...(server?.routes ?? []), ...withNested(locationsOf(merged, derived), derived)]),
    ...(server && server.serverText.length > 0 && { serverText: serverTextOf(server) }),
    ...(server && server.steps.length > 0 && { script: stepsOf(server) }),
    ...(clients && { clients }),
    ...(aliasOf !== undefined && { aliasOf }),
  }
}

/** Location blocks stand in the location that nginx has of their path. */
function withNested(
  locations: readonly ParsedRoute[],
  derived: Pick<DerivedRoutes, "nestedIn">,
): readonly ParsedRoute[] {
  return locations.flatMap((route) => {
    const nested = route.nested?.map((inside) => derived.nestedIn(inside, locationName(route))) ?? []
    return [...nested, route]
  })
}

function locationName({ path, match }: ParsedRoute): string {
  if (match === "regex") return `~* ^${path}`
  return path.endsWith("/") ? path : `${path}/`
}

function stepsOf({ steps, level, source }: MergedServer): DeclaredSteps {
  return { steps, ...(Object.keys(level).length > 0 && { level }), source }
}

function serverTextOf({ serverText, source }: MergedServer): ServerText {
  return { directives: serverText, source }
}
