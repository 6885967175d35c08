import { isIP, isIPv4, isIPv6 } from "node:net"

/** What of resolv.conf(5) matters to us. */
export interface ResolvConf {
  /** addresses; one with a port as `1.2.3.4:53` or `[::1]:53`. At least one */
  readonly servers: readonly string[]
  /** domains without a dot at the end */
  readonly search: readonly string[]
  /** names with fewer dots are sought in the search domains first */
  readonly ndots: number
  readonly timeoutMs: number
  /** how often each server is asked, 1 to 5 */
  readonly attempts: number
}

/** The timeout is ingress-nginx's; everything else is as in glibc. */
const defaults: ResolvConf = { servers: ["127.0.0.1"], search: [], ndots: 1, timeoutMs: 2000, attempts: 2 }

/** Reads the text of a resolv.conf. What is not understood is passed over, as the C library does. */
export function parseResolvConf(text: string): ResolvConf {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/))
  const servers = lines.flatMap(([word, server = ""]) =>
    word === "nameserver" && isServer(server) ? [server] : [],
  )
  const search = lines.findLast(([word]) => word === "search" || word === "domain")?.slice(1) ?? []
  const options = lines.flatMap(([word, ...options]) => (word === "options" ? options : []))
  const ndots = numberOf(options, "ndots")
  const seconds = numberOf(options, "timeout")
  const attempts = numberOf(options, "attempts")
  return {
    servers: servers.length > 0 ? servers : defaults.servers,
    search: search.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== ""),
    ndots: Math.min(ndots ?? defaults.ndots, 15),
    timeoutMs: seconds === undefined ? defaults.timeoutMs : Math.min(Math.max(seconds, 1), 30) * 1000,
    attempts: Math.min(Math.max(attempts ?? defaults.attempts, 1), 5),
  }
}

/** An address, or one with a port as c-ares writes it. */
function isServer(text: string): boolean {
  const [, v6, v4, port] = /^(?:\[(.*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? []
  if (port === undefined) return isIP(text) !== 0
  return Number(port) <= 65_535 && (isIPv6(v6 ?? "") || isIPv4(v4 ?? ""))
}

/** The last `name:number` counts. */
function numberOf(options: readonly string[], name: string): number | undefined {
  const given = options.findLast((option) => option.startsWith(`${name}:`))?.slice(name.length + 1)
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined
}
