import { policyInForce } from "../controller/inspect/policy-in-force.ts"
import type { NamespaceUse, ZoneFill } from "../controller/model/zone-fill.ts"
import type { Overview, Page, Reload, ShownPolicy, Zone } from "./api.ts"
import { canariesOf, emptyIn } from "./backends-answer.ts"
import { groupsOf } from "./certificates-answer.ts"
import { backendsOf, countIngresses, liveOf, routesOf } from "./live-index.ts"
import { countsOf, standingOf } from "./problems-answer.ts"
import type { Question } from "./question.ts"
import type { Sources } from "./sources.ts"

export async function overviewAnswer(sources: Sources): Promise<Overview> {
  const { lastPass, reloads } = sources
  const { read } = sources.plane
  const [zones, filter, ingresses] = await Promise.all([
    read.zones(),
    read.filterCounters(),
    countIngresses(lastPass),
  ])
  const trouble = sources.trouble()
  const [lastReload] = reloads.kept
  const uses = read.namespaceUse()
  return {
    nowMs: Date.now(),
    instance: sources.instance(),
    ...(trouble !== undefined && { trouble }),
    versions: sources.versions(),
    counts: { ...countsIn(sources), ingresses },
    problems: countsOf(standingOf(lastPass)),
    ...(lastPass.ended && { lastPass: lastPass.ended }),
    reloads: reloads.total,
    ...(lastReload && { lastReload }),
    zones: zones.map((zone) => shownZone(zone, uses)),
    ...(filter && {
      filter: { faults: filter.faults, fallbacks: filter.fallbacks, instances: filter.instances },
    }),
  }
}

function countsIn(sources: Sources): Omit<Overview["counts"], "ingresses"> {
  const live = liveOf(sources)
  const { rows } = routesOf(live)
  return {
    hosts: live.hosts.length,
    routes: rows.length,
    backends: live.backends.length,
    endpoints: backendsOf(live).endpoints,
    emptyBackends: live.backends.filter(emptyIn(live)).length,
    canaries: canariesOf(sources).length,
    certificates: groupsOf(sources).length,
    ports: live.streams.length,
  }
}

function shownZone({ name, size, used }: ZoneFill, uses: readonly NamespaceUse[]): Zone {
  const zone = { name, usedBytes: used, bytes: size }
  const use = uses.find((use) => use.zone === name)
  if (use === undefined) return zone
  const { namespace, bytes, shareBytes } = use
  return { ...zone, most: { namespace, bytes, ...(Number.isFinite(shareBytes) && { shareBytes }) } }
}

/** The newest first. @throws Failure `bad-question` */
export function reloadsAnswer(question: Question, { reloads }: Sources): Page<Reload> {
  return question.page(reloads.kept, (reload) => reload)
}

export async function policiesAnswer(sources: Sources): Promise<readonly ShownPolicy[]> {
  const { read } = sources.plane
  const { backends } = liveOf(sources)
  const [shown, counters] = await Promise.all([read.policies(), read.policyCounters()])
  return shown.map((policy) => {
    const { users, moduleDigest: _, instances: __, ...told } = policyInForce(policy, backends, counters)
    return { ...told, users: users.length }
  })
}
