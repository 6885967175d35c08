import { isIPv6 } from "node:net"
import { Failure } from "../../controller/support/failure.ts"
import type { Scheme } from "./requests/request.ts"

/** Where one of both answers. */
export interface Address {
  /** a name or an IP address, IPv6 without brackets */
  readonly host: string
  readonly port: number
}

/** One of both, under the schemes that it is asked by; at least one. */
export type Side = { readonly [S in Scheme]?: Address }

const ports: Readonly<Record<Scheme, number>> = { http: 80, https: 443 }

/**
 * A side as it stands on the command line: an address, which means the usual ports, or a URL for each scheme, separated by commas:
 * `http://10.0.0.1:8080,https://10.0.0.1:8443`. A scheme without a URL is not asked.
 *
 * @throws Failure `usage` when it is neither
 */
export function parseSide(text: string): Side {
  const items = text.split(",").map((item) => item.trim())
  const [first = ""] = items
  if (!text.includes("/") && items.length === 1) return usualPorts(first, text)
  const found = items.map((item) => urlOf(item, text))
  const schemes = found.map(([scheme]) => scheme)
  if (new Set(schemes).size < schemes.length) throw wrong(text, "there are two URLs of one scheme")
  return Object.fromEntries(found)
}

function usualPorts(item: string, text: string): Side {
  const host = item.replace(/^\[(.*)\]$/, "$1")
  const isName = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(host)
  if (!isName && !isIPv6(host)) throw wrong(text, "it is no address")
  return { http: { host, port: ports.http }, https: { host, port: ports.https } }
}

function urlOf(item: string, text: string): readonly [Scheme, Address] {
  const url = URL.canParse(item) ? new URL(item) : undefined
  const scheme = url?.protocol.slice(0, -1)
  if (url === undefined || (scheme !== "http" && scheme !== "https")) throw wrong(text, "it is no URL")
  const isPlain = url.pathname === "/" && url.search === "" && url.hash === "" && url.username === ""
  if (!isPlain || url.password !== "") throw wrong(text, "a URL ends behind its port")
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return [scheme, { host, port: url.port === "" ? ports[scheme] : Number(url.port) }]
}

function wrong(text: string, what: string): Failure {
  const shown = JSON.stringify(text.replace(/\/\/[^/@]*@/g, "//…@"))
  return new Failure(
    "usage",
    `Cannot use ${shown} as an address: ${what}; write 10.0.0.1 or http://10.0.0.1:8080,https://10.0.0.1:8443`,
  )
}
