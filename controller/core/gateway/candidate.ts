import { type GatewayObjects, noGatewayObjects } from "../../model/gateway-objects.ts"
import { sharedServer } from "../../model/listener.ts"
import type { BackendTlsPolicy } from "../../model/objects/gateway/backend-tls-policy.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { ListenerSet } from "../../model/objects/gateway/listener-set.ts"
import { type GatewayRoute, nameOf, qualifiedName } from "../../model/objects/object.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { Declarations } from "../declared/declarations.ts"
import type { SaidReader } from "../declared/said.ts"
import type { Context } from "../options/context.ts"
import { GatewayFrontEnd } from "./front-end.ts"

/** The kinds that somebody may ask about before they are there. */
export type GatewayCandidate = Gateway | ListenerSet | GatewayRoute | BackendTlsPolicy

/** What a pass would say of it. */
export interface JudgedCandidate {
  /** by its class, its parents or its Services */
  readonly isOurs: boolean
  readonly problems: readonly Problem[]
  /** of others, because of it */
  readonly ofOthers: readonly Problem[]
  /** that it would have on the ports of Ingresses */
  readonly sharedHosts: readonly string[]
}

/** What is there already. */
export type Standing = Pick<Snapshot, "gateway" | "services">

/**
 * Reads an object as if it were there, among the Gateways that are: of the routes only what a BackendTLSPolicy is for. Secrets and ConfigMaps are not
 * looked at, which may come later.
 *
 * @param annotations under these settings
 */
export class CandidateReader {
  readonly #context: Context
  readonly #annotations: SaidReader

  constructor(context: Context, annotations: SaidReader) {
    this.#context = context
    this.#annotations = annotations
  }

  judge(candidate: GatewayCandidate, standing: Standing): JudgedCandidate {
    const own = nameOf(candidate)
    const after = this.#declare(standing, withCandidate(candidate, standing.gateway))
    const isOurs = (after.statuses ?? []).some((it) => isNamed(it, own))
    if (!isOurs) return { isOurs, problems: [], ofOthers: [], sharedHosts: [] }
    return {
      isOurs,
      problems: after.problems.filter(({ object }) => isNamed(object, own)),
      ofOthers: this.#ofOthers(candidate, standing, after.problems),
      sharedHosts: after.hosts.flatMap(({ server, host, rules }) =>
        server === sharedServer && rules.some(({ source }) => isNamed(source, own)) ? host : [],
      ),
    }
  }

  #declare({ services }: Standing, gateway: GatewayObjects): Declarations {
    const frontEnd = new GatewayFrontEnd(this.#context, this.#annotations)
    return frontEnd.declare({ ...nothing, services, gateway }, noFacts)
  }

  /** A route takes nothing from Gateways. */
  #ofOthers(candidate: GatewayCandidate, standing: Standing, after: readonly Problem[]): readonly Problem[] {
    if ("parents" in candidate) return []
    const own = nameOf(candidate)
    const gateway = withRoutes(standing.gateway, routesFor(candidate, standing.gateway))
    const before = new Set(this.#declare(standing, gateway).problems.map((it) => JSON.stringify(it)))
    return after.filter((it) => !isNamed(it.object, own) && !before.has(JSON.stringify(it)))
  }
}

const nothing: Snapshot = {
  ingresses: [],
  services: new Map(),
  endpointSlices: new Map(),
  secrets: new Map(),
  configMaps: new Map(),
  pods: new Map(),
  nodes: new Map(),
  gateway: noGatewayObjects,
  problems: [],
}
const noFacts = {
  tlsSecrets: new Map(),
  policies: new Map(),
  ruleSets: undefined,
  defaultPair: undefined,
}

type Routes = readonly GatewayRoute[]

function isNamed(a: ObjectName, b: ObjectName): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
}

function withCandidate(candidate: GatewayCandidate, objects: GatewayObjects): GatewayObjects {
  const all = withRoutes(objects, routesFor(candidate, objects))
  switch (candidate.kind) {
    case "Gateway":
      return { ...all, gateways: put(all.gateways, candidate) }
    case "ListenerSet":
      return { ...all, listenerSets: put(all.listenerSets, candidate) }
    case "BackendTLSPolicy":
      return { ...all, backendTlsPolicies: put(all.backendTlsPolicies, candidate) }
    default:
      return all
  }
}

/** With these alone. */
function withRoutes(objects: GatewayObjects, routes: Routes): GatewayObjects {
  const of = <K extends GatewayRoute["kind"]>(kind: K) =>
    routes
      .filter((route): route is Extract<GatewayRoute, { kind: K }> => route.kind === kind)
      .reduce(put, new Map<string, Extract<GatewayRoute, { kind: K }>>())
  return {
    ...objects,
    httpRoutes: of("HTTPRoute"),
    grpcRoutes: of("GRPCRoute"),
    tlsRoutes: of("TLSRoute"),
    tcpRoutes: of("TCPRoute"),
    udpRoutes: of("UDPRoute"),
  }
}

function routesFor(candidate: GatewayCandidate, objects: GatewayObjects): Routes {
  if ("parents" in candidate) return [candidate]
  return candidate.kind === "BackendTLSPolicy" ? routesOf(candidate, objects) : []
}

function routesOf({ targets }: BackendTlsPolicy, objects: GatewayObjects): Routes {
  const { httpRoutes, grpcRoutes, tlsRoutes, tcpRoutes, udpRoutes } = objects
  const services = new Set(targets.map(qualifiedName))
  const all: readonly ReadonlyMap<string, GatewayRoute>[] = [
    httpRoutes,
    grpcRoutes,
    tlsRoutes,
    tcpRoutes,
    udpRoutes,
  ]
  return all
    .flatMap((routes) => [...routes.values()])
    .filter(({ rules }) =>
      rules.some(({ backends }) => backends.some((backend) => services.has(qualifiedName(backend)))),
    )
}

function put<T extends { readonly meta: { readonly namespace: string; readonly name: string } }>(
  all: ReadonlyMap<string, T>,
  object: T,
): Map<string, T> {
  return new Map(all).set(qualifiedName(object.meta), object)
}
