import { isIPv6 } from "node:net"
import type { Http } from "../../../model/http.ts"
import type { Site } from "../site.ts"

/** Who answers nginx's own questions about names, such as those of mirrors. */
export interface Resolver {
  readonly servers: readonly string[]
  readonly parameters: readonly string[]
}

export function resolverOf({ resolving }: Http, { nameServers, hasIpv6 }: Site): Resolver | null {
  const asksIpv6 = hasIpv6 && !resolving.disableIpv6Dns
  const servers = nameServers.filter((server) => asksIpv6 || !isAddressOfIpv6(server)).map(inBrackets)
  return servers.length === 0 ? null : { servers, parameters: asksIpv6 ? [] : ["ipv6=off"] }
}

/** May have a port, in brackets then. */
function isAddressOfIpv6(server: string): boolean {
  return isIPv6(server) || server.startsWith("[")
}

function inBrackets(server: string): string {
  return isIPv6(server) ? `[${server}]` : server
}
