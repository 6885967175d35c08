import type { Condition, ObjectStatus, ParentStatus } from "../../model/object-status.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayRoute } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { distinctBy } from "../../support/distinct.ts"
import { getOrMake } from "../../support/maps.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import type { DeclaredSource } from "../declared/declarations.ts"
import type { DeclaredListener } from "../declared/listener.ts"
import { distinctProblems } from "../declared/problems.ts"
import type { OwnPort } from "../options/own-ports.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { type AttachedParent, attachmentsOf, type Parent, parentKey } from "./attach.ts"
import { classStatus, ownClasses, ownGateways } from "./classes.ts"
import { conditionOf, type Finding, nameOf, problemOf } from "./finding.ts"
import type { Grants } from "./grants.ts"
import type { Contribution, ServedListener } from "./hosts/listener-hosts.ts"
import { type AttachableListener, isServed } from "./listeners/attachable.ts"
import { gatewayStatus, setStatus } from "./listeners/gateway-status.ts"
import { type GatewayListeners, listenersOf, parentOf } from "./listeners/gateways.ts"
import { type Place, placesOf, serversOf } from "./placement.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import type { RouteBuilds } from "./routes/route-builds.ts"

/** What a pass is given beside objects. */
export interface PassOptions extends GatewayOptions {
  readonly reserved: readonly OwnPort[]
}

/** A route of ours, and what became of it. */
interface SettledRoute {
  readonly built: BuiltRoute
  readonly parents: readonly AttachedParent[]
}

/** One pass: who is attached to what, and what is said of it. */
export class GatewayPass {
  readonly #controllerName: string
  readonly #classes
  readonly #places: ReadonlyMap<Gateway, Place>
  readonly #gateways: readonly GatewayListeners[]
  readonly #routes: readonly SettledRoute[]
  /** how many routes a listener has */
  readonly #attached = new Map<AttachableListener, Set<GatewayRoute>>()

