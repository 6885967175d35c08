import type { ClientCertificate, Host as PostedHost, Route, Script } from "./route-records.ts"

export type { Condition, Cors, Header, Redirect, Route, Script, Tracing } from "./route-records.ts"
export type { RouteVariables } from "./route-variables.ts"

/** All routes of one host. */
export interface Host extends PostedHost {
  readonly clientCertificate?: HostClientCertificate
  readonly script?: HostScript
  /** of an alias: the namespace that it belongs to. Other hosts belong to those of their routes */
  readonly owner?: string
}

/** What a host asks of its clients, and whose annotations ask for it. */
export interface HostClientCertificate extends ClientCertificate {
  readonly namespace: string
  readonly ingressName: string
}

/** What the server-snippet of a host says, and whose it is. */
interface HostScript extends Script {
  readonly namespace: string
  readonly ingressName: string
}

/** Whether a route's path is a pattern of PCRE, so that its place among the others counts. */
export function isPattern({ match }: Pick<Route, "match">): boolean {
  return match === "regex" || match === "pattern" || match === "pattern_any_case"
}

/** `Backend.name` of all that may serve a route's requests. */
export function backendsOf({ backend, split }: Route): readonly string[] {
  return split === undefined ? [backend] : split.map((share) => share.backend)
}

/** `Location.name` of all that a route names: its own, and that of a service that is asked about it, but those that are always there. */
export function locationsOf(route: Route): readonly string[] {
  const { location, access, split = [] } = route
  const asked = access?.external?.location
  const own =
    asked === undefined || asked === "auth-http" || asked === "auth-https" ? [location] : [location, asked]
  if (split.length === 0 && route.actions === undefined) return own
  return [...own, ...[...split, ...mirrorsOf(route)].flatMap((one) => one.location ?? [])]
}

/** What is done to requests, and who gets copies of them. */
interface Copying<Mirror> {
  readonly actions?: { readonly mirrors?: readonly Mirror[] }
}

/** All who get copies of the requests of a route, or of a rule that becomes one, whichever backend these go to. */
export function mirrorsOf<Mirror>({
  actions,
  split = [],
}: Copying<Mirror> & { readonly split?: readonly Copying<Mirror>[] }): readonly Mirror[] {
  const own = actions?.mirrors ?? []
  const ofShares = split.flatMap((share) => share.actions?.mirrors ?? [])
  return ofShares.length === 0 ? own : [...own, ...ofShares]
}

/** Names of the locations that routes of these hosts name. */
export function namedLocations(hosts: readonly Host[]): ReadonlySet<string> {
  return new Set(hosts.flatMap(({ routes }) => routes.flatMap(locationsOf)))
}
