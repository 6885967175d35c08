import { isDeepStrictEqual } from "node:util"
import type { EndpointSlice } from "../../../model/objects/endpoint-slice.ts"
import { qualifiedName } from "../../../model/objects/object.ts"
import type { Service } from "../../../model/objects/service.ts"
import { addressesOfService } from "../../../model/objects/service-addresses.ts"
import type { Snapshot } from "../../../model/snapshot.ts"
import type { StreamPort } from "../../../model/stream-listener.ts"
import { canonicalAddress } from "../../../support/address.ts"
import { changedSince } from "../../../support/incremental/shared-map.ts"
import { type EndpointRules, type OwnPlace, placeKey } from "../../../support/judge-endpoint.ts"
import type { TranslateOptions } from "../../options/translation.ts"

// In how many ways wick's own ports are reached, besides the addresses of this Pod or machine: by the other replicas, by the Services that lead to
// them, and by the ports that those have on every node. Which Services and Pods that are is told by EndpointSlices of the controller's namespace, which
// are nobody else's to write: a Service is wick's own if this Pod is one of its endpoints, and then all others are replicas.

type Cluster = Pick<Snapshot, "services" | "endpointSlices" | "nodes">

/** Keeps from pass to pass which Services are wick's own. */
export class OwnPlaces {
  readonly #options: Pick<TranslateOptions, "endpoints" | "ownNamespace">
  /** `namespace/name` of the Services that lead to this Pod */
  readonly #services = new Set<string>()
  #slices: Cluster["endpointSlices"] = new Map()
  #rules: EndpointRules

  constructor(options: Pick<TranslateOptions, "endpoints" | "ownNamespace">) {
    this.#options = options
    this.#rules = options.endpoints
  }

  /**
   * Where endpoints may be, with all that is wick's own. The same object as long as it says the same.
   *
   * @param streams on which nginx listens, too
   */
  rules(cluster: Cluster, streams: readonly Pick<StreamPort, "port">[] = []): EndpointRules {
    this.#followSlices(cluster.endpointSlices)
    const ownPorts = this.#options.endpoints.ownPorts.union(new Set(streams.map(({ port }) => port)))
    const places = [...this.#services].flatMap((key) => this.#placesOf(key, cluster, ownPorts))
    const ownElsewhere = new Map(places)
    const { ownElsewhere: before = new Map(), ownPorts: portsBefore } = this.#rules
    if (!isDeepStrictEqual([ownElsewhere, ownPorts], [before, portsBefore]))
      this.#rules = { ...this.#options.endpoints, ownPorts, ownElsewhere }
    return this.#rules
  }

  #followSlices(slices: Cluster["endpointSlices"]): void {
    const { ownNamespace, endpoints } = this.#options
    if (ownNamespace === "") return
    const changed = changedSince(this.#slices, slices)
    if (changed === undefined) this.#services.clear()
    for (const key of changed ?? slices.keys()) {
      if (!key.startsWith(`${ownNamespace}/`)) continue
      const addresses = addressesOf(slices.get(key) ?? [])
      if (addresses.some((address) => endpoints.ownAddresses.has(address))) this.#services.add(key)
      else this.#services.delete(key)
    }
    this.#slices = slices
  }

  #placesOf(
    key: string,
    { services, endpointSlices, nodes }: Cluster,
    ownPorts: ReadonlySet<number>,
  ): readonly (readonly [string, OwnPlace])[] {
    const { ownAddresses } = this.#options.endpoints
    const slices = endpointSlices.get(key) ?? []
    const replicas = addressesOf(slices).filter((address) => !ownAddresses.has(address))
    const service = services.get(key)
    const atReplicas = replicas.flatMap((address) => [...ownPorts].map((port) => [address, port] as const))
    const atNodes = [...nodes.values()].flatMap((node) => node.addresses.map(({ address }) => address))
    const ports = service === undefined ? [] : ownPortsOf(service, slices, ownPorts)
    const named = (kind: OwnPlace["kind"]) => ({
      kind,
      name: service === undefined ? key : qualifiedName(service.meta),
    })
    return [
      ...atReplicas.map(([address, port]) => [placeKey(address, port), named("replica")] as const),
      ...ports.flatMap(({ port, nodePort }) => [
        ...addressesOfService(service).map((address) => [placeKey(address, port), named("service")] as const),
        ...(nodePort === undefined
          ? []
          : atNodes.map(
              (address) => [placeKey(canonicalAddress(address), nodePort), named("node")] as const,
            )),
      ]),
    ]
  }
}

/** In canonical spelling. */
function addressesOf(slices: readonly EndpointSlice[]): readonly string[] {
  return slices
    .filter(({ addressType }) => addressType !== "FQDN")
    .flatMap(({ endpoints }) => endpoints.flatMap(({ addresses }) => addresses.map(canonicalAddress)))
}

/** The ports of a Service behind which one of wick's own is. */
function ownPortsOf(
  { ports }: Service,
  slices: readonly EndpointSlice[],
  ownPorts: ReadonlySet<number>,
): Service["ports"] {
  const names = new Set(
    slices
      .flatMap((slice) => slice.ports.filter(({ port }) => port !== undefined && ownPorts.has(port)))
      .map(({ name }) => name),
  )
  return ports.filter(
    ({ name, targetPort }) => names.has(name) || (typeof targetPort === "number" && ownPorts.has(targetPort)),
  )
}
