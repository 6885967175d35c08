import { type Keys, key } from "../key.ts"
import type { FilterSettings } from "../settings.ts"
import { network } from "./addresses.ts"
import { mapKey } from "./map-keys.ts"
import { wholeListOf } from "./parsers.ts"

export const filters: Keys<FilterSettings> = {
  blockedAddresses: key("block-cidrs", wholeListOf(network), ""),
  blockedUserAgents: key("block-user-agents", wholeListOf(mapKey), ""),
  blockedReferers: key("block-referers", wholeListOf(mapKey), ""),
  statusReadersIpv4: key("nginx-status-ipv4-whitelist", wholeListOf(network), "127.0.0.1"),
  statusReadersIpv6: key("nginx-status-ipv6-whitelist", wholeListOf(network), "::1"),
}
