import { isIPv4, isIPv6, SocketAddress } from "node:net"

/** An address that traffic may be sent to, in canonical spelling, or why not. */
export type AddressVerdict =
  | { readonly kind: "usable"; readonly address: string }
  | { readonly kind: "refused"; readonly reason: string }

/**
 * Judges an address that whoever writes an object has chosen, as that of an endpoint. It must not lead to what listens on this machine or
 * link only: metadata services, admin ports, the control API. Loopback addresses are for development, where the whole machine is the user's.
 */
export function judgeAddress(text: string, allowLoopback: boolean): AddressVerdict {
  const address = canonical(text)
  if (address === undefined) return { kind: "refused", reason: "it is no IP address" }
  const kind = specialKind(address)
  if (kind === undefined || (kind === "loopback" && allowLoopback)) return { kind: "usable", address }
  return { kind: "refused", reason: `${kind} addresses are not allowed` }
}

/** IPv4 has one spelling; IPv6 as in RFC 5952. Zones (`%eth0`) mean something on one machine only. */
function canonical(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text) || text.includes("%")) return undefined
  return new SocketAddress({ address: text, family: "ipv6" }).address
}

/** Source: IANA special-purpose address registries (RFC 6890). */
function specialKind(address: string): string | undefined {
  const mapped = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address
  if (isIPv4(mapped)) return specialIpv4(mapped)
  if (address === "::1") return "loopback"
  if (address === "::") return "unspecified"
  if (/^fe[89ab]/.test(address)) return "link-local"
  if (address.startsWith("ff")) return "multicast"
  return undefined
}

function specialIpv4(address: string): string | undefined {
  const [first, second] = address.split(".", 2).map(Number)
  if (first === undefined || first === 0) return "unspecified"
  if (first === 127) return "loopback"
  if (first === 169 && second === 254) return "link-local"
  return first >= 224 ? "multicast or reserved" : undefined
}
