import { type AncestorStatus, maxAncestors, type ObjectStatus } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import type { ListenerSet } from "../../model/objects/gateway/listener-set.ts"
import { gatewayGroup } from "../../model/objects/gateway/names.ts"
import { byAge, nameOf, qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { LastResult, rememberedLast } from "../../support/incremental/last-result.ts"
import { ProjectedList } from "../../support/incremental/projected-list.ts"
import { classStatus } from "./classes.ts"
import { conditionOf, type Finding, problemOf } from "./finding.ts"
import { type AttachableListener, findingsOf } from "./listeners/attachable.ts"
import { gatewayStatus, setStatus } from "./listeners/gateway-status.ts"
import { listenersOfOwner } from "./listeners/gateways.ts"
import type { Settled, SettledGateway } from "./settle.ts"
import { gatewaysOf, type SettledRoute } from "./settled-route.ts"
import type { Policies, ReadPolicy } from "./tls/policies.ts"

// What is said of the objects: to those who look at them, in their status, and to those who look at wick, as Problems.

/** What is said in statuses, kept from pass to pass: it is the same object while nothing in it changes. */
export class Statuses {
  readonly #classes = rememberedLast<GatewayClass, ObjectStatus>()
  readonly #gateways = rememberedLast<SettledGateway, ObjectStatus>()
  readonly #sets = rememberedLast<ListenerSet, ObjectStatus>()
  readonly #webRoutes = new ProjectedList<SettledRoute, ObjectStatus>(({ status }) => status)
  readonly #streamRoutes = new ProjectedList<SettledRoute, ObjectStatus>(({ status }) => status)
  readonly #policies = rememberedLast<ReadPolicy, readonly ObjectStatus[]>()
  readonly #all = new LastResult<readonly ObjectStatus[]>()

  /** The same list while nothing is said otherwise. */
  of(settled: Settled, policies: Policies): readonly ObjectStatus[] {
    const classes = settled.classes.map(({ class: it, parameters: { refused } }) =>
      this.#classes(it, [refused], () => classStatus(it, refused)),
    )
    const gateways = settled.gateways.flatMap((it) => this.#ofGateway(it, settled))
    const webRoutes = this.#webRoutes.of(settled.webRoutes)
    const streamRoutes = this.#streamRoutes.of(settled.streamRoutes)
    const ofPolicies = [...policies.all()].flatMap((read) => this.#ofPolicy(read, settled, policies))
    const parts = [...classes, ...gateways, webRoutes, streamRoutes, ...ofPolicies]
    return this.#all.of(parts, () => classes.concat(gateways, webRoutes, streamRoutes, ofPolicies))
  }

  #ofGateway(of: SettledGateway, { attached }: Settled): readonly ObjectStatus[] {
    const routesOf = (listener: AttachableListener) => attached.get(listener) ?? 0
    const looks = (owner: AttachableListener["owner"]) => {
      const own = listenersOfOwner(of, owner)
      return [...own, ...own.map(routesOf)]
    }
    const { unsupported, unprogrammed } = of.place
    return [
      this.#gateways(of, looks(of.gateway), () => gatewayStatus(of, of.place, of, routesOf)),
      ...of.sets.map(({ set, refused }) =>
        this.#sets(set, [unsupported, unprogrammed, refused, ...looks(set)], () =>
          setStatus(set, of, of.place, refused, routesOf),
        ),
      ),
    ]
  }

  #ofPolicy(read: ReadPolicy, settled: Settled, policies: Policies): readonly ObjectStatus[] {
    const routes = read.policy.targets.flatMap((target) => settled.routesOf(qualifiedName(target)))
    const gateways = [...new Set(routes.flatMap((route) => [...gatewaysOf(route)]))].sort(byAge)
    const conflict = policies.conflictOf(read)
    return this.#policies(read, [conflict?.message, ...gateways], () =>
      policyStatuses(read, conflict, gateways, settled),
    )
  }
}

/** @param gateways those with routes to its Services, the oldest first: for them it counts */
function policyStatuses(
  { policy, refused, unresolved }: ReadPolicy,
  conflict: Finding | undefined,
  gateways: readonly Gateway[],
  { controllerName }: Settled,
): readonly ObjectStatus[] {
  if (gateways.length === 0) return []
  const conditions = [conditionOf("Accepted", conflict ?? refused), conditionOf("ResolvedRefs", unresolved)]
  const ancestors = gateways.slice(0, maxAncestors).map(({ meta: { namespace, name } }): AncestorStatus => {
    const ancestorRef = { group: gatewayGroup, kind: "Gateway", namespace, name }
    return { ancestorRef, controllerName, conditions }
  })
  const { kind, generation, meta } = policy
  return [{ kind, namespace: meta.namespace, name: meta.name, generation, status: { ancestors } }]
}

/** What is wrong with the objects; the same may be said twice. */
export function problemsOf(settled: Settled, policies: Policies): readonly Problem[] {
  const ofPolicies = [...policies.all()].flatMap((read) =>
    [policies.conflictOf(read), read.refused, read.unresolved]
      .filter((it) => it !== undefined)
      .map((it) => problemOf(nameOf(read.policy), it)),
  )
  return [
    ...settled.classes.flatMap(({ class: it, parameters: { refused } }) =>
      refused === undefined ? [] : [problemOf(nameOf(it), refused)],
    ),
    ...settled.gateways.flatMap(gatewayProblems),
    ...routeProblems(settled),
    ...ofPolicies,
  ]
}

/** Of thousands of routes few have any. */
function routeProblems(settled: Settled): readonly Problem[] {
  const all: Problem[] = []
  for (const routes of [settled.webRoutes, settled.streamRoutes])
    for (const { problems } of routes) if (problems.length > 0) all.push(...problems)
  return all
}

function gatewayProblems({
  gateway,
  listeners,
  sets,
  place,
  parameters,
  backendPair,
}: SettledGateway): readonly Problem[] {
  const own = [parameters.refused, place.unsupported, place.unprogrammed, backendPair.unresolved].filter(
    (it) => it !== undefined,
  )
  return [
    ...own.map((it) => problemOf(nameOf(gateway), it)),
    ...sets.flatMap(({ set, refused }) => (refused ? [problemOf(nameOf(set), refused)] : [])),
    ...listeners.flatMap((listener) =>
      findingsOf(listener).map((it) =>
        problemOf(nameOf(it.code === "authority-unusable" ? gateway : listener.owner), it),
      ),
    ),
  ]
}
