/** An object that this controller makes. */
export interface OwnedKey {
  readonly kind: "Service" | "EndpointSlice" | "ConfigMap"
  readonly namespace: string
  readonly name: string
}

/** Objects that this controller makes for itself, as those by which Gateways are reached. */
export interface OwnedObjects {
  /** Services and EndpointSlices with the label of our own, as JSON, as they were seen last; by `Service shop/web-wick` */
  readonly seen: ReadonlyMap<string, unknown>
  /**
   * Reads one and writes what becomes of it.
   *
   * @param change gets undefined when there is none. @returns undefined to leave it as it is
   * @throws Failure when that was not possible, or what it changed is another one by now
   */
  update(key: OwnedKey, change: (found: unknown) => unknown, signal: AbortSignal): Promise<void>
  /** That it is gone already is no failure. @throws Failure */
  remove(key: OwnedKey, signal: AbortSignal): Promise<void>
}

/** Of manifests: nothing is made. */
export const noOwnedObjects: OwnedObjects = {
  seen: new Map(),
  async update() {},
  async remove() {},
}
