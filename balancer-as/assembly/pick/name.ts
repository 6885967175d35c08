/** How ingress-nginx calls an endpoint wherever it hashes it: `address:port`, IPv6 in brackets. */
import { Endpoint } from "../backend"

/** Longest name: an address in brackets, a colon and a port. */
export const MAX_BYTES: usize = 64

/** Writes the name to `to`; returns the address behind it. */
export function put(endpoint: Endpoint, to: usize): usize {
  memory.copy(to, endpoint.text, endpoint.length)
  to += endpoint.length
  store<u8>(to, 0x3a)
  return decimal(endpoint.port, to + 1)
}

/** Writes a number in decimal; returns the address behind it. */
export function decimal(number: u32, to: usize): usize {
  let end = to + 1
  for (let rest = number; rest >= 10; rest /= 10) end++
  for (let at = end; at > to; number /= 10) store<u8>(--at, <u8>(48 + (number % 10)))
  return end
}
