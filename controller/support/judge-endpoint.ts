import { type AddressVerdict, canonicalAddress, judgeAddress } from "./address.ts"

/** Which addresses nginx may connect to, for whomever: endpoints, mirrors, authentication services, error backends, and where certificates lead. */
export interface EndpointRules {
  /** of this machine, so that a developer's own servers are reached */
  readonly allowLoopback: boolean
  /** where wick itself listens, for requests too, which would go in circles. What is added here holds for all forms of wick's addresses */
  readonly ownPorts: ReadonlySet<number>
  /** of this Pod or machine, in canonical spelling */
  readonly ownAddresses: ReadonlySet<string>
  /** where these ports are reached elsewhere, by `placeKey`; absent: that is not known */
  readonly ownElsewhere?: ReadonlyMap<string, OwnPlace>
}

/** Another way to a port of wick's own. */
export interface OwnPlace {
  /** another Pod of wick's, a Service that leads to wick, or the port that such a Service has on each node */
  readonly kind: "replica" | "service" | "node"
  /** `namespace/name` of the Service by which it is known */
  readonly name: string
}

/** @param address in canonical spelling */
export function placeKey(address: string, port: number): string {
  return `${address} ${port}`
}

/**
 * The one judge of addresses that are connected to: `judgeAddress`, and what wick serves itself is nobody's backend. No NetworkPolicy stands
 * between a Pod and itself.
 */
export function judgeEndpoint(address: string, port: number, rules: EndpointRules): AddressVerdict {
  const verdict = judgeAddress(address, rules.allowLoopback)
  if (verdict.kind === "refused") return verdict
  const reason = ownPlace(verdict.address, port, rules)
  return reason === undefined ? verdict : { kind: "refused", reason }
}

/** Why it is wick itself: a phrase that fits after a colon; undefined: it is somebody else. */
export function ownPlace(text: string, port: number, rules: EndpointRules): string | undefined {
  const address = canonicalAddress(text)
  return isHere(address, port, rules)
    ? `port ${port} of this machine is wick's own`
    : elsewhere(address, port, rules)
}

function isHere(address: string, port: number, { ownPorts, ownAddresses }: EndpointRules): boolean {
  if (!ownPorts.has(port)) return false
  return ownAddresses.has(address) || judgeAddress(address, false).kind === "refused"
}

function elsewhere(address: string, port: number, { ownElsewhere }: EndpointRules): string | undefined {
  const place = ownElsewhere?.get(placeKey(address, port))
  switch (place?.kind) {
    case undefined:
      return undefined
    case "replica":
      return `port ${port} of another replica is wick's own`
    case "service":
      return `port ${port} of Service "${place.name}" is wick's own`
    case "node":
      return `port ${port} of nodes leads to Service "${place.name}", which is wick's own`
  }
}
