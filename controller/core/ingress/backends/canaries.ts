import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { getOrMake } from "../../../support/maps.ts"
import { type BackendRef, baseKey } from "../../declared/backend-ref.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import { ownPrefix } from "../../options/conflicts.ts"
import type { MergedHost } from "../hosts/merged-host.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import type { Owners } from "./deciders.ts"

// A canary has no host and no path of its own. Where it names a host and path of another Ingress of its namespace, its backend may take the place of
// that one's backend there. Where nobody owns hosts it may be any namespace's, and takes the place on every host and path that the backend serves.

export interface Canaries {
  /** those that are accepted */
  readonly routes: readonly ParsedRoute[]
  /** key of a backend → what may take its place, in the order in which they are asked */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
  /** key of a canary → key of the backend whose sessions it takes part in */
  readonly sessions: ReadonlyMap<string, string>
}

/** A canary's route and the backend that it brings. */
interface Alternative {
  readonly route: ParsedRoute
  readonly backend: BackendRef
}

/** What a canary asks for, before it is known whether it is accepted. */
interface Candidate extends Alternative {
  /** where, for Problems */
  readonly where: string
  /** the routes that serve there */
  readonly mains: readonly ParsedRoute[]
  /** whose primary it may not be the canary of */
  readonly foreign?: ParsedRoute
}

type FindHost = (host: string) => MergedHost | undefined

interface Draft extends Canaries {
  readonly routes: ParsedRoute[]
  readonly alternatives: Map<string, Alternative[]>
  readonly sessions: Map<string, string>
}

/**
 * Finds for each canary the backends whose place it may take. Those without one are left out, each with a Problem.
 *
 * @param canaries the oldest first
 * @param findHost among those that rules name
 */
export function canariesOf(
  canaries: readonly ParsedIngress[],
  findHost: FindHost,
  owners: Owners,
  problems: Problem[],
): Canaries {
  const draft: Draft = { routes: [], alternatives: new Map(), sessions: new Map() }
  for (const candidate of candidatesOf(canaries, findHost)) {
    const fault = faultOf(candidate, owners) ?? attach(draft, candidate)
    if (fault === undefined) continue
    const message = `Cannot send requests for ${candidate.where} to the canary: ${fault}`
    problems.push(ruleProblem(candidate.route, candidate.route.field, "canary-left-out", message))
  }
  return draft
}

function candidatesOf(canaries: readonly ParsedIngress[], findHost: FindHost): Candidate[] {
  const candidates: Candidate[] = []
  const add = (route: ParsedRoute, where: string, served: readonly ParsedRoute[], isOwned: boolean) => {
    if (route.backend === undefined) return
    const mains = isOwned
      ? served.filter(({ source }) => source.namespace === route.source.namespace)
      : served
    const foreign = mains.length > 0 ? undefined : served.find(({ backend }) => backend !== undefined)
    candidates.push({ route, backend: route.backend, where, mains, ...(foreign && { foreign }) })
  }
  for (const { root, rules } of canaries) {
    const others = findHost("_")
    const everyOther = others?.routes ?? []
    const isOwned = others?.owner !== undefined
    add(root, hostText("_"), isOwned ? everyOther.filter(({ key }) => key === root.key) : everyOther, isOwned)
    for (const { host, routes } of rules) {
      const merged = findHost(host)
      for (const route of routes) {
        const mains = merged?.routes.filter(({ key }) => key === route.key) ?? []
        add(route, `path ${shown(route.path)} of ${hostText(host)}`, mains, merged?.owner !== undefined)
      }
    }
  }
  return candidates
}

function faultOf({ route, backend, mains, foreign }: Candidate, owners: Owners): string | undefined {
  if (foreign !== undefined)
    return `Ingress "${qualifiedName(foreign.source)}" serves them, and a canary has to be in the same namespace; move it from ${shown(route.source.namespace)} to there`
  if (!mains.some((main) => main.backend !== undefined)) {
    return 'no Ingress without annotation "canary" has the same host, path and path type; add one, or correct these'
  }
  const service = `Service ${shown(backend.serviceKey)}`
  if (mains.some((main) => main.backend !== undefined && baseKey(main.backend.key) === backend.key))
    return `its primary Ingress uses ${service} too; name another Service`
  const owner = owners.get(backend.key)
  if (owner === undefined || owner.balancing.canary !== undefined) return undefined
  return `${service} is the backend of Ingress "${qualifiedName(owner.source)}", which is older and no canary; name another Service`
}

/** @returns why it is not used for one of the backends */
function attach(draft: Draft, { route, backend, mains }: Candidate): string | undefined {
  const refs = mains.flatMap((main) => main.backend ?? [])
  const faults = refs.map((ref) => attachTo(ref, draft, { route, backend }))
  return faults.find((fault) => fault !== undefined)
}

function attachTo({ key }: BackendRef, draft: Draft, { route, backend }: Alternative): string | undefined {
  const others = getOrMake(draft.alternatives, key, () => [])
  if (others.some((other) => other.backend.key === backend.key)) return undefined
  const [first] = others
  if (first !== undefined && route.balancing.canary?.isNWay !== true) {
    return `the canary of Ingress "${qualifiedName(first.route.source)}" takes them already; to use both, annotate this one with ${ownPrefix}/canary-n-way: "true"`
  }
  others.push({ route, backend })
  draft.routes.push(route)
  if (route.balancing.canary?.isSticky === true) getOrMake(draft.sessions, backend.key, () => key)
  return undefined
}
