import { getOrMake } from "../../../support/maps.ts"
import { type AccessValues, type AnnotationValues, unusable } from "../../annotations/values.ts"
import type { ParsedExternalAuth } from "../parsed/external-auth.ts"
import { closedAccess, openAccess, type RouteAccess } from "../parsed/route-access.ts"
import { closed } from "./auth-request.ts"
import type { IngressContext } from "./ingress-context.ts"
import { type ExternalChecks, readExternalAuth } from "./read-external-auth.ts"

/** Who may request the paths of one Ingress. */
export interface PathAccess {
  /** @param host of the rule; absent: `path` is the `/` that all hosts of the Ingress have in common */
  of(path: string, host: string | undefined): RouteAccess
}

/** What the Ingress says; where it does not, the ConfigMap. */
export function readAccess(
  values: Pick<AnnotationValues, "access" | "externalAuth">,
  context: IngressContext,
): PathAccess {
  const access = accessOf(values.access, context)
  const external = readExternalAuth(values, context)
  if (external === undefined) return { of: () => access }
  const { noAuthLocations } = context.settings
  const isExempt = (path: string) => noAuthLocations.some((beginning) => path.startsWith(beginning))
  const asking = withExternal(access, values.access, external)
  return { of: (path, host) => (isExempt(path) ? access : asking(host)) }
}

/** The same object for all paths that the same service is asked about. */
function withExternal(access: RouteAccess, { satisfy }: AccessValues, external: ExternalChecks) {
  const known = new Map<ParsedExternalAuth, RouteAccess>()
  return (host: string | undefined): RouteAccess => {
    const asked = external.of(host)
    if (asked === closed || access.isClosed) return closedAccess
    const both = { ...access, ...(satisfy === "any" && { needsOneOnly: true as const }), external: asked }
    return getOrMake(known, asked, () => both)
  }
}

/** Lists are not put together: the Ingress's own takes the place of the ConfigMap's (behaviour of ingress-nginx). */
function accessOf({ allow, deny, satisfy }: AccessValues, { settings }: IngressContext): RouteAccess {
  const allowed = allow ?? settings.allowedClients
  const denied = deny ?? settings.deniedClients
  if (allowed === unusable || denied === unusable) return closedAccess
  if (allowed === "closed" || denied === "closed") return closedAccess
  if (allowed === undefined && denied === undefined) return openAccess
  return {
    isClosed: false,
    ...(allowed && { allow: allowed }),
    ...(denied && { deny: denied }),
    ...(satisfy === "any" && { needsOneOnly: true }),
  }
}
