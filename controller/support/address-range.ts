import { isIPv4, isIPv6 } from "node:net"
import { addressBytes, addressText } from "./address.ts"

// Networks, as lists of clients have them.

/** Longer ones hold something that is no network; looking at them would take time. */
const maxLength = 64

/**
 * An address or a network in the one way that wick writes it: masked, with its bits, and IPv4 not mapped into IPv6.
 * @returns undefined when it is none; zones and leading zeros are no part of one
 */
export function canonicalRange(text: string): string | undefined {
  const range = parse(text)
  return range && `${addressText(range.bytes)}/${range.bits}`
}

/** Whether a network that `canonicalRange` wrote has this address, which may be mapped. */
export function isInRange(address: string, range: string): boolean {
  const [client, network] = [parse(address), parse(range)]
  if (client === undefined || network === undefined) return false
  const masked = mask(client.bytes, network.bits)
  return masked.length === network.bytes.length && masked.every((byte, at) => byte === network.bytes[at])
}

interface Range {
  /** 4 or 16 */
  readonly bytes: readonly number[]
  readonly bits: number
}

function parse(text: string): Range | undefined {
  const [address = "", length, more] = text.split("/")
  const isAddress = isIPv4(address) || (isIPv6(address) && !address.includes("%"))
  if (!isAddress || more !== undefined || text.length > maxLength) return undefined
  const bytes = addressBytes(address)
  const bits = length === undefined ? 8 * bytes.length : bitsIn(length)
  if (bits > 8 * bytes.length) return undefined
  const isMapped = bits >= 96 && mappedIn(bytes)
  return isMapped ? masked(bytes.slice(12), bits - 96) : masked(bytes, bits)
}

/** Infinity: they are no number. */
function bitsIn(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
}

/** ::ffff:0:0/96. Source: RFC 4291, 2.5.5.2 */
function mappedIn(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.slice(0, 12).every((byte, at) => byte === (at < 10 ? 0 : 0xff))
}

function masked(bytes: readonly number[], bits: number): Range {
  return { bytes: mask(bytes, bits), bits }
}

function mask(bytes: readonly number[], bits: number): readonly number[] {
  return bytes.map((byte, at) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * at)))))
}
