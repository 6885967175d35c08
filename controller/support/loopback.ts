import { isIPv4 } from "node:net"

/** An IP address that only this machine reaches. */
export function isLoopback(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."))
}

/**
 * Whether a Host header names this machine by a name that nobody else can give an address to. A page from elsewhere can lead a name of its own
 * to a loopback address (DNS rebinding), but it stays that name.
 *
 * @param host with or without a port
 */
export function namesLoopback(host: string | undefined): boolean {
  const [, name = ""] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host ?? "") ?? []
  return name.toLowerCase() === "localhost" || isLoopback(name.replace(/^\[(.*)\]$/, "$1"))
}
