import type { Context } from "../context.ts"
import type { ParsedExternalAuth } from "../parsed/external-auth.ts"
import { KnownPolicies } from "../parsed/route-policies.ts"
import { filtersOf, type PathFilters } from "./read-filters.ts"
import type { UserLists } from "./user-list.ts"

/** What many Ingresses have in common: one object for all of them. */
export interface SharedParts {
  /** of those whose annotations say nothing about it */
  readonly filters: PathFilters
  /** what the ConfigMap asks for all, by the host that is asked */
  readonly globalAuth: Map<string, ParsedExternalAuth>
  readonly policies: KnownPolicies
  readonly users: UserLists
}

/** @param users depend on no settings, and may be older than these */
export function sharedParts(context: Context, users: UserLists): SharedParts {
  return {
    filters: filtersOf({}, context),
    globalAuth: new Map(),
    policies: new KnownPolicies(),
    users,
  }
}
