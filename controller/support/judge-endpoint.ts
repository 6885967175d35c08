import { type AddressVerdict, judgeAddress } from "./address.ts"

/** Which endpoints a Service may have. */
export interface EndpointRules {
  /** of this machine, so that a developer's own servers are reached */
  readonly allowLoopback: boolean
  /** where wick itself listens: for requests, which would go in circles, metrics, health, status, default server */
  readonly ownPorts: ReadonlySet<number>
  /** of this Pod or machine, in canonical spelling */
  readonly ownAddresses: ReadonlySet<string>
}

/**
 * Judges an address together with its port, as `judgeAddress` does: what wick serves itself is nobody's backend. No NetworkPolicy stands
 * between a Pod and itself.
 */
export function judgeEndpoint(
  address: string,
  port: number,
  { allowLoopback, ownPorts, ownAddresses }: EndpointRules,
): AddressVerdict {
  const verdict = judgeAddress(address, allowLoopback)
  if (verdict.kind === "refused" || !ownPorts.has(port)) return verdict
  const isHere = ownAddresses.has(verdict.address) || judgeAddress(address, false).kind === "refused"
  return isHere ? { kind: "refused", reason: `port ${port} of this machine is wick's own` } : verdict
}
