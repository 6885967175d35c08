import { OwnPlaces } from "../core/assemble/backends/own-places.ts"
import { Fetcher } from "../facts/fetch/fetcher.ts"
import { Dns } from "../facts/names/dns.ts"
import { Names } from "../facts/names/names.ts"
import type { Stapling } from "../facts/ocsp/stapling.ts"
import type { BalancingPolicies } from "../facts/policies/policies.ts"
import { declareCounts } from "../facts/rule-sets/rule-set-metrics.ts"
import { type RememberedRuleSets, RuleSets } from "../facts/rule-sets/rule-sets.ts"
import type { TlsFacts } from "../facts/secrets/authorities.ts"
import { hasIpv6 } from "../output/nginx/machine.ts"
import type { Workplace } from "../output/nginx/workplace.ts"
import type { AuditLogKeeper } from "../output/plane/audit-log-keeper.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import type { Log } from "../support/log.ts"
import { takeSecrets, takeStapling } from "./certificates.ts"
import type { Common } from "./common.ts"
import { type GeoFacts, takeGeoDatabases } from "./geoip.ts"
import type { Objects } from "./objects.ts"
import type { Passes } from "./passes.ts"
import { takePolicies } from "./policies.ts"
import type { World } from "./world.ts"

type Before = World &
  Common &
  Objects & { readonly workplace: Workplace; readonly plane: DataPlane; readonly passes: Passes }

/** What a pass needs to know that stands in no object. */
export interface Facts {
  readonly names: Names
  readonly stapling: Stapling
  readonly secrets: TlsFacts
  readonly policies: BalancingPolicies
  readonly geo: GeoFacts
  readonly ruleSets: RuleSets
  readonly auditLog: AuditLogKeeper
}

export async function facts(before: Before): Promise<{ readonly facts: Facts }> {
  const { options, store, translateOptions, workplace, plane, passes, metrics, signal, log } = before
  const changed = passes.request
  const dns = new Dns(options.resolvConf)
  const own = new OwnPlaces(translateOptions)
  const fetcher = new Fetcher({
    ...{ dns, signal },
    hasIpv6: hasIpv6(),
    endpoints: () => own.rules(store.snapshot()),
  })
  const fetching = { fetcher, changed, signal, log }
  const facts = {
    names: new Names({ dns, hasIpv6: hasIpv6(), changed, signal }),
    stapling: await takeStapling(workplace, fetching),
    secrets: await takeSecrets(options, workplace, fetching),
    policies: await takePolicies(options, plane, { changed, signal, metrics, log }),
    geo: takeGeoDatabases(options, workplace, plane, { changed, signal }),
    auditLog: workplace.keepAuditLog({ changed, signal }),
    ruleSets: await takeRuleSets(plane, { changed, signal, metrics, log }),
  }
  return { facts }
}

async function takeRuleSets(
  plane: Pick<DataPlane, "openRuleSets">,
  {
    changed,
    signal,
    metrics,
    log,
  }: Pick<Common, "signal" | "metrics"> & { readonly changed: () => void; readonly log: Log },
): Promise<RuleSets> {
  const failed = (err: unknown) => log.warn({ err }, "Cannot keep rule sets of ModSecurity")
  const checker = await plane.openRuleSets<RememberedRuleSets>(failed)
  const ruleSets = new RuleSets({ checker, changed, signal, checked: metrics.ruleSetsChecked })
  declareCounts(metrics.kept.declare, () => ruleSets.counts())
  return ruleSets
}
