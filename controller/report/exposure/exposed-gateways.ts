import { type GatewayObjects, gatewayOf } from "../../model/gateway-objects.ts"
import { type GatewayParameters, parametersOfGateway } from "../../model/gateway-parameters.ts"
import type { AllowedNamespaces } from "../../model/objects/gateway/allowed.ts"
import type { Gateway } from "../../model/objects/gateway/gateway.ts"
import type { ListenerSet } from "../../model/objects/gateway/listener-set.ts"
import { selects } from "../../model/objects/label-selector.ts"
import { byAge, qualifiedName } from "../../model/objects/object.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import { distinctBy } from "../../support/distinct.ts"
import { compareText } from "../../support/order.ts"

/** A Gateway of ours, and the ports that clients are to reach it on. */
export interface ExposedGateway {
  readonly gateway: Gateway
  /** of its class */
  readonly controllerName: string
  readonly parameters: GatewayParameters
  readonly ports: readonly ExposedPort[]
}

export interface ExposedPort {
  readonly port: number
  readonly protocol: "TCP" | "UDP"
}

/** But for those on the ports of Ingresses. Those that have been there for longest come first. */
export function exposedGateways(
  { gateway: objects, configMaps }: Pick<Snapshot, "gateway" | "configMaps">,
  controllerName: string,
): readonly ExposedGateway[] {
  const isOurs = ({ className }: Gateway) => objects.classes.get(className)?.controllerName === controllerName
  const ours = [...objects.gateways.values()].filter(isOurs)
  const sets = Map.groupBy(objects.listenerSets.values(), gatewayOf)
  return ours.sort(byAge).flatMap((gateway) => {
    const own = sets.get(qualifiedName(gateway.meta)) ?? []
    const parameters = parametersOfGateway(gateway, objects.classes.get(gateway.className), configMaps)
    if (parameters.placement === "shared") return []
    return [{ gateway, controllerName, parameters, ports: portsOf(gateway, own, parameters, objects) }]
  })
}

function portsOf(
  gateway: Gateway,
  sets: readonly ListenerSet[],
  { http3 }: GatewayParameters,
  objects: GatewayObjects,
): readonly ExposedPort[] {
  const { allowedListeners, meta } = gateway
  const allowed = sets.filter((set) =>
    isAllowed(allowedListeners, set.meta.namespace, meta.namespace, objects),
  )
  const listeners = [gateway, ...allowed].flatMap((owner) => owner.listeners)
  const ports = listeners.flatMap(({ port, protocol }): readonly ExposedPort[] => {
    if (protocol === "UDP") return [{ port, protocol }]
    const quic = http3 === "true" && protocol === "HTTPS"
    return [{ port, protocol: "TCP" }, ...(quic ? [{ port, protocol: "UDP" } as const] : [])]
  })
  const distinct = distinctBy(ports, ({ port, protocol }) => `${port}/${protocol}`)
  return distinct.toSorted((a, b) => a.port - b.port || compareText(a.protocol, b.protocol))
}

function isAllowed(
  allowed: AllowedNamespaces,
  namespace: string,
  own: string,
  { namespaces }: GatewayObjects,
): boolean {
  if (allowed.from !== "Selector")
    return allowed.from === "All" || (allowed.from === "Same" && namespace === own)
  return selects(allowed.selector, namespaces.get(namespace)?.meta.labels ?? {})
}
