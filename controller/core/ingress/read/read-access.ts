import { getOrMake } from "../../../support/maps.ts"
import { type AccessValues, type AnnotationValues, unusable } from "../../annotations/values.ts"
import { closedAccess, openAccess, type RouteAccess } from "../../declared/access.ts"
import type { DeclaredAuth } from "../../declared/external-auth.ts"
import { accessBy } from "../parsed/snippet-access.ts"
import { closed as nobody } from "./auth-request.ts"
import type { ClosedBy } from "./closed-by.ts"
import { liesIn } from "./exempt.ts"
import type { IngressContext } from "./ingress-context.ts"
import { type ExternalChecks, readExternalAuth } from "./read-external-auth.ts"
import { readGeo } from "./read-geo.ts"
import { readPassword } from "./read-password.ts"
import type { Snippets } from "./read-snippets.ts"

/** Who may request the paths of one Ingress. */
export interface PathAccess {
  /** @param host of the rule; absent: `path` is the `/` that all hosts of the Ingress have in common */
  of(path: string, host: string | undefined): RouteAccess
}

/** What the Ingress says; where it does not, the ConfigMap. */
export function readAccess(
  values: Pick<AnnotationValues, "access" | "externalAuth">,
  closed: ClosedBy,
  { paths, question }: Pick<Snippets, "paths" | "question">,
  context: IngressContext,
): PathAccess {
  const bySnippet = accessBy(paths.access)
  const addresses = closed.paths ? closedAccess : addressesOf(values.access, context)
  const whereabouts = withGeo(addresses, values.access, context)
  const access = withPassword(whereabouts, values.access, context)
  const external = readExternalAuth(values, question, context)
  const asking = external === undefined ? () => access : withExternal(access, values.access, external)
  const checked = closed.askedAbout ? () => closedAccess : asking
  const { noAuthLocations } = context.settings
  return { of: (path, host) => bySnippet(liesIn(noAuthLocations, path) ? whereabouts : checked(host)) }
}

/** The same object for all paths that the same service is asked about. */
function withExternal(access: RouteAccess, { satisfy }: AccessValues, external: ExternalChecks) {
  const known = new Map<DeclaredAuth, RouteAccess>()
  return (host: string | undefined): RouteAccess => {
    const asked = external.of(host)
    if (asked === nobody || access.isClosed) return closedAccess
    const both = { ...access, ...(satisfy === "any" && { needsOneOnly: true as const }), external: asked }
    return getOrMake(known, asked, () => both)
  }
}

/** Lists are not put together: the Ingress's own takes the place of the ConfigMap's (behaviour of ingress-nginx). */
function addressesOf({ allow, deny, satisfy }: AccessValues, { settings }: IngressContext): RouteAccess {
  const allowed = allow ?? settings.allowedClients
  const denied = deny ?? settings.deniedClients
  if (allowed === unusable || denied === unusable) return closedAccess
  if (allowed === "closed" || denied === "closed") return closedAccess
  if (allowed === undefined && denied === undefined) return openAccess
  if (settings.trustedProxies === null) return closedAccess
  return {
    isClosed: false,
    ...(allowed && { allow: allowed }),
    ...(denied && { deny: denied }),
    ...(satisfy === "any" && { needsOneOnly: true }),
  }
}

/** As addresses, which they are found by. */
function withGeo(addresses: RouteAccess, values: AccessValues, context: IngressContext): RouteAccess {
  const geo = readGeo(values, context)
  if (geo === undefined || addresses.isClosed) return addresses
  if (geo === "closed" || context.settings.trustedProxies === null) return closedAccess
  return { ...addresses, geo, ...(values.satisfy === "any" && { needsOneOnly: true }) }
}

/** Where addresses alone would let a request in that brings no password, a password that cannot be checked closes. */
function withPassword(addresses: RouteAccess, values: AccessValues, context: IngressContext): RouteAccess {
  const password = readPassword(values, context)
  if (password === undefined || addresses.isClosed) return addresses
  if (password === "closed") return closedAccess
  return { ...addresses, ...(values.satisfy === "any" && { needsOneOnly: true }), ...password }
}
