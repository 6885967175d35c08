import type { Rule } from "../../declared/rule.ts"
import type { Balancing } from "./balancing.ts"

/** One path of one rule as an Ingress declares it. */
export interface ParsedRoute extends Rule {
  /** path and match in one: two routes of one host with the same key are in conflict */
  readonly key: string
  /** location blocks of a snippet inside of this path, which are tried before it */
  readonly nested?: readonly ParsedRoute[]
  /** the same object in all routes of an Ingress */
  readonly balancing: Balancing
}

/** The last blank of the key ends the path, whatever that holds. */
export function pathMatch(
  path: string,
  match: ParsedRoute["match"],
): Pick<ParsedRoute, "path" | "match" | "key"> {
  return { path, match, key: `${path} ${match}` }
}
