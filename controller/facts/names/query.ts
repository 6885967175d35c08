import { Resolver } from "node:dns/promises"
import { isIpv6Server } from "../../support/address.ts"
import { systemCode } from "../../support/failure.ts"
import type { ResolvConf } from "./resolv-conf.ts"

/** What a DNS server said about the addresses of one name in one family. The reasons fit after a colon. */
export type Reply =
  | { readonly kind: "found"; readonly addresses: readonly string[]; readonly ttlSeconds: number }
  /** `exists`: it has other records */
  | { readonly kind: "absent"; readonly reason: string; readonly exists: boolean }
  /** `isSilent`: no server says anything, so that asking for another name is of no use either */
  | { readonly kind: "failed"; readonly reason: string; readonly isSilent: boolean }

/** Asks for A records (family 4) or AAAA records (6) of a complete name; never rejects. */
export type Query = (name: string, family: 4 | 6) => Promise<Reply>

/**
 * Asks the servers of a resolv.conf over UDP, and over TCP what does not fit. The TTL is the least of all records on the way, CNAMEs included.
 *
 * @param withIpv6 false: servers with IPv6 addresses are not asked, unless there are no others
 */
export function queryOf({ servers, timeoutMs, attempts }: ResolvConf, withIpv6: boolean): Query {
  const resolver = new Resolver({ timeout: timeoutMs, tries: attempts })
  const reachable = servers.filter((server) => withIpv6 || !isIpv6Server(server))
  resolver.setServers(reachable.length > 0 ? reachable : servers)
  const ask = (name: string, family: 4 | 6) =>
    family === 4 ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true })
  return async (name, family) => {
    try {
      const records = await ask(name, family)
      const addresses = records.map(({ address }) => address)
      return { kind: "found", addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) }
    } catch (error) {
      return replyOf(systemCode(error))
    }
  }
}

/** Source: error codes of node:dns, which are those of c-ares. */
function replyOf(code: string): Reply {
  switch (code) {
    case "ENOTFOUND":
      return { kind: "absent", reason: "DNS knows no such name (NXDOMAIN)", exists: false }
    case "EBADNAME":
      return { kind: "absent", reason: "it is no name that DNS could know", exists: false }
    case "ENODATA":
      return { kind: "absent", reason: "DNS knows no address of this name", exists: true }
    case "ETIMEOUT":
      return { kind: "failed", reason: "no DNS server answers", isSilent: true }
    case "ECONNREFUSED":
      return { kind: "failed", reason: "no DNS server can be reached", isSilent: true }
    case "ESERVFAIL":
      return { kind: "failed", reason: "the DNS server failed (SERVFAIL)", isSilent: false }
    case "EREFUSED":
      return { kind: "failed", reason: "the DNS server refused to answer (REFUSED)", isSilent: false }
    default:
      return { kind: "failed", reason: `DNS failed (${code || "unknown error"})`, isSilent: false }
  }
}
