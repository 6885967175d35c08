import { family, type KeyEntry, type KeySyntax, key } from "../key.ts"
import { networks } from "./addresses.ts"
import { mapKeys } from "./map-keys.ts"
import { wholeListOf } from "./texts.ts"

const clients = networks(wholeListOf)
const patterns = mapKeys(wholeListOf)

/** Absent from nginx's configuration, and from it alone: `null` closes all routes. */
type Blocked<T> = T | null

function blocking<T>(
  name: string,
  syntax: KeySyntax<T>,
  words: Pick<KeyEntry, "example" | "description">,
): KeyEntry<Blocked<T>> {
  const whenRefused = {
    value: null,
    state: "cannot be used, so requests get 503 on all paths of all Ingresses",
  }
  return key<Blocked<T>>(name, syntax, "", { ...words, whenRefused })
}

export const filters = family("Listeners", {
  blockedAddresses: blocking("block-cidrs", clients, {
    example: "192.0.2.0/24",
    description: "clients that get 403",
  }),
  blockedUserAgents: blocking("block-user-agents", patterns, {
    example: "~*badbot",
    description: "user agents that get 403",
  }),
  blockedReferers: blocking("block-referers", patterns, {
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
})
