import type { StatusAddress } from "../../model/objects/status-address.ts"

export type { StatusAddress } from "../../model/objects/status-address.ts"

/** The status of Ingresses: what it says now, and how to write it. Names are `namespace/name`. */
export interface Statuses {
  /** In no particular order; undefined when no such Ingress is known. */
  current(ingress: string): readonly StatusAddress[] | undefined
  /**
   * Replaces the addresses of one Ingress.
   *
   * @throws Failure when that was not possible: with the code `status-refused` when this is about this Ingress, with another one when others
   *   need not be tried now. That the Ingress is gone is none
   */
  write(ingress: string, addresses: readonly StatusAddress[], signal: AbortSignal): Promise<void>
}
