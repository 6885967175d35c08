import { isDeepStrictEqual } from "node:util"
import type { Problem } from "../model/problem.ts"
import { shown } from "../model/shown.ts"
import { type Affinity, type Balancing, saysNothing } from "./balancing.ts"
import type { IngressClaims, RouteClaim } from "./claim.ts"
import type { HostDemand } from "./hosts.ts"
import { getOrMake } from "./memo.ts"
import { byteOrder } from "./order.ts"
import { claimProblem, serviceField } from "./problems.ts"

// A backend may be named by several Ingresses, and there is one of it. The oldest that names it decides how it is balanced and whether it is
// a canary; the oldest that wants sessions decides about their cookie.

/** The oldest claim that names a backend, by the backend's key. */
export type Owners = ReadonlyMap<string, RouteClaim>

/** The sessions of one backend. */
export interface Session {
  readonly decider: RouteClaim
  readonly affinity: Affinity
  /** where sessions begin: host → paths, both in canonical order */
  readonly locations: Map<string, string[]>
}

/** By the key of the backend. */
export type Sessions = ReadonlyMap<string, Session>

/** Whether they are used or not: a path that lost to another Ingress's still names its backend. */
export function ownersOf(claims: readonly IngressClaims[]): Owners {
  const owners = new Map<string, RouteClaim>()
  const put = (claim: RouteClaim) => {
    if (claim.backend !== undefined && !owners.has(claim.backend.key)) owners.set(claim.backend.key, claim)
  }
  for (const { root, rules } of claims) {
    put(root)
    for (const { routes } of rules) for (const route of routes) put(route)
  }
  return owners
}

/** @param used the claims that are met, the oldest first */
export function sessionsOf(used: readonly RouteClaim[], hosts: readonly HostDemand[]): Sessions {
  const sessions = new Map<string, Session>()
  for (const claim of used) {
    const { affinity, canary } = claim.balancing
    if (affinity === undefined || canary !== undefined || claim.backend === undefined) continue
    getOrMake(sessions, claim.backend.key, () => ({ decider: claim, affinity, locations: new Map() }))
  }
  if (sessions.size > 0) for (const host of hosts) addLocations(host, sessions)
  return sessions
}

/** Of an exact and a prefix path the location is one. */
function addLocations({ host, routes }: HostDemand, sessions: Sessions): void {
  for (const { backend, balancing, path } of [...routes].sort((a, b) => byteOrder(a.path, b.path))) {
    const session = backend && balancing.affinity && sessions.get(backend.key)
    if (session === undefined) continue
    const paths = getOrMake(session.locations, host, () => [])
    if (paths.at(-1) !== path) paths.push(path)
  }
}

/** Problems of the Ingresses that say something about a backend that an older one says otherwise; one for each Ingress and backend. */
export function overruled(claims: readonly IngressClaims[], owners: Owners, sessions: Sessions): Problem[] {
  const problems = new Map<string, Problem>()
  for (const { root, rules } of claims) {
    if (saysNothing(root.balancing)) continue
    for (const claim of [root, ...rules.flatMap(({ routes }) => routes)]) {
      for (const problem of contradictions(claim, owners, sessions)) {
        const { namespace, name } = problem.object
        getOrMake(problems, `${namespace}/${name} ${problem.message}`, () => problem)
      }
    }
  }
  return [...problems.values()]
}

function contradictions(claim: RouteClaim, owners: Owners, sessions: Sessions): Problem[] {
  const { backend, balancing } = claim
  const owner = backend && owners.get(backend.key)
  const session = backend && sessions.get(backend.key)
  if (owner === undefined) return []
  const problems: Problem[] = []
  if (isOverruled(balancing, owner.balancing)) {
    problems.push(contradiction(claim, owner, "balancing-overruled", "how it is balanced"))
  }
  const isOther = session !== undefined && !isDeepStrictEqual(balancing.affinity, session.affinity)
  if (isOther && balancing.affinity !== undefined && balancing.canary === undefined) {
    problems.push(contradiction(claim, session.decider, "affinity-overruled", "the cookie of its sessions"))
  }
  return problems
}

/** A canary that is another one's main backend is left out for that reason (canaries.ts), and the other way round (hosts.ts). */
function isOverruled(said: Balancing, decided: Balancing): boolean {
  if (said === decided || (said.canary === undefined) !== (decided.canary === undefined)) return false
  const wantsChoice = Object.keys(said.choice).length > 0 && !isDeepStrictEqual(said.choice, decided.choice)
  return wantsChoice || !isDeepStrictEqual(said.canary?.shaping, decided.canary?.shaping)
}

function contradiction(claim: RouteClaim, decider: RouteClaim, code: string, what: string): Problem {
  const service = shown(claim.backend?.serviceKey ?? "")
  const other = `${decider.namespace}/${decider.ingressName}`
  const message = `Cannot treat Service ${service} as the annotations say: Ingress "${other}" names it too, is older and decides ${what}`
  return claimProblem(claim, serviceField(claim), code, message)
}
