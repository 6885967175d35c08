import { sharedServer } from "../../../model/listener.ts"
import type { DeclaredHost } from "../../declared/host.ts"
import type { DerivedRoutes } from "./derived-routes.ts"
import { locationsOf } from "./locations.ts"
import type { MergedHost } from "./merged-host.ts"

/** What is handed over of a host. */
export function declaredHost(
  merged: MergedHost,
  derived: Pick<DerivedRoutes, "located" | "appRoot">,
): DeclaredHost {
  const { host, owner, routes, clients, aliasOf } = merged
  return {
    // Ingresses name no listeners.
    server: sharedServer,
    host,
    owner: owner?.namespace ?? routes[0]?.source.namespace ?? "",
    rules: locationsOf(merged, derived),
    ...(clients && { clients }),
    ...(aliasOf !== undefined && { aliasOf }),
  }
}
