import type { Change } from "../../controller/input/provider/source.ts"
import { gatewayGroup, gatewayVersion } from "../../controller/model/objects/gateway/names.ts"
import type { ParentRef } from "../../controller/model/objects/gateway/references.ts"
import { type GatewayRoute, qualifiedName } from "../../controller/model/objects/object.ts"
import { parseObject } from "../../controller/model/objects/parse.ts"
import type { ObjectName } from "../../controller/model/problem.ts"

// A directory may hold routes without their Gateways, and Gateways without their class: what stands elsewhere is taken to be there, and to take them.

/** @returns the GatewayClasses and Gateways that the objects name and that are not among them */
export function awaitedGateways(changes: readonly Change[], controllerName: string): readonly Change[] {
  const objects = changes.flatMap((change) => (change.kind === "set" ? change.object : []))
  const classes = objects.filter(({ kind }) => kind === "GatewayClass")
  const gateways = objects.filter((it) => it.kind === "Gateway")
  const routes = objects.filter((it): it is GatewayRoute => "parents" in it)
  const awaited = gatewaysOf(routes, new Set(gateways.map(({ meta }) => qualifiedName(meta))))
  const names = new Set(classes.length > 0 ? [] : gateways.map(({ className }) => className))
  if (awaited.length > 0) names.add(awaitedClass)
  return [...[...names].map((name) => classOf(name, controllerName)), ...awaited].flatMap(changeOf)
}

/** No object of a cluster has this name. */
const awaitedClass = "wick-lint.awaited"

type Wanted = readonly [route: GatewayRoute, ref: ParentRef]

function gatewaysOf(routes: readonly GatewayRoute[], known: ReadonlySet<string>): readonly object[] {
  const wanted = routes.flatMap((route) =>
    route.parents
      .filter(({ group, kind }) => group === gatewayGroup && kind === "Gateway")
      .map((ref): Wanted => [route, ref]),
  )
  const nameOf = ([{ meta }, { namespace = meta.namespace, name }]: Wanted) => `${namespace}/${name}`
  return [...Map.groupBy(wanted, nameOf)]
    .filter(([name]) => !known.has(name))
    .map(([name, of]) => gatewayOf(name, of))
}

function gatewayOf(qualified: string, wanted: readonly Wanted[]): object {
  const [namespace, name] = qualified.split("/")
  const listeners = new Map(wanted.map((it, at) => [keyOf(it), listenerOf(it, at)]))
  return {
    apiVersion: gatewayVersion,
    kind: "Gateway",
    metadata: { namespace, name },
    spec: { gatewayClassName: awaitedClass, listeners: [...listeners.values()] },
  }
}

function keyOf([{ kind }, { sectionName = "", port }]: Wanted): string {
  return `${protocols[kind]} ${sectionName} ${port ?? ""}`
}

const protocols = {
  HTTPRoute: "HTTP",
  GRPCRoute: "HTTP",
  TLSRoute: "TLS",
  TCPRoute: "TCP",
  UDPRoute: "UDP",
} as const

/** Each has a port of its own where none is said, so that no two are in conflict. */
function listenerOf([{ kind }, { sectionName, port }]: Wanted, at: number): object {
  const protocol = protocols[kind]
  return {
    name: sectionName ?? `listener-${at}`,
    port: port ?? 30_000 + (at % 30_000),
    protocol,
    ...(protocol === "TLS" && { tls: { mode: "Passthrough" } }),
    allowedRoutes: { namespaces: { from: "All" } },
  }
}

function classOf(name: string, controllerName: string): object {
  return { apiVersion: gatewayVersion, kind: "GatewayClass", metadata: { name }, spec: { controllerName } }
}

function changeOf(value: object): readonly Change[] {
  const parsed = parseObject(value, { origin: "", firstSeenMs: () => 0 })
  return parsed.kind === "object" ? [{ kind: "set", object: parsed.object }] : []
}

/** How it is known afterwards. */
export function awaitedKey({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`
}
