import { isDeepStrictEqual } from "node:util"
import { parametersOfGateway } from "../../model/gateway-parameters.ts"
import { gatewayServiceName } from "../../model/gateway-ports.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { GatewayClass } from "../../model/objects/gateway/gateway-class.ts"
import type { GrpcRoute } from "../../model/objects/gateway/grpc-route.ts"
import type { HttpRoute } from "../../model/objects/gateway/http-route.ts"
import type { TcpRoute, TlsRoute, UdpRoute } from "../../model/objects/gateway/stream-routes.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { addressesOfService } from "../../model/objects/service-addresses.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { TlsSecretState } from "../../model/tls-secret.ts"
import { LastResult, sameItems } from "../../support/incremental/last-result.ts"
import { joined } from "../../support/joined.ts"
import { setOrDelete } from "../../support/maps.ts"
import type { SaidWorld } from "../declared/said.ts"
import type { HostRules } from "../options/keys/host-rules.ts"
import type { OwnPort } from "../options/own-ports.ts"
import type { GatewayOptions } from "../options/translation.ts"
import { type Parent, type Parents, parentKey } from "./attach.ts"
import { ownClasses, ownGateways } from "./classes.ts"
import { FollowedRoutes, type RouteChange } from "./followed-routes.ts"
import type { Grants } from "./grants.ts"
import type { AttachableListener } from "./listeners/attachable.ts"
import {
  type GatewayListeners,
  listenersOf,
  listenersOfOwner,
  type OwnedListeners,
  parentOf,
} from "./listeners/gateways.ts"
import { keptListeners } from "./listeners/kept-listeners.ts"
import { withoutTakenPorts } from "./listeners/taken-ports.ts"
import { type Parameters, parametersOf } from "./parameters.ts"
import { type Place, placesOf } from "./placement.ts"
import type { BuiltRoute } from "./routes/built-route.ts"
import type { WebRoute } from "./routes/read-route.ts"
import type { BuildPlace, RouteBuilds } from "./routes/route-builds.ts"
import { type RouteParents, type SettledRoute, SettledRoutes } from "./settled-route.ts"
import type { BuiltStream, StreamRoute } from "./streams/stream-build.ts"
import { type BackendPair, backendPairOf } from "./tls/backend-pair.ts"
import type { Policies } from "./tls/policies.ts"

/** What a pass is given beside objects. */
export interface PassOptions extends GatewayOptions {
  readonly reserved: readonly OwnPort[]
  /** on the ports of Ingresses; absent: there are none */
  readonly hostRules?: HostRules
  readonly usesHttp3: boolean
}

export interface PassFacts {
  readonly secrets: ReadonlyMap<string, TlsSecretState>
  readonly grants: Grants
  readonly policies: Policies
  readonly annotated: BuildPlace["annotated"]
  /** all that annotations may name */
  readonly named: SaidWorld
}

/** A Gateway of ours with all that belongs to it. */
export interface SettledGateway extends GatewayListeners, OwnedListeners {
  readonly place: Place
  readonly parameters: Parameters
  /** what its backends are shown that ask for a certificate */
  readonly backendPair: BackendPair
}

/** The Gateways, and the routes that are attached to them, with conflicts settled. */
export interface Settled {
  readonly controllerName: string
  /** of ours */
  readonly classes: readonly { readonly class: GatewayClass; readonly parameters: Parameters }[]
  readonly gateways: readonly SettledGateway[]
  /** these in the order of their kinds and names */
  readonly webRoutes: readonly SettledRoute<BuiltRoute>[]
  readonly streamRoutes: readonly SettledRoute<BuiltStream>[]
  /** since the pass before */
  readonly changes: {
    readonly web: readonly RouteChange<BuiltRoute>[]
    readonly streams: readonly RouteChange<BuiltStream>[]
  }
  /** how many routes listeners have */
  readonly attached: ReadonlyMap<AttachableListener, number>
  /** those that name a Service */
  readonly routesOf: (service: string) => readonly SettledRoute[]
}

/** Settles pass after pass; what concerns neither a Gateway nor a route that has changed is kept. */
export class Settling {
  readonly #gateways = new LastResult<SettledGateways>()
  #known: ReadonlyMap<Gateway, SettledGateway> = new Map()
  #parents: Parents = new Map()
  readonly #routes = new SettledRoutes()
  readonly #http = new FollowedRoutes<HttpRoute, BuiltRoute>()
  readonly #grpc = new FollowedRoutes<GrpcRoute, BuiltRoute>()
  readonly #tls = new FollowedRoutes<TlsRoute, BuiltStream>()
  readonly #tcp = new FollowedRoutes<TcpRoute, BuiltStream>()
  readonly #udp = new FollowedRoutes<UdpRoute, BuiltStream>()
  readonly #webRoutes = new LastResult<Settled["webRoutes"]>()
  readonly #streamRoutes = new LastResult<Settled["streamRoutes"]>()
  readonly #attached = new Map<AttachableListener, number>()

