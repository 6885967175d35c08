import type { EndpointSlice } from "../../model/objects/endpoint-slice.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { compact } from "../../support/compact.ts"
import { SharedMap } from "../../support/incremental/shared-map.ts"
import { compareText } from "../../support/order.ts"

/** EndpointSlices, found by the Service they belong to. */
export class Slices {
  readonly #byName = new Map<string, EndpointSlice>()
  readonly #byService = new SharedMap<readonly EndpointSlice[]>()

  get(key: string): EndpointSlice | undefined {
    return this.#byName.get(key)
  }

  /** Replaces or removes a slice. @returns the Services (`namespace/name`) whose slices are others now */
  put(key: string, slice: EndpointSlice | undefined): readonly string[] {
    const before = this.#byName.get(key)
    if (slice) this.#byName.set(key, slice)
    else this.#byName.delete(key)
    const services = [...new Set([before, slice].flatMap(serviceOf))]
    for (const service of services) this.#regroup(service, before, slice)
    return services
  }

  /** By `namespace/service name`, each list in the order of the slices' names. */
  view(): ReadonlyMap<string, readonly EndpointSlice[]> {
    return this.#byService.view()
  }

  #regroup(service: string, before: EndpointSlice | undefined, after: EndpointSlice | undefined): void {
    const kept = (this.#byService.get(service) ?? []).filter((slice) => slice !== before)
    const added = after && serviceOf(after).includes(service) ? [after] : []
    const slices = [...kept, ...added].sort((a, b) => compareText(a.meta.name, b.meta.name))
    this.#byService.put(service, slices.length > 0 ? compact(slices) : undefined)
  }
}

/** The Service of a slice, in a list that is empty when the slice names none. */
function serviceOf(slice: EndpointSlice | undefined): readonly string[] {
  return slice && slice.serviceName !== ""
    ? [qualifiedName({ namespace: slice.meta.namespace, name: slice.serviceName })]
    : []
}
