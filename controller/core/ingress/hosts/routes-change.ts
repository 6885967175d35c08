import type { ParsedRoute } from "../parsed/parsed-route.ts"

/** What hosts accept now and did not before, and the other way round: a route once for each host. */
export interface RoutesChange {
  readonly added: readonly ParsedRoute[]
  readonly removed: readonly ParsedRoute[]
}
