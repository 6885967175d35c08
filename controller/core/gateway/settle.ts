import type { GatewayObjects } from "../../model/gateway-objects.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import type { GatewayRoute } from "../../model/objects/object.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { getOrMake } from "../../support/maps.ts"
import type { OwnPort } from "../options/own-ports.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { type AttachedParent, attachmentsOf, type Parent, type Parents, parentKey } from "./attach.ts"
import { ownClasses, ownGateways } from "./classes.ts"
import type { Grants } from "./grants.ts"
import type { AttachableListener } from "./listeners/attachable.ts"
import { type GatewayListeners, listenersOf, parentOf } from "./listeners/gateways.ts"
import { type Parameters, parametersOf } from "./parameters.ts"
import { type Place, placesOf } from "./placement.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import type { BuildPlace, RouteBuilds } from "./routes/route-builds.ts"
import type { BuiltStream } from "./streams/stream-build.ts"
import { type BackendPair, backendPairOf } from "./tls/backend-pair.ts"
import type { Policies } from "./tls/policies.ts"

/** What a pass is given beside objects. */
export interface PassOptions extends GatewayOptions {
  readonly reserved: readonly OwnPort[]
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

/** A route of ours, and what became of each of its parents. */
export interface SettledRoute<B extends BuiltRoute | BuiltStream = BuiltRoute | BuiltStream> {
  /** for Gateways that show backends nothing */
  readonly built: B
  readonly parents: readonly AttachedParent[]
}

/** Who is attached to what. */
export interface Settled {
  readonly controllerName: string
  /** of ours */
  readonly classes: readonly { readonly class: GatewayClass; readonly parameters: Parameters }[]
  readonly gateways: readonly SettledGateway[]
  readonly webRoutes: readonly SettledRoute<BuiltRoute>[]
  readonly streamRoutes: readonly SettledRoute<BuiltStream>[]
  readonly attached: ReadonlyMap<AttachableListener, ReadonlySet<GatewayRoute>>
}

export function settle(
  objects: Snapshot,
  facts: PassFacts,
  options: PassOptions,
  builds: RouteBuilds,
): Settled {
  const { gateway, services } = objects
  const { controllerName } = options
  const classes = ownClasses(gateway.classes, controllerName)
  const judged = judgedParameters(ownGateways(gateway.gateways, classes), classes, objects)
  const isShared = (it: Gateway) => judged.get(it)?.placement === "shared"
  const places = placesOf([...judged.keys()], options, objects, isShared)
  const sets = Map.groupBy(gateway.listenerSets.values(), (set) => parentOf(set, gateway.gateways))
  const gateways = [...places].map(([it, place]): SettledGateway => {
    const world = {
      ...facts,
      namespaces: gateway.namespaces,
      reserved: options.reserved,
      portOf: place.portOf,
    }
    const listeners = listenersOf(it, sets.get(it) ?? [], world)
    const backendPair = backendPairOf(it, facts.secrets, facts.grants)
    return { ...listeners, place, parameters: judged.get(it) ?? {}, backendPair }
  })
  const routes = settledRoutes(gateway, parentsIn(gateways), { ...facts, services }, builds)
  const all = [...routes.webRoutes, ...routes.streamRoutes]
  return {
    controllerName,
    classes: [...classes.values()].map((it) => ({ class: it, parameters: ofClass(it, objects) })),
    gateways,
    ...routes,
    attached: attachedTo(all),
  }
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

function settledRoutes(
  { httpRoutes, grpcRoutes, tlsRoutes, tcpRoutes, udpRoutes, namespaces }: GatewayObjects,
  parents: Parents,
  place: BuildPlace,
  builds: RouteBuilds,
): Pick<Settled, "webRoutes" | "streamRoutes"> {
  const settled = <R extends GatewayRoute, B>(routes: readonly R[], build: (route: R) => B) =>
    routes.flatMap((route) => {
      const attached = attachmentsOf(route, parents, namespaces)
      return attached.length === 0 ? [] : [{ built: build(route), parents: attached }]
    })
  const streams = [...tlsRoutes.values(), ...tcpRoutes.values(), ...udpRoutes.values()]
  return {
    webRoutes: settled([...httpRoutes.values(), ...grpcRoutes.values()], (it) => builds.web.of(it, place)),
    streamRoutes: settled(streams, (it) => builds.streams.of(it, place)),
  }
}

function attachedTo(routes: readonly SettledRoute[]): Settled["attached"] {
  const attached = new Map<AttachableListener, Set<GatewayRoute>>()
  for (const { built, parents } of routes)
    for (const { attachments } of parents)
      for (const { listener } of attachments) getOrMake(attached, listener, () => new Set()).add(built.route)
  return attached
}

/** The Gateways that a route is served by. */
export function gatewaysOf({ parents }: SettledRoute): ReadonlySet<Gateway> {
  return new Set(parents.flatMap(({ attachments }) => attachments.map(({ listener }) => listener.gateway)))
}
