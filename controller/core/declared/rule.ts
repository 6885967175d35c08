import type { ObjectName } from "../../model/problem.ts"
import type { Route } from "../../model/route.ts"
import type { RouteAccess } from "./access.ts"
import { type BackendRef, baseKey } from "./backend-ref.ts"
import type { RouteFilters } from "./filters.ts"
import type { Proxying } from "./proxying.ts"

/** Which requests of a host, and what becomes of them. */
export interface Rule {
  /** the object that says so: one object for all its rules. Without a name only the `/` of `_` that none declares */
  readonly source: ObjectName
  /** where it stands in the object, for Problems */
  readonly field: string
  /** where it names its Service, below `field` */
  readonly backendAt: string
  readonly path: string
  readonly match: Route["match"]
  /** the path as the object has it, where `path` was made of it */
  readonly locationPath?: string
  /** absent: the default backend */
  readonly backend?: BackendRef
  /** sessions with its backend may begin here */
  readonly beginsSessions?: true
  readonly filters: RouteFilters
  readonly access: RouteAccess
  /** the same object in all rules of an object */
  readonly proxying: Proxying
}

/** The `/` that no object declares. */
export const nobody: ObjectName = { kind: "", namespace: "", name: "" }

/** Whether every request gets 503, whatever else the rule says. */
export function isDenied({ proxying, access }: Pick<Rule, "proxying" | "access">): boolean {
  return proxying.isDenied || access.isClosed
}

/** Keys of the backends that a rule names: its own, the fallback, who is asked about its requests, and who gets copies of them. */
export function backendKeys(rule: Rule): readonly string[] {
  return namedBy(rule).map(({ key }) => key)
}

/** The references by which a rule names a Service port, as a whole or as a split. @param port its key */
export function refsOf(rule: Rule, port: string): readonly BackendRef[] {
  return namedBy(rule).filter(({ key }) => baseKey(key) === port)
}

function namedBy({ backend, proxying: { fallback, mirror }, access }: Rule): readonly BackendRef[] {
  return [backend, fallback?.ref, access.external?.ref, mirror?.ref].filter((ref) => ref !== undefined)
}

/** The reference by which a rule names a backend. */
export function refOf(rule: Rule, key: string): BackendRef | undefined {
  return namedBy(rule).find((ref) => ref.key === key)
}
