import type { AncestorStatus, ObjectStatus } from "../../model/object-status.ts"
import { gatewayGroup } from "../../model/objects/gateway/names.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { distinctProblems } from "../declared/problems.ts"
import { classStatus } from "./classes.ts"
import { byAge, conditionOf, nameOf, problemOf } from "./finding.ts"
import { type AttachableListener, findingsOf } from "./listeners/attachable.ts"
import { gatewayStatus, setStatus } from "./listeners/gateway-status.ts"
import type { Settled, SettledGateway } from "./settle.ts"
import { gatewaysOf, type SettledRoute } from "./settled-route.ts"
import type { Policies, ReadPolicy } from "./tls/policies.ts"

// What is said of the objects: to those who look at them, in their status, and to those who look at wick, as Problems.

export function statusesOf(settled: Settled, policies: Policies): readonly ObjectStatus[] {
  return [
    ...settled.classes.map((it) => classStatus(it.class, it.parameters.refused)),
    ...settled.gateways.flatMap((it) => ofGateway(it, settled)),
    ...allRoutes(settled).map(({ status }) => status),
    ...policyStatuses(settled, policies),
  ]
}

function allRoutes({ webRoutes, streamRoutes }: Settled): readonly SettledRoute[] {
  return [...webRoutes, ...streamRoutes]
}

function ofGateway(of: SettledGateway, { attached }: Settled): readonly ObjectStatus[] {
  const routesOf = (listener: AttachableListener) => attached.get(listener) ?? 0
  return [
    gatewayStatus(of, of.place, of, routesOf),
    ...of.sets.map(({ set, refused }) => setStatus(set, of, of.place, refused, routesOf)),
  ]
}

/** Policies count for the Gateways that have routes to their Services. */
function policyStatuses(settled: Settled, policies: Policies): readonly ObjectStatus[] {
  const all = [...policies.all()]
  if (all.length === 0) return []
  return all.flatMap((read): readonly ObjectStatus[] => {
    const { meta, generation, targets } = read.policy
    const routes = targets.flatMap((target) => settled.routesOf(qualifiedName(target)))
    const ancestors = new Set(routes.flatMap((route) => [...gatewaysOf(route)]))
    if (ancestors.size === 0) return []
    const conditions = conditionsOf(read, policies)
    const all = [...ancestors].sort(byAge).map(({ meta: { namespace, name } }): AncestorStatus => {
      const ancestorRef = { group: gatewayGroup, kind: "Gateway", namespace, name }
      return { ancestorRef, controllerName: settled.controllerName, conditions }
    })
    const { namespace, name } = meta
    return [{ kind: "BackendTLSPolicy", namespace, name, generation, status: { ancestors: all } }]
  })
}

function conditionsOf(read: ReadPolicy, policies: Policies) {
  const refused = policies.conflictOf(read) ?? read.refused
  return [conditionOf("Accepted", refused), conditionOf("ResolvedRefs", read.unresolved)]
}

export function problemsOf(settled: Settled, policies: Policies): readonly Problem[] {
  const ofPolicies = [...policies.all()].flatMap((read) =>
    [policies.conflictOf(read), read.refused, read.unresolved]
      .filter((it) => it !== undefined)
      .map((it) => problemOf(nameOf(read.policy), it)),
  )
  return distinctProblems([
    ...settled.classes.flatMap(({ class: it, parameters: { refused } }) =>
      refused === undefined ? [] : [problemOf(nameOf(it), refused)],
    ),
    ...settled.gateways.flatMap(gatewayProblems),
    ...routeProblems(settled),
    ...ofPolicies,
  ])
}

/** Of thousands of routes few have any. */
function routeProblems(settled: Settled): readonly Problem[] {
  const all: Problem[] = []
  for (const { problems } of allRoutes(settled)) if (problems.length > 0) all.push(...problems)
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
