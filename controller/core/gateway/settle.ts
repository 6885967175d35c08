import type { GatewayObjects } from "../../model/gateway-objects.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import type { HostRules } from "../options/keys/host-rules.ts"
import type { OwnPort } from "../options/own-ports.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { type Parent, type Parents, parentKey } from "./attach.ts"
import { ownClasses, ownGateways } from "./classes.ts"
import type { Grants } from "./grants.ts"
import type { AttachableListener } from "./listeners/attachable.ts"
import { type GatewayListeners, listenersOf, parentOf } from "./listeners/gateways.ts"
import { withoutTakenPorts } from "./listeners/taken-ports.ts"
import { type Parameters, parametersOf } from "./parameters.ts"
import { type Place, placesOf } from "./placement.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import type { BuildPlace, RouteBuilds } from "./routes/route-builds.ts"
import { type RouteParents, type SettledRoute, SettledRoutes } from "./settled-route.ts"
import type { BuiltStream } from "./streams/stream-build.ts"
import { type BackendPair, backendPairOf } from "./tls/backend-pair.ts"
import type { Policies } from "./tls/policies.ts"

/** What a pass is given beside objects. */
export interface PassOptions extends GatewayOptions {
  readonly reserved: readonly OwnPort[]
  /** on the ports of Ingresses; absent: there are none */
  readonly hostRules?: HostRules
}

export interface PassFacts {
  readonly secrets: ReadonlyMap<string, TlsSecretState>
  readonly grants: Grants
  readonly policies: Policies
  readonly annotated: BuildPlace["annotated"]
}

/** A Gateway of ours with all that belongs to it. */
export interface SettledGateway extends GatewayListeners {
  readonly place: Place
  readonly parameters: Parameters
  /** what its backends are shown that ask for a certificate */
  readonly backendPair: BackendPair
}

/** Who is attached to what. */
export interface Settled {
  readonly controllerName: string
  /** of ours */
  readonly classes: readonly { readonly class: GatewayClass; readonly parameters: Parameters }[]
  readonly gateways: readonly SettledGateway[]
  readonly webRoutes: readonly SettledRoute<BuiltRoute>[]
  readonly streamRoutes: readonly SettledRoute<BuiltStream>[]
  /** how many routes listeners have */
  readonly attached: ReadonlyMap<AttachableListener, number>
}

/** Settles pass after pass; what concerns neither a Gateway nor a route that has changed is kept. */
export class Settling {
  readonly #gateways = new LastResult<SettledGateways>()
  readonly #routes = new SettledRoutes()

  settle(objects: Snapshot, facts: PassFacts, options: PassOptions, builds: RouteBuilds): Settled {
    const { gateway, services, configMaps } = objects
    const { controllerName } = options
    const { classes, gateways: all, listenerSets, namespaces } = gateway
    const inputs = [classes, all, listenerSets, namespaces, services, configMaps, facts.grants, facts.secrets]
    const settled = this.#gateways.of(inputs, () => settledGateways(objects, facts, options))
    const where = { parents: settled.parents, namespaces, controllerName }
    const routes = this.#settledRoutes(gateway, where, { ...facts, services }, builds)
    const attached = attachedTo([...routes.webRoutes, ...routes.streamRoutes])
    return { controllerName, ...settled, ...routes, attached }
  }

  #settledRoutes(
    { httpRoutes, grpcRoutes, tlsRoutes, tcpRoutes, udpRoutes }: GatewayObjects,
    where: RouteParents,
    place: BuildPlace,
    builds: RouteBuilds,
  ): Pick<Settled, "webRoutes" | "streamRoutes"> {
    const web = [...httpRoutes.values(), ...grpcRoutes.values()]
    const streams = [...tlsRoutes.values(), ...tcpRoutes.values(), ...udpRoutes.values()]
    return {
      webRoutes: web.flatMap((it) => this.#routes.of(it, where, () => builds.web.of(it, place)) ?? []),
      streamRoutes: streams.flatMap(
        (it) => this.#routes.of(it, where, () => builds.streams.of(it, place)) ?? [],
      ),
    }
  }
}

interface SettledGateways extends Pick<Settled, "classes" | "gateways"> {
  readonly parents: Parents
}

function settledGateways(objects: Snapshot, facts: PassFacts, options: PassOptions): SettledGateways {
  const { gateway } = objects
  const classes = ownClasses(gateway.classes, options.controllerName)
  const judged = judgedParameters(ownGateways(gateway.gateways, classes), classes, objects)
  const isShared = (it: Gateway) => judged.get(it)?.placement === "shared"
  const places = placesOf([...judged.keys()], options, objects, isShared)
  const sets = Map.groupBy(gateway.listenerSets.values(), (set) => parentOf(set, gateway.gateways))
  const { namespaces } = gateway
  const listening = [...places].map(([it, place]) => {
    const world = { ...facts, namespaces, reserved: options.reserved, ...limitsOf(place, options) }
    return { ...listenersOf(it, sets.get(it) ?? [], world), place }
  })
  const gateways = withoutTakenPorts(listening).map((it): SettledGateway => {
    const backendPair = backendPairOf(it.gateway, facts.secrets, facts.grants)
    return { ...it, parameters: judged.get(it.gateway) ?? {}, backendPair }
  })
  return {
    classes: [...classes.values()].map((it) => ({ class: it, parameters: ofClass(it, objects) })),
    gateways,
    parents: parentsIn(gateways),
  }
}

/** Who is on the ports of Ingresses may not do what Ingresses may not, and has no port of another Gateway. */
function limitsOf({ portOf, isShared }: Place, { portRange, hostRules }: PassOptions) {
  return { portOf, ...(isShared && { ...(portRange && { portRange }), ...(hostRules && { hostRules }) }) }
}

function ofClass({ parameters }: GatewayClass, { configMaps }: Pick<Snapshot, "configMaps">): Parameters {
  return parametersOf(parameters, "spec.parametersRef", configMaps)
}

/** What a Gateway says itself comes before what its class says. */
function judgedParameters(
  gateways: readonly Gateway[],
  classes: ReadonlyMap<string, GatewayClass>,
  objects: Pick<Snapshot, "configMaps">,
): ReadonlyMap<Gateway, Parameters> {
  return new Map(
    gateways.map((gateway) => {
      const its = classes.get(gateway.className)
      const { placement } = its ? ofClass(its, objects) : {}
      const { parameters } = gateway.infrastructure
      const own = parametersOf(parameters, "spec.infrastructure.parametersRef", objects.configMaps)
      return [gateway, { ...(placement && { placement }), ...own }]
    }),
  )
}

function parentsIn(gateways: readonly GatewayListeners[]): Parents {
  const parents = new Map<string, Parent>()
  const add = (
    owner: AttachableListener["owner"],
    { listeners }: GatewayListeners,
    refused?: Parent["refused"],
  ) => {
    const own = listeners.filter((listener) => listener.owner === owner)
    const { namespace, name } = owner.meta
    parents.set(parentKey(owner.kind, namespace, name), { listeners: own, ...(refused && { refused }) })
  }
  for (const of of gateways) {
    add(of.gateway, of)
    for (const { set, refused } of of.sets) add(set, of, refused)
  }
  return parents
}

/** How many routes each listener has. */
function attachedTo(routes: readonly SettledRoute[]): Settled["attached"] {
  const attached = new Map<AttachableListener, number>()
  for (const { listeners } of routes)
    for (const listener of listeners) attached.set(listener, (attached.get(listener) ?? 0) + 1)
  return attached
}
