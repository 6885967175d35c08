import type { EndpointSlice, SliceEndpoint } from "../../../model/objects/endpoint-slice.ts"
import { type Service, topologyMode } from "../../../model/objects/service.ts"

/**
 * Which endpoints to use of a Service that wants its traffic to stay in the zone: those that are meant for `zone`, if every ready endpoint
 * says which zones it is meant for and one at least is meant for this one; else all. Source: Kubernetes, "Topology Aware Routing", as
 * kube-proxy decides it.
 *
 * @param zone the zone of this controller; undefined when it is not known or not to be looked at
 */
export function zoneFilter(
  service: Service,
  slices: readonly EndpointSlice[],
  zone: string | undefined,
): (endpoint: SliceEndpoint) => boolean {
  if (zone === undefined || !prefersZone(service)) return () => true
  const isMeant = ({ zones }: SliceEndpoint) => zones.includes(zone)
  const ready = slices.flatMap(({ endpoints }) => endpoints).filter((endpoint) => endpoint.ready)
  const hasHints = ready.every(({ zones }) => zones.length > 0)
  return hasHints && ready.some(isMeant) ? isMeant : () => true
}

function prefersZone({ meta, trafficDistribution }: Service): boolean {
  if (trafficDistribution === "PreferClose" || trafficDistribution === "PreferSameZone") return true
  return meta.annotations[topologyMode]?.toLowerCase() === "auto"
}
