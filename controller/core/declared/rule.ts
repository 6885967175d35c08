import type { Route } from "../../model/route.ts"
import type { Balancing } from "../ingress/parsed/balancing.ts"
import type { RouteAccess } from "./access.ts"
import { type BackendRef, baseKey } from "./backend-ref.ts"
import type { RouteFilters } from "./filters.ts"
import type { Proxying } from "./proxying.ts"

/** One path of one rule as an Ingress declares it. */
export interface ParsedRoute {
  readonly namespace: string
  /** "" only for the `/` of `_` that no Ingress declares */
  readonly ingressName: string
  /** where it stands in the Ingress, for Problems */
  readonly field: string
  readonly path: string
  readonly match: Route["match"]
  /** path and match in one: two routes of one host with the same key are in conflict */
  readonly key: string
  /** absent: the default backend */
  readonly backend?: BackendRef
  readonly filters: RouteFilters
  readonly access: RouteAccess
  // the same objects in all routes of an Ingress
  readonly proxying: Proxying
  readonly balancing: Balancing
}

/** The last blank of the key ends the path, whatever that holds. */
export function pathMatch(path: string, match: Route["match"]): Pick<ParsedRoute, "path" | "match" | "key"> {
  return { path, match, key: `${path} ${match}` }
}

/** Whether every request gets 503, whatever else the route says. */
export function isDenied({ proxying, access }: ParsedRoute): boolean {
  return proxying.isDenied || access.isClosed
}

/** Keys of the backends that a route names: its own, the fallback, who is asked about its requests, and who gets copies of them. */
export function backendKeys(route: ParsedRoute): readonly string[] {
  return namedBy(route).map(({ key }) => key)
}

/** The references by which a route names a Service port, as a whole or as a split. @param port its key */
export function refsOf(route: ParsedRoute, port: string): readonly BackendRef[] {
  return namedBy(route).filter(({ key }) => baseKey(key) === port)
}

function namedBy({ backend, proxying: { fallback, mirror }, access }: ParsedRoute): readonly BackendRef[] {
  return [backend, fallback, access.external?.ref, mirror?.ref].filter((ref) => ref !== undefined)
}

/** The reference by which a route names a backend. */
export function refOf(route: ParsedRoute, key: string): BackendRef | undefined {
  return namedBy(route).find((ref) => ref.key === key)
}