  settle(objects: Snapshot, facts: PassFacts, options: PassOptions, builds: RouteBuilds): Settled {
    const { controllerName } = options
    const { classes, gateways: all, listenerSets, namespaces } = objects.gateway
    const others = [facts.grants, facts.secrets, ...namedByGateways(objects, options)]
    const inputs = [classes, all, listenerSets, namespaces, ...others]
    const settled = this.#gateways.of(inputs, () => this.#settleGateways(objects, facts, options))
    const where = { parents: settled.parents, namespaces, controllerName }
    const changes = this.#follow(objects, where, facts, builds)
    for (const change of [...changes.web, ...changes.streams]) count(change, this.#attached)
    const [http, grpc] = [this.#http, this.#grpc]
    const [tls, tcp, udp] = [this.#tls, this.#tcp, this.#udp]
    return {
      ...{ controllerName, ...settled, changes, attached: this.#attached },
      webRoutes: this.#webRoutes.of([http.all, grpc.all], () => joined([http.all, grpc.all])),
      streamRoutes: this.#streamRoutes.of([tls.all, tcp.all, udp.all], () =>
        joined([tls.all, tcp.all, udp.all]),
      ),
      routesOf: (service) =>
        [http, grpc, tls, tcp, udp].flatMap((of): readonly SettledRoute[] => of.of(service)),
    }
  }

  #settleGateways(objects: Snapshot, facts: PassFacts, options: PassOptions): SettledGateways {
    const settled = settledGateways(objects, facts, options)
    const gateways = settled.gateways.map((it): SettledGateway => {
      const listeners = keptIn(this.#known.get(it.gateway), it)
      return { ...it, listeners, byOwner: Map.groupBy(listeners, ({ owner }) => owner) }
    })
    this.#known = new Map(gateways.map((it) => [it.gateway, it]))
    this.#parents = parentsIn(gateways, this.#parents)
    return { ...settled, gateways, parents: this.#parents }
  }

  #follow(
    { gateway, services }: Snapshot,
    where: RouteParents,
    facts: PassFacts,
    builds: RouteBuilds,
  ): Settled["changes"] {
    const { httpRoutes, grpcRoutes, tlsRoutes, tcpRoutes, udpRoutes, backendTlsPolicies } = gateway
    const common = [where.parents, facts.grants, backendTlsPolicies, ...Object.values(facts.named)]
    const [world, place] = [
      { services, common },
      { ...facts, services },
    ]
    const web = (route: WebRoute) => this.#routes.of(route, where, () => builds.web.of(route, place))
    const stream = (route: StreamRoute) =>
      this.#routes.of(route, where, () => builds.streams.of(route, place))
    return {
      web: [...this.#http.follow(httpRoutes, world, web), ...this.#grpc.follow(grpcRoutes, world, web)],
      streams: [
        ...this.#tls.follow(tlsRoutes, world, stream),
        ...this.#tcp.follow(tcpRoutes, world, stream),
        ...this.#udp.follow(udpRoutes, world, stream),
      ],
    }
  }
}

/** As it is read, whatever was there before. */
type ReadGateway = Omit<SettledGateway, keyof OwnedListeners>

interface SettledGateways extends Pick<Settled, "classes" | "gateways"> {
  readonly parents: Parents
}

/** What Gateways are read with beside objects of the API: of thousands of Services theirs. */
function namedByGateways(
  { gateway: { classes, gateways }, services, configMaps }: Snapshot,
  { ports, publishService }: PassOptions,
): readonly unknown[] {
  const all = [...gateways.values()]
  const refs = [...all.map(({ infrastructure }) => infrastructure), ...classes.values()]
  const named = [ports, ...refs.map(({ parameters }) => parameters)]
  return [
    publishService && services.get(qualifiedName(publishService)),
    ...all.map(({ meta: { namespace, name } }) => services.get(`${namespace}/${gatewayServiceName(name)}`)),
    ...named.map((ref) => ref && configMaps.get(qualifiedName(ref))),
  ]
}

function settledGateways(
  objects: Snapshot,
  facts: PassFacts,
  options: PassOptions,
): Pick<Settled, "classes"> & { readonly gateways: readonly ReadGateway[] } {
  const { gateway } = objects
  const classes = ownClasses(gateway.classes, options.controllerName)
  const judged = judgedParameters(ownGateways(gateway.gateways, classes), classes, objects)
  const isShared = (it: Gateway) => judged.get(it)?.placement === "shared"
  const places = placesOf([...judged.keys()], options, objects, isShared)
  const sets = Map.groupBy(gateway.listenerSets.values(), (set) => parentOf(set, gateway.gateways))
  const { namespaces } = gateway
  const published = publishedBy(options, objects.services)
  const listening = [...places].map(([it, place]) => {
    const limits = limitsOf(place, options, published)
    const world = { ...facts, namespaces, reserved: options.reserved, ...limits }
    const usesHttp3 = options.usesHttp3 && judged.get(it)?.http3 === "true"
    return { ...listenersOf(it, sets.get(it) ?? [], world), place, usesHttp3 }
  })
  const gateways = withoutTakenPorts(listening).map((it): ReadGateway => {
    const backendPair = backendPairOf(it.gateway, facts.secrets, facts.grants)
    return { ...it, parameters: judged.get(it.gateway) ?? {}, backendPair }
  })
  return {
    classes: [...classes.values()].map((it) => ({ class: it, parameters: ofClass(it, objects) })),
    gateways,
  }
}

/** Routes are built with what its backends are shown. */
function keptIn(before: SettledGateway | undefined, after: ReadGateway): SettledGateway["listeners"] {
  const isSame = before && isDeepStrictEqual(before.backendPair, after.backendPair)
  return isSame ? keptListeners(before.listeners, after.listeners) : after.listeners
}

/** Who is on the ports of Ingresses may not do what Ingresses may not, and has no port of another Gateway. */
function limitsOf(
  place: Place,
  { portRange, hostRules, usesHttp3 }: PassOptions,
  published: readonly string[],
) {
  const { portOf, isShared = false } = place
  const mayHaveUsualPorts = isShared || isApart(place, published)
  return {
    ...{ portOf, mayHaveUsualPorts, usesHttp3 },
    ...(isShared && { ...(portRange && { portRange }), ...(hostRules && { hostRules }) }),
  }
}

/** Addresses of machines under which Ingresses are said to be reached. Names do not tell which addresses they have. */
function publishedBy(
  { published, publishService }: PassOptions,
  services: Snapshot["services"],
): readonly string[] {
  const service = publishService && services.get(qualifiedName(publishService))
  return [...published, ...addressesOfService(service)]
}

/** At addresses of its own it takes nothing from Ingresses on their ports. */
function isApart({ addresses }: Place, published: readonly string[]): boolean {
  return addresses.every((address) => address !== undefined && !published.includes(address))
}

function ofClass({ parameters }: GatewayClass, { configMaps }: Pick<Snapshot, "configMaps">): Parameters {
  return parametersOf(parameters, "spec.parametersRef", configMaps)
}

/** Where each Gateway's listeners are, and what of its own is wrong. */
function judgedParameters(
  gateways: readonly Gateway[],
  classes: ReadonlyMap<string, GatewayClass>,
  objects: Pick<Snapshot, "configMaps">,
): ReadonlyMap<Gateway, Parameters> {
  return new Map(
    gateways.map((gateway) => {
      const { configMaps } = objects
      const { placement, http3 } = parametersOfGateway(gateway, classes.get(gateway.className), configMaps)
      const { parameters } = gateway.infrastructure
      const { refused } = parametersOf(parameters, "spec.infrastructure.parametersRef", configMaps)
      return [
        gateway,
        { ...(placement && { placement }), ...(http3 && { http3 }), ...(refused && { refused }) },
      ]
    }),
  )
}

/** @param before those of the last time: what is the same is the same object */
function parentsIn(gateways: readonly SettledGateway[], before: Parents): Parents {
  const parents = new Map<string, Parent>()
  const add = (owner: AttachableListener["owner"], of: SettledGateway, refused?: Parent["refused"]) => {
    const own = listenersOfOwner(of, owner)
    const key = parentKey(owner.kind, owner.meta.namespace, owner.meta.name)
    const known = before.get(key)
    const isSame = known && sameItems(known.listeners, own) && isDeepStrictEqual(known.refused, refused)
    parents.set(key, isSame ? known : { listeners: own, ...(refused && { refused }) })
  }
  for (const of of gateways) {
    add(of.gateway, of)
    for (const { set, refused } of of.sets) add(set, of, refused)
  }
  return parents
}

function count({ before, after }: RouteChange, attached: Map<AttachableListener, number>): void {
  const add = (listener: AttachableListener, more: number) => {
    const routes = (attached.get(listener) ?? 0) + more
    setOrDelete(attached, listener, routes === 0 ? undefined : routes)
  }
  for (const listener of before?.listeners ?? []) add(listener, -1)
  for (const listener of after?.listeners ?? []) add(listener, 1)
}
