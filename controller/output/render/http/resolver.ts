import type { Http } from "../../../model/http.ts"
import { inBrackets, isIpv6Server } from "../../../support/address.ts"
import type { Site } from "../site.ts"

/** Who answers nginx's own questions about names, such as those of mirrors. */
export interface Resolver {
  readonly servers: readonly string[]
  readonly parameters: readonly string[]
}

export function resolverOf({ resolving }: Http, { nameServers, hasIpv6 }: Site): Resolver | null {
  const asksIpv6 = hasIpv6 && !resolving.disableIpv6Dns
  const servers = nameServers.filter((server) => asksIpv6 || !isIpv6Server(server)).map(inBrackets)
  return servers.length === 0 ? null : { servers, parameters: asksIpv6 ? [] : ["ipv6=off"] }
}
