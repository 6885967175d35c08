import type { Filters } from "../../../model/http/filters.ts"
import { type EntriesFor, family, key } from "../key.ts"
import { networks } from "./addresses.ts"
import { mapKeys } from "./map-keys.ts"
import { wholeListOf } from "./texts.ts"

const clients = networks(wholeListOf)
const patterns = mapKeys(wholeListOf)

interface StatusReaders {
  readonly statusReadersIpv4: Filters["statusReaders"]
  readonly statusReadersIpv6: Filters["statusReaders"]
}

export const filters = family("Listeners", {
  blockedAddresses: key("block-cidrs", clients, "", {
    example: "192.0.2.0/24",
    description: "clients that get 403",
  }),
  blockedUserAgents: key("block-user-agents", patterns, "", {
    example: "~*badbot",
    description: "user agents that get 403",
  }),
  blockedReferers: key("block-referers", patterns, "", {
    example: "~*spam",
    description: "referers that get 403",
  }),
  statusReadersIpv4: key("nginx-status-ipv4-whitelist", clients, "127.0.0.1", {
    example: "10.0.0.0/8",
    description: "IPv4 clients that may read `/nginx_status`",
  }),
  statusReadersIpv6: key("nginx-status-ipv6-whitelist", clients, "::1", {
    example: "fd00::/8",
    description: "IPv6 clients that may read `/nginx_status`",
  }),
} satisfies EntriesFor<Omit<Filters, "statusReaders"> & StatusReaders>)
