import type { ObjectName } from "../../model/problem.ts"
import { mirrorsOf } from "../../model/route.ts"
import type { Condition, Route, Script } from "../../model/route-records.ts"
import type { RouteAccess } from "./access.ts"
import type { BackendActions, OwnWay, RuleActions } from "./actions.ts"
import { type BackendRef, baseKey } from "./backend-ref.ts"
import type { RouteFilters } from "./filters.ts"
import type { Proxying } from "./proxying.ts"

/** Which requests of a host, and what becomes of them. */
export interface Rule {
  /** the object that says so: one object for all its rules. Without a name only the `/` of `_` that none declares */
  readonly source: ObjectName
  /** where it stands in the object, for Problems */
  readonly field: string
  /** what the object calls it; absent: it has no name */
  readonly name?: string
  /** where it names its Service, below `field` */
  readonly backendAt: string
  readonly path: string
  readonly match: Route["match"]
  /** the path as the object has it, where `path` was made of it */
  readonly locationPath?: string
  /** what requests have to be beside their path; absent: any. Of equal paths the first rule of its host whose conditions hold serves */
  readonly conditions?: readonly Condition[]
  /** absent: the default backend */
  readonly backend?: BackendRef
  /** several backends by weight, at least one, in the place of `backend`; a rule has one of the two, and neither a fallback nor sessions with these */
  readonly split?: readonly WeightedBackendRef[]
  /** answered in the place of a backend, of which it has none then */
  readonly status?: 404 | 500
  /** answered for a backend that is no Service, or has no such port; absent: 503. Without endpoints it is 503 whatever this says */
  readonly statusOfFault?: 500
  /** steps and settings of its requests; absent: none */
  readonly script?: Script
  /** the location that this one is in, as nginx names it (docs/wire.md, ROUTE); absent: none */
  readonly within?: string
  /** the path without the slash at its end is not led to it */
  readonly hasNoSlashRedirect?: true
  /** sessions with its backend may begin here */
  readonly beginsSessions?: true
  readonly filters: RouteFilters
  /** absent: nothing */
  readonly actions?: RuleActions
  readonly access: RouteAccess
  /** the same object in all rules of an object */
  readonly proxying: Proxying
}

/** One of several backends of a rule. */
export interface WeightedBackendRef extends OwnWay {
  /** its part of the sum of all, 0 to 1,000,000 */
  readonly weight: number
  readonly ref: BackendRef
  /** where the object names it, below the rule's `field` */
  readonly backendAt: string
  /** answered in its place: it may not be used, and is not looked up */
  readonly status?: 500
  /** absent: nothing beside the rule's */
  readonly actions?: BackendActions
}

/** The `/` that no object declares. */
export const nobody: ObjectName = { kind: "", namespace: "", name: "" }

/** Whether every request gets 503, whatever else the rule says. */
export function isDenied({ proxying, access }: Pick<Rule, "proxying" | "access">): boolean {
  return proxying.isDenied || access.isClosed
}

/** Keys of the backends that a rule names: its own ones, the fallback, who is asked about its requests, and who gets copies of them. */
export function backendKeys(rule: Rule): readonly string[] {
  return backendRefs(rule).map(({ key }) => key)
}

/** The references by which a rule names a Service port, with canaries or without. @param port its key */
export function refsOf(rule: Rule, port: string): readonly BackendRef[] {
  return backendRefs(rule).filter(({ key }) => baseKey(key) === port)
}

/** Every backend that a rule names. */
export function backendRefs(rule: Rule): readonly BackendRef[] {
  const { backend, split, proxying, access } = rule
  const { fallback, mirror } = proxying
  const others = [backend, fallback?.ref, access.external?.ref, mirror?.ref].filter(
    (ref) => ref !== undefined,
  )
  const copied = mirrorsOf(rule).map(({ ref }) => ref)
  return split === undefined && copied.length === 0 ? others : [...refsOfSplit(split), ...others, ...copied]
}

function refsOfSplit(split: Rule["split"] = []): readonly BackendRef[] {
  return split.filter(({ status }) => status === undefined).map(({ ref }) => ref)
}

/** The reference by which a rule names a backend. */
export function refOf(rule: Rule, key: string): BackendRef | undefined {
  return backendRefs(rule).find((ref) => ref.key === key)
}
