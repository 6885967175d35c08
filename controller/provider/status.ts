/** One address under which an Ingress is reached: exactly one of the two, the other is "". */
export interface StatusAddress {
  /** IPv4 or IPv6 */
  readonly ip: string
  readonly hostname: string
}

/** The status of Ingresses: what it says now, and how to write it. Names are `namespace/name`. */
export interface Statuses {
  /** In the order written; undefined when no such Ingress is known. */
  current(ingress: string): readonly StatusAddress[] | undefined
  /**
   * Replaces the addresses of one Ingress.
   *
   * @throws Failure when that was not possible; an Ingress that is gone is none
   */
  write(ingress: string, addresses: readonly StatusAddress[], signal: AbortSignal): Promise<void>
}
