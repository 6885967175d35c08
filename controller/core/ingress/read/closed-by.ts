import type { AnnotationValues } from "../../annotations/values.ts"
import type { Settings } from "../../options/settings.ts"
import type { IngressContext } from "./ingress-context.ts"
import type { Closing } from "./snippet-reader.ts"

/** What of an Ingress is closed, as something that should keep requests out of it has no effect. */
export interface ClosedBy {
  /** all of its paths */
  readonly paths: boolean
  /** those that an authentication service is asked about */
  readonly askedAbout: boolean
}

/** What snippets and keys close. The hosts that a `server-snippet` closes are known when all Ingresses are merged (hosts/merged-host.ts). */
export function closedBy(
  closes: ReadonlySet<Closing>,
  { externalAuth, access }: Pick<AnnotationValues, "externalAuth" | "access">,
  context: IngressContext,
): ClosedBy {
  const { settings } = context
  const asksOwn = externalAuth.url !== undefined
  const asksAll = !asksOwn && access.usesGlobalAuth !== false && settings.globalAuthUrl !== undefined
  return {
    paths: closes.has("paths") || closes.has("hosts") || isClosedByKeys(settings),
    askedAbout: asksOwn
      ? closes.has("asked-about")
      : asksAll && settings.closedByKeys.includes("asked-about"),
  }
}

function isClosedByKeys(settings: Settings): boolean {
  return settings.closedByKeys.includes("all") || hasUnknownFilter(settings)
}

/** Who is blocked everywhere cannot be told, or who anybody is. */
function hasUnknownFilter({
  blockedAddresses,
  blockedUserAgents,
  blockedReferers,
  trustedProxies,
}: Settings): boolean {
  if (blockedAddresses === null || blockedUserAgents === null || blockedReferers === null) return true
  return trustedProxies === null && blockedAddresses.length > 0
}
