import { shown } from "../../../model/shown.ts"
import { ownerInTable } from "../../options/keys/ownership.ts"
import type { Settings } from "../../options/settings.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"

// A host belongs to the namespace of the oldest Ingress that mentions it, or to the one that the operator's table names. What concerns the host as a
// whole counts from there alone: authors of Ingresses elsewhere can add paths to it and nothing else.

/** What the operator says about owners. */
export type Ownership = Pick<Settings, "crossNamespace" | "hostOwners">

export interface HostOwner {
  readonly namespace: string
  /** the Ingress that is the oldest of the host; absent: the operator says whose it is */
  readonly oldest?: string
}

const challenges = "/.well-known/acme-challenge/"

/**
 * Whose a host is.
 *
 * @param mains that mention it and are no canaries, the oldest first
 * @returns undefined when nobody owns hosts, or nobody mentions this one
 */
export function hostOwner(
  host: string,
  mains: readonly ParsedIngress[],
  { crossNamespace, hostOwners }: Ownership,
): HostOwner | undefined {
  if (crossNamespace === "allowed") return undefined
  const named = ownerInTable(hostOwners, host)
  if (named !== undefined) return { namespace: named }
  const oldest = mains.find((ingress) => !isSolver(ingress, host)) ?? mains[0]
  if (oldest === undefined) return undefined
  return { namespace: oldest.root.source.namespace, oldest: oldest.name }
}

/** It only answers a challenge of an ACME server (RFC 8555, section 8.3), and may be there before the application. */
function isSolver({ isCatchAll, rules }: ParsedIngress, host: string): boolean {
  const routes = rules.flatMap((rule) => (rule.host === host ? rule.routes : []))
  return !isCatchAll && routes.length > 0 && routes.every(({ path }) => path.startsWith(challenges))
}

/** @param owner undefined: nothing is anybody's */
export function isForeign(
  { source: { namespace, name } }: Pick<ParsedRoute, "source">,
  owner: Pick<HostOwner, "namespace"> | undefined,
): boolean {
  return owner !== undefined && name !== "" && namespace !== owner.namespace
}

/** Goes on after a host and a colon. */
export function ownedText({ namespace, oldest }: HostOwner): string {
  const whose = namespace === "" ? "nobody" : `namespace ${shown(namespace)}`
  const reason =
    oldest === undefined
      ? 'as key "host-owner" of the ConfigMap says'
      : `whose Ingress "${oldest}" is the oldest of the host`
  return `it belongs to ${whose}, ${reason}`
}
