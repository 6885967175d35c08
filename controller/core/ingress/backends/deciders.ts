import { isDeepStrictEqual } from "node:util"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { baseKey } from "../../declared/backend-ref.ts"
import { ruleProblem, serviceField } from "../../declared/problems.ts"
import type { Affinity, Balancing } from "../parsed/balancing.ts"
import { type ParsedIngress, routesOf } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { type CookiePath, cookiePathOf, cookiePathProblem } from "./cookie-path.ts"

// A backend may be named by several Ingresses, and there is one of it. The oldest that names it decides how it is balanced and whether it is
// a canary; the oldest that wants sessions decides about their cookie.

/** The oldest route that names a backend, by the backend's key. */
export type Owners = ReadonlyMap<string, ParsedRoute>

/** The sessions of one backend. */
export interface Session {
  readonly decider: ParsedRoute
  readonly affinity: Affinity
  /** absent: that of each location, unless the annotations give one */
  readonly cookiePath?: CookiePath
}

/** By the key of the backend. */
export type Sessions = ReadonlyMap<string, Session>

/** A route that is accepted. */
export interface Use {
  readonly ingress: ParsedIngress
  readonly route: ParsedRoute
  /** which of the Ingress's routes it is */
  readonly at: number
  /** where it is accepted, under every name; none: it is a canary's */
  readonly hosts: readonly string[]
}

/** @param namers those that name the backend, the oldest first */
export function ownerAmong(namers: readonly ParsedIngress[], key: string): ParsedRoute | undefined {
  for (const ingress of namers) {
    const owner = routesOf(ingress).find(({ backend }) => backend?.key === key)
    if (owner !== undefined) return owner
  }
  return undefined
}

/** @param uses of the backend, the oldest first */
export function sessionOf(key: string, uses: readonly Use[]): Session | undefined {
  const wanting = uses.filter(({ route: { backend, balancing } }) => {
    const isTo = backend !== undefined && baseKey(backend.key) === key
    return isTo && balancing.affinity !== undefined && balancing.canary === undefined
  })
  const decider = wanting[0]?.route
  const affinity = decider?.balancing.affinity
  if (decider === undefined || affinity === undefined) return undefined
  const isGiven = affinity.cookie.path !== undefined
  const cookiePath = isGiven ? undefined : cookiePathOf(wanting.map(({ route }) => route))
  return { decider, affinity, ...(cookiePath && { cookiePath }) }
}

/**
 * Problems of an Ingress whose annotations contradict those of an older one about the same backend, and of one whose pattern cannot be the path
 * of a cookie; one for each backend.
 */
export function balancingFaults(
  ingress: ParsedIngress,
  owners: Owners,
  sessions: Sessions,
): readonly Problem[] {
  const problems = routesOf(ingress).flatMap((route) => faultsOf(route, owners, sessions))
  return [
    ...new Map(problems.toReversed().map((problem) => [problem.message, problem])).values(),
  ].toReversed()
}

function faultsOf(route: ParsedRoute, owners: Owners, sessions: Sessions): Problem[] {
  const { backend, balancing } = route
  const owner = backend && owners.get(backend.key)
  const session = backend && sessions.get(backend.key)
  if (owner === undefined) return []
  const problems: Problem[] = []
  if (isOverruled(balancing, owner.balancing)) {
    problems.push(contradiction(route, owner, "balancing-overruled", "load balancing"))
  }
  const isOther = session !== undefined && !isDeepStrictEqual(balancing.affinity, session.affinity)
  if (isOther && balancing.affinity !== undefined && balancing.canary === undefined) {
    problems.push(contradiction(route, session.decider, "affinity-overruled", "session cookies"))
  }
  if (session?.cookiePath?.pattern === route)
    problems.push(cookiePathProblem(session.cookiePath, session.decider))
  return problems
}

/** A canary that is another one's main backend is left out for that reason (canaries.ts), and the other way round (without-canaries.ts). */
function isOverruled(said: Balancing, decided: Balancing): boolean {
  if (said === decided || (said.canary === undefined) !== (decided.canary === undefined)) return false
  const wantsOther =
    Object.keys(said.loadBalancing).length > 0 &&
    !isDeepStrictEqual(said.loadBalancing, decided.loadBalancing)
  return wantsOther || !isDeepStrictEqual(said.canary?.shaping, decided.canary?.shaping)
}

function contradiction(route: ParsedRoute, decider: ParsedRoute, code: ProblemCode, what: string): Problem {
  const service = shown(route.backend?.serviceKey ?? "")
  const other = qualifiedName(decider.source)
  const message = `Annotations about ${what} have no effect for Service ${service}: Ingress "${other}" uses it too and is older, so its annotations apply`
  return ruleProblem(route, serviceField(route), code, message)
}
