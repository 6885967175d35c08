import type { StatusAddress } from "../../model/objects/status-address.ts"
import type { StatusText } from "../../model/status-text.ts"

export type { StatusAddress } from "../../model/objects/status-address.ts"

/** Our part of the status of the objects of one kind: what it says now, and how to write it. Names are `namespace/name`. */
export interface StatusWriter<Part> {
  /** undefined when no such object is known */
  current(name: string): Part | undefined
  /**
   * Replaces our part. What others have written into the status stays as it is.
   *
   * @throws Failure when that was not possible: with the code `status-refused` when this is about this object, with another one when others
   *   need not be tried now. That the object is gone is none
   */
  write(name: string, part: Part, signal: AbortSignal): Promise<void>
}

/** The statuses of the Gateway API, of all its kinds: names are `HTTPRoute shop/cart`. */
export interface GatewayStatusWriter extends StatusWriter<StatusText> {
  /** Names of what may have another status than at the last call: at the first, of all that have one. */
  changed(): Iterable<string>
}

/** The writers, by what they write of. */
export interface Statuses {
  /** under which addresses this controller is reached, in no particular order */
  readonly Ingress: StatusWriter<readonly StatusAddress[]>
  readonly gatewayApi: GatewayStatusWriter
}
