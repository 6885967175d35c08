import { BlockList, isIPv4, isIPv6, SocketAddress } from "node:net"
import ipaddr from "ipaddr.js"

/** An address that traffic may be sent to, in canonical spelling, or why not. */
export type AddressVerdict =
  | { readonly kind: "usable"; readonly address: string }
  | { readonly kind: "refused"; readonly reason: string }

/**
 * Judges an address that the author of an object has chosen, as that of an endpoint. It must not lead to what listens on this machine or
 * link only: metadata services, admin ports, the control API. Loopback addresses are for development, where the whole machine is the user's.
 */
export function judgeAddress(text: string, allowLoopback: boolean): AddressVerdict {
  if (isIPv4(text)) return verdictOn(text, specialIpv4(text.split(".", 2).map(Number)), allowLoopback)
  // Zones (`%eth0`) mean something on one machine only.
  if (!isIPv6(text) || text.includes("%")) return { kind: "refused", reason: "it is no IP address" }
  const parsed = new SocketAddress({ address: text, family: "ipv6" })
  const special = mayBeSpecial.check(parsed) ? specialIpv6(parsed.address) : undefined
  return verdictOn(parsed.address, special, allowLoopback)
}

/** An address as `judgeAddress` spells it; what is none stays as it is. */
export function canonicalAddress(text: string): string {
  return isIPv6(text) && !text.includes("%")
    ? new SocketAddress({ address: text, family: "ipv6" }).address
    : text
}

/** 4 or 16 bytes, in network order. @param address checked */
export function addressBytes(address: string): readonly number[] {
  if (isIPv4(address)) return address.split(".").map(Number)
  // The library takes ::1.2.3.4 for the mapped ::ffff:1.2.3.4.
  const groups = address.replace(/\d+\.\d+\.\d+\.\d+$/, (v4) => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  return ipaddr.IPv6.parse(groups).toByteArray()
}

/** In canonical spelling (RFC 5952). @param bytes 4 or 16 */
export function addressText(bytes: readonly number[]): string {
  return bytes.length === 4 ? bytes.join(".") : new ipaddr.IPv6([...bytes]).toRFC5952String()
}

/** A host as it stands before a port: IPv6 addresses in brackets, others and names as they are. */
export function inBrackets(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** `10.0.0.1:8080`, `[2001:db8::1]:8080`, `name:8080` */
export function hostPort(host: string, port: number | string): string {
  return `${inBrackets(host)}:${port}`
}

/** Whether a server is given by its IPv6 address, alone or in brackets with a port. */
export function isIpv6Server(server: string): boolean {
  return isIPv6(server) || server.startsWith("[")
}

/** What kind of address it is that endpoints may not have. */
type Special = "loopback" | "unspecified" | "link-local" | "multicast" | "multicast or reserved"

function verdictOn(address: string, special: Special | undefined, allowLoopback: boolean): AddressVerdict {
  if (special === undefined || (special === "loopback" && allowLoopback)) return { kind: "usable", address }
  return { kind: "refused", reason: `${special} addresses are not allowed` }
}

/** Source: IANA special-purpose address registries (RFC 6890). @param bytes at least the first two */
function specialIpv4([first = 0, second = 0]: readonly number[]): Special | undefined {
  if (first === 0) return "unspecified"
  if (first === 127) return "loopback"
  if (first === 169 && second === 254) return "link-local"
  return first >= 224 ? "multicast or reserved" : undefined
}

/** Prefixes of all that is looked at closely: the other addresses, which are nearly all, cost no more than this look. */
const mayBeSpecial = new BlockList()
for (const [prefix, bits] of [
  ["::", 3],
  ["2001::", 32],
  ["2002::", 16],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  mayBeSpecial.addSubnet(prefix, bits, "ipv6")
}

/** Some forms of IPv6 addresses lead to an IPv4 address that they hold: they are what that address is. Source: RFC 4291 and those below. */
function specialIpv6(address: string): Special | undefined {
  const parsed = ipaddr.IPv6.parse(address)
  const range = parsed.range()
  const bytes = parsed.toByteArray()
  switch (range) {
    case "loopback":
    case "unspecified":
    case "multicast":
      return range
    case "linkLocal":
      return "link-local"
    case "ipv4Mapped":
    case "rfc6145": // ::ffff:0:a.b.c.d
      return specialIpv4(bytes.slice(12))
    case "rfc6052":
      return bytes[5] === 0 ? specialIpv4(bytes.slice(12)) : specialLocalNat64(bytes)
    case "6to4": // RFC 3056, 2
      return specialIpv4(bytes.slice(2))
    case "teredo": // RFC 4380, 4: the server's, and the client's with all bits inverted
      return specialIpv4(bytes.slice(4)) ?? specialIpv4(bytes.slice(12).map((byte) => byte ^ 0xff))
    default: // ::a.b.c.d
      return bytes.slice(0, 12).every((byte) => byte === 0) ? specialIpv4(bytes.slice(12)) : undefined
  }
}

/**
 * 64:ff9b:1::/48 (RFC 8215). Only the network knows how long its NAT64 prefix is, and so which bytes are the IPv4 address (RFC 6052, 2.2): no
 * reading may lead to this machine or link, and one must lead to a usable address.
 */
function specialLocalNat64(bytes: readonly number[]): Special | undefined {
  const readings = [6, 7, 8, 12].map((prefixBytes) => {
    const found = bytes.filter((_, at) => at >= prefixBytes && at !== 8) // byte 8 belongs to no IPv4 address
    return specialIpv4(found)
  })
  const local = readings.find((kind) => kind === "loopback" || kind === "link-local")
  return local ?? (readings.includes(undefined) ? undefined : readings.at(-1))
}
