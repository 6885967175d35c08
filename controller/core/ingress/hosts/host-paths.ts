import { qualifiedName } from "../../../model/objects/object.ts"
import type { Problem } from "../../../model/problem.ts"
import { shown } from "../../../model/shown.ts"
import { hostText, ruleProblem } from "../../declared/problems.ts"
import type { ParsedIngress } from "../parsed/parsed-ingress.ts"
import type { ParsedRoute } from "../parsed/parsed-route.ts"
import { patternLeftOut, takesAll } from "./foreign-routes.ts"
import { type HostOwner, isForeign } from "./ownership.ts"

// Which Ingress has which path of a host: the first route with a path and match wins.

/** A host while its paths are found. */
export interface Draft {
  readonly host: string
  readonly owner: HostOwner | undefined
  /** answers `/` unless `routes` has a prefix `/` of its own; absent: nobody mentioned the host so far */
  root?: ParsedRoute
  readonly routes: Map<string, ParsedRoute>
  readonly problems: Problem[]
}

/** An Ingress, and what of it leads to no canary's backend. */
interface Declared {
  readonly ingress: ParsedIngress
  readonly root: ParsedRoute
  readonly routes: readonly ParsedRoute[]
}

/**
 * The older Ingress before the younger; on `_` catch-alls come before rules without host, but not before the owner's.
 *
 * @param implicitRoot of `_`
 */
export function addPaths(
  draft: Draft,
  declared: readonly Declared[],
  implicitRoot: ParsedRoute | undefined,
): void {
  const isOwn = ({ ingress }: Declared) => !isForeign(ingress.root, draft.owner)
  const ownRoot = declared
    .filter(isOwn)
    .flatMap(({ routes }) => routes)
    .find(({ key }) => key === rootKey)
  for (const one of declared)
    if (one.ingress.isCatchAll) addCatchAll(draft, one, isOwn(one) ? undefined : ownRoot)
  const isCaught = draft.root !== undefined
  const root = draft.root ?? implicitRoot ?? (declared.find(isOwn) ?? declared[0])?.root
  if (root !== undefined) draft.root = root
  const claimed = new Map<string, ParsedRoute>()
  for (const one of declared) {
    if (one.ingress.isCatchAll) continue
    addRules(draft, one, isCaught, isOwn(one) ? noClaims : claimed)
    if (draft.owner !== undefined && isOwn(one)) claim(claimed, one, draft)
  }
}

const noClaims: ReadonlyMap<string, ParsedRoute> = new Map()

/** A prefix of the owner's has all below it: nobody else can have that by another type of path, or by a slash more. */
function claim(claimed: Map<string, ParsedRoute>, { root, routes }: Declared, draft: Draft): void {
  const own = draft.root === root && root.backend !== undefined ? [root, ...routes] : routes
  for (const route of own) {
    const path = withoutSlash(route.path)
    if (route.match === "prefix" && !claimed.has(path)) claimed.set(path, route)
  }
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path
}

export const rootKey = "/ prefix"

/** @param taken the owner's path `/`, if it is another one's catch-all */
function addCatchAll(draft: Draft, { ingress, root }: Declared, taken: ParsedRoute | undefined): void {
  if (root !== ingress.root) return
  const winner = draft.root ?? taken
  if (winner === undefined) draft.root = root
  else draft.problems.push(conflict(root, draft.host, winner))
}

/**
 * @param isCaught a catch-all has the host's `/`; otherwise a rule may replace it
 * @param claimed  by the owner, if it is another one's
 */
function addRules(
  draft: Draft,
  { routes }: Declared,
  isCaught: boolean,
  claimed: ReadonlyMap<string, ParsedRoute>,
): void {
  const { root } = draft
  for (const route of routes) {
    const known = isCaught && route.key === root?.key ? root : draft.routes.get(route.key)
    const winner = known ?? claimed.get(withoutSlash(route.path))
    if (winner === undefined) draft.routes.set(route.key, route)
    else draft.problems.push(conflict(route, draft.host, winner))
  }
}

function conflict(loser: ParsedRoute, host: string, winner: ParsedRoute): Problem {
  const other = qualifiedName(winner.source)
  const isSelf = other === qualifiedName(loser.source)
  const message = `Cannot serve path ${shown(loser.path)} of ${hostText(host)}: ${isSelf ? "an earlier rule of the Ingress" : `Ingress "${other}"`} has it already`
  return ruleProblem(loser, loser.field, "path-taken", message)
}

/** Patterns that would take what another namespace's `/` is there for. */
export function leaveOutPatterns({ host, owner, root, routes, problems }: Draft): void {
  const answers = routes.get(rootKey) ?? (root?.backend === undefined ? undefined : root)
  if (owner === undefined || answers === undefined) return
  for (const [key, route] of routes) {
    if (!isForeign(route, owner) || route.source.namespace === answers.source.namespace || !takesAll(route))
      continue
    routes.delete(key)
    problems.push(patternLeftOut(route, host, answers))
  }
}
