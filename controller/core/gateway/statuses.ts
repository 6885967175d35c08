import type { AncestorStatus, ObjectStatus, ParentStatus } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import { gatewayGroup } from "../../model/objects/gateway/names.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { rememberedLast } from "../../support/incremental/last-result.ts"
import { getOrMake } from "../../support/maps.ts"
import { distinctProblems } from "../declared/problems.ts"
import { classStatus } from "./classes.ts"
import { conditionOf, type Finding, nameOf, problemOf } from "./finding.ts"
import { type AttachableListener, findingsOf } from "./listeners/attachable.ts"
import { gatewayStatus, setStatus } from "./listeners/gateway-status.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import { gatewaysOf, type Settled, type SettledGateway, type SettledRoute } from "./settle.ts"
import type { BuiltStream } from "./streams/stream-build.ts"
import type { Policies, ReadPolicy } from "./tls/policies.ts"

// What is said of the objects: to those who look at them, in their status, and to those who look at wick, as Problems.

export function statusesOf(
  settled: Settled,
  policies: Policies,
  routes: RouteStatuses,
): readonly ObjectStatus[] {
  return [
    ...settled.classes.map((it) => classStatus(it.class, it.parameters.refused)),
    ...settled.gateways.flatMap((it) => ofGateway(it, settled)),
    ...allRoutes(settled).map((it) => routes.of(it, settled.controllerName)),
    ...policyStatuses(settled, policies),
  ]
}

function allRoutes({ webRoutes, streamRoutes }: Settled): readonly SettledRoute[] {
  return [...webRoutes, ...streamRoutes]
}

function ofGateway(of: SettledGateway, { attached }: Settled): readonly ObjectStatus[] {
  const routesOf = (listener: AttachableListener) => attached.get(listener)?.size ?? 0
  return [
    gatewayStatus(of, of.place, of, routesOf),
    ...of.sets.map(({ set, refused }) => setStatus(set, of, of.place, refused, routesOf)),
  ]
}

/** What is said of routes: the same object as long as it says the same, as of thousands a pass changes what is said of few. */
export class RouteStatuses {
  readonly #last = rememberedLast<BuiltRoute | BuiltStream, ObjectStatus>()

  of({ built, parents }: SettledRoute, controllerName: string): ObjectStatus {
    const unsupported = unsupportedOf(built)
    const unaccepted = parents.map(({ attachments, refused }) => {
      return unsupported ?? refused ?? unservedBy(attachments.map(({ listener }) => listener))
    })
    const inputs = [
      controllerName,
      ...parents.map(({ ref }) => ref),
      ...unaccepted.flatMap((finding) => [finding?.reason, finding?.message]),
    ]
    return this.#last(built, inputs, () => {
      const [unresolved] = built.findings.filter((it) => it !== unsupported)
      const all = parents.map(({ ref }, at): ParentStatus => {
        const conditions = [conditionOf("Accepted", unaccepted[at]), conditionOf("ResolvedRefs", unresolved)]
        return { parentRef: ref, controllerName, conditions }
      })
      return ofParents(built, all)
    })
  }
}

function ofParents({ route }: BuiltRoute | BuiltStream, parents: readonly ParentStatus[]): ObjectStatus {
  const { kind, generation, meta } = route
  return { kind, namespace: meta.namespace, name: meta.name, generation, status: { parents } }
}

function unsupportedOf(built: BuiltRoute | BuiltStream): Finding | undefined {
  return "unsupported" in built ? built.unsupported : undefined
}

/** A listener that is not accepted serves nobody. */
function unservedBy(listeners: readonly AttachableListener[]): Finding | undefined {
  const findings = listeners.map(({ conflict, refused }) => conflict ?? refused)
  const [first] = findings
  return first !== undefined && findings.every((it) => it !== undefined)
    ? { ...first, reason: "NotAllowedByListeners" }
    : undefined
}

/** Policies count for the Gateways that have routes to their Services. */
function policyStatuses(settled: Settled, policies: Policies): readonly ObjectStatus[] {
  const gateways = gatewaysByService(settled)
  return [...policies.all()].flatMap((read): readonly ObjectStatus[] => {
    const { meta, generation, targets } = read.policy
    const ancestors = new Set(targets.flatMap((target) => [...(gateways.get(qualifiedName(target)) ?? [])]))
    if (ancestors.size === 0) return []
    const conditions = conditionsOf(read, policies)
    const all = [...ancestors].map(({ meta: { namespace, name } }): AncestorStatus => {
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

function gatewaysByService(settled: Settled): ReadonlyMap<string, ReadonlySet<Gateway>> {
  const all = new Map<string, Set<Gateway>>()
  for (const route of allRoutes(settled)) {
    const gateways = gatewaysOf(route)
    for (const service of route.built.services)
      for (const gateway of gateways) getOrMake(all, service, () => new Set()).add(gateway)
  }
  return all
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
    ...allRoutes(settled).flatMap(routeProblems),
    ...ofPolicies,
  ])
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

function routeProblems({ built, parents }: SettledRoute): readonly Problem[] {
  const detached = parents.flatMap(({ refused }) => refused ?? [])
  const own = [...built.findings.filter(isUnsaid), ...detached]
  return [...built.problems, ...own.map((it) => problemOf(nameOf(built.route), it))]
}

/** What is said of Services that are missing is said where their endpoints are looked for. */
function isUnsaid({ code }: Finding): boolean {
  return code !== "backend-unusable"
}