  constructor(
    { gateway, services, configMaps }: Snapshot,
    secrets: ReadonlyMap<string, TlsSecretState>,
    options: PassOptions,
    builds: RouteBuilds,
    grants: Grants,
  ) {
    this.#controllerName = options.controllerName
    this.#classes = ownClasses(gateway.classes, options.controllerName)
    const own = ownGateways(gateway.gateways, this.#classes)
    this.#places = placesOf(own, options, { services, configMaps })
    const sets = Map.groupBy(gateway.listenerSets.values(), (set) => parentOf(set, gateway.gateways))
    const { reserved } = options
    this.#gateways = [...this.#places].map(([it, { portOf }]) =>
      listenersOf(it, sets.get(it) ?? [], {
        secrets,
        grants,
        namespaces: gateway.namespaces,
        reserved,
        portOf,
      }),
    )
    const parents = this.#parents()
    this.#routes = [...gateway.httpRoutes.values(), ...gateway.grpcRoutes.values()].flatMap((route) => {
      const attached = attachmentsOf(route, parents, gateway.namespaces)
      if (attached.length === 0) return []
      return [{ built: builds.of(route, services, grants), parents: attached }]
    })
    for (const { built, parents } of this.#routes) this.#count(built.route, parents)
  }

  #parents(): ReadonlyMap<string, Parent> {
    const parents = new Map<string, Parent>()
    for (const { gateway, listeners, sets } of this.#gateways) {
      for (const { set, refused } of [{ set: gateway, refused: undefined }, ...sets]) {
        const own = listeners.filter(({ owner }) => owner === set)
        const { namespace, name } = set.meta
        parents.set(parentKey(set.kind, namespace, name), { listeners: own, ...(refused && { refused }) })
      }
    }
    return parents
  }

  #count(route: GatewayRoute, parents: readonly AttachedParent[]): void {
    for (const { attachments } of parents)
      for (const { listener } of attachments) getOrMake(this.#attached, listener, () => new Set()).add(route)
  }

  /** The listeners that are served by HTTP, with their routes. */
  servedListeners(): readonly ServedListener[] {
    const routes = this.#contributions()
    return this.#gateways.flatMap(({ gateway, listeners }) =>
      listeners.flatMap((listener) => {
        const { spec } = listener
        const place = this.#places.get(gateway)
        if (place === undefined || !isServed(listener) || !isWeb(listener)) return []
        const scheme = spec.protocol === "HTTPS" ? "https" : "http"
        const servers = serversOf(place, scheme, spec.port)
        const side = { scheme, port: spec.port } as const
        return servers.length === 0
          ? []
          : [{ listener, servers, side, byName: routes.get(listener) ?? noContributions }]
      }),
    )
  }

  #contributions(): ReadonlyMap<AttachableListener, ReadonlyMap<string, readonly Contribution[]>> {
    const all = new Map<AttachableListener, Map<string, Contribution[]>>()
    for (const { built, parents } of this.#routes) {
      if (built.unsupported !== undefined) continue
      for (const { listener, names } of parents.flatMap(({ attachments }) => attachments)) {
        const byName = getOrMake(all, listener, () => new Map<string, Contribution[]>())
        for (const { own, served } of names) getOrMake(byName, served, () => []).push({ built, own })
      }
    }
    return all
  }

  backends(): readonly DeclaredBackend[] {
    const all = this.#routes.flatMap(({ built }) => built.backends)
    return distinctBy(all, ({ name }) => name).toSorted((a, b) => compareText(a.name, b.name))
  }

  /** The ports that nginx has to listen on. */
  listeners(): readonly DeclaredListener[] {
    return this.#gateways.flatMap(({ gateway, listeners }) =>
      listeners.flatMap((listener): readonly DeclaredListener[] => {
        const { spec, owner, field } = listener
        const port = this.#places.get(gateway)?.portOf(spec.port)
        if (!isWeb(listener) || !isServed(listener) || port === undefined) return []
        const scheme = spec.protocol === "HTTPS" ? "https" : "http"
        return [{ scheme, port, source: nameOf(owner), field: `${field}.port` }]
      }),
    )
  }

  statuses(): readonly ObjectStatus[] {
    return [
      ...[...this.#classes.values()].map((it) => classStatus(it, undefined)),
      ...this.#gateways.flatMap((it) => this.#gatewayStatuses(it)),
      ...this.#routes.map((it) => this.#routeStatus(it)),
    ]
  }

  #gatewayStatuses(of: GatewayListeners): readonly ObjectStatus[] {
    const place = this.#places.get(of.gateway)
    if (place === undefined) return []
    const routesOf = (listener: AttachableListener) => this.#attached.get(listener)?.size ?? 0
    return [
      gatewayStatus(of, place, routesOf),
      ...of.sets.map(({ set, refused }) => setStatus(set, of, place, refused, routesOf)),
    ]
  }

  #routeStatus({ built, parents }: SettledRoute): ObjectStatus {
    const { route, unsupported, unresolved } = built
    const { namespace, name } = route.meta
    const all = parents.map(({ ref, attachments, refused }): ParentStatus => {
      const unaccepted = unsupported ?? refused ?? unservedBy(attachments.map(({ listener }) => listener))
      const conditions: readonly Condition[] = [
        conditionOf("Accepted", unaccepted),
        conditionOf("ResolvedRefs", unresolved),
      ]
      return { parentRef: ref, controllerName: this.#controllerName, conditions }
    })
    const { kind, generation } = route
    return { kind, namespace, name, generation, status: { parents: all } }
  }

  problems(): readonly Problem[] {
    const ofRoutes = this.#routes.flatMap(({ built, parents }) => {
      const detached = parents.flatMap(({ refused }) => (refused === undefined ? [] : refused))
      return [...built.findings.filter(isUnsaid), ...detached].map((it) => problemOf(nameOf(built.route), it))
    })
    return distinctProblems([...this.#gateways.flatMap((it) => this.#gatewayProblems(it)), ...ofRoutes])
  }

  #gatewayProblems({ gateway, listeners, sets }: GatewayListeners): readonly Problem[] {
    const place = this.#places.get(gateway)
    const own = [place?.unsupported, place?.unprogrammed].filter((it) => it !== undefined)
    return [
      ...own.map((it) => problemOf(nameOf(gateway), it)),
      ...sets.flatMap(({ set, refused }) => (refused ? [problemOf(nameOf(set), refused)] : [])),
      ...listeners.flatMap((listener) =>
        findingsOf(listener).map((it) => problemOf(nameOf(listener.owner), it)),
      ),
    ]
  }

  usesSecret(name: string): boolean {
    return this.#gateways.some(({ listeners }) => listeners.some(({ secrets }) => secrets.includes(name)))
  }

  *sources(): Generator<DeclaredSource> {
    for (const { built } of this.#routes)
      yield { source: nameOf(built.route), backends: built.backends.map(({ ref }) => ref.key) }
  }
}

const noContributions: ReadonlyMap<string, readonly Contribution[]> = new Map()

function findingsOf({ conflict, refused, unresolved }: AttachableListener): readonly Finding[] {
  return [conflict, refused, unresolved].filter((it) => it !== undefined)
}

/** What is said of Services that are missing is said where their endpoints are looked for. */
function isUnsaid({ code, reason }: Finding): boolean {
  return code !== "backend-not-found" || reason !== "BackendNotFound"
}

function isWeb({ spec }: AttachableListener): boolean {
  return spec.protocol === "HTTP" || spec.protocol === "HTTPS"
}

/** A listener that is not accepted serves nobody. */
function unservedBy(listeners: readonly AttachableListener[]): Finding | undefined {
  const findings = listeners.map(({ conflict, refused }) => conflict ?? refused)
  const [first] = findings
  return findings.every((it) => it !== undefined) && first
    ? { ...first, reason: "NotAllowedByListeners" }
    : undefined
}
