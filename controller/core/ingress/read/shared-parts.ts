import { SharedValues } from "../../../support/shared-values.ts"
import type { DeclaredAuth } from "../../declared/external-auth.ts"
import { KnownLocations } from "../../declared/locations.ts"
import type { Proxying } from "../../declared/proxying.ts"
import { rulesOfAll, type SaidRules } from "../../modsecurity/rule-set.ts"
import type { Context } from "../../options/context.ts"
import { filtersOf, type PathFilters } from "./read-filters.ts"
import { type SharedSnippets, sharedSnippets } from "./shared-snippets.ts"
import { UserLists } from "./user-list.ts"

/** What many Ingresses have in common: one object for all of them. */
export interface SharedParts {
  /** of those whose annotations say nothing about it */
  readonly filters: PathFilters
  /** what the ConfigMap asks for all, by the host that is asked */
  readonly globalAuth: Map<string, DeclaredAuth>
  readonly locations: KnownLocations
  /** of those that say the same about it */
  readonly proxying: SharedValues<Proxying>
  readonly users: UserLists
  /** what the ConfigMap has look at the requests of all */
  readonly rulesOfAll: readonly SaidRules[]
  /** what the ConfigMap says with snippets */
  readonly snippets: SharedSnippets
}

export function sharedParts(context: Context): SharedParts {
  return {
    filters: filtersOf({}, context),
    globalAuth: new Map(),
    locations: new KnownLocations(),
    proxying: new SharedValues(),
    users: new UserLists(),
    rulesOfAll: rulesOfAll(context.settings),
    snippets: sharedSnippets(context),
  }
}
