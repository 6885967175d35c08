import type { DeclaredHost } from "../../declared/host.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { locationsOf } from "./locations.ts"
import type { MergedHost } from "./merged-host.ts"

/** Ingresses name no listeners: all their hosts are those of the shared server block. */
const server = "main"

/** What is handed over of a host. */
export function declaredHost(
  merged: MergedHost,
  derived: Pick<DerivedRoutes, "located" | "appRoot">,
): DeclaredHost {
  const { host, owner, routes, clients, aliasOf } = merged
  return {
    server,
    host,
    owner: owner?.namespace ?? routes[0]?.source.namespace ?? "",
    rules: locationsOf(merged, derived),
    ...(clients && { clients }),
    ...(aliasOf !== undefined && { aliasOf }),
  }
}
