import { isIP, isIPv4 } from "node:net"
import { accepted, type Parser, refused } from "../parser.ts"
import type { Syntax } from "../usage.ts"
import type { ListParser } from "./texts.ts"

/** An IPv4 or IPv6 address without a zone. */
export const ipAddress: Parser<string> = (text) =>
  isIP(text) !== 0 && !text.includes("%") ? accepted(text) : refused("write an IP address")

/** An address, or a network as address/bits. */
const network: Parser<string> = (text) => {
  const [address = "", bits, more] = text.split("/")
  if (isIP(address) === 0 || address.includes("%") || more !== undefined) return refused(advice)
  if (bits === undefined) return accepted(text)
  const isLength = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128)
  return isLength ? accepted(`${address}/${Number(bits)}`) : refused(advice)
}

/** @param list what becomes of those that are none */
export function networks(list: ListParser): Syntax<readonly string[]> {
  return { values: "addresses and networks separated by commas", parse: list(network) }
}

const advice = "write an IP address or a network such as 10.0.0.0/8"

/** A name of the DNS, or an address. */
export const hostName: Parser<string> = (text) =>
  isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? accepted(text)
    : refused("write the name or address of a host")
