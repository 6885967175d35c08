import { addressList } from "../options/address-list.ts"
import { limitBy } from "../options/limit-by.ts"
import { integer } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import { type Family, fromConfigMap } from "./entry.ts"
import { count, falseByDefault } from "./syntax.ts"

const family = {
  section: "Limits",
  scope: "location",
  risk: "low",
  whenRefused: "requests get 503",
  since: "0.1.0",
} as const
const limit = { ...family, ...count, default: none } as const

/** How much a client may request, of all paths of the Ingress together. */
export const limitAnnotations = {
  connections: {
    ...limit,
    name: "limit-connections",
    example: "10",
    description:
      "requests of one client address at a time; more get `limit-conn-status-code`. `0` and less: no limit",
  },
  rps: {
    ...limit,
    name: "limit-rps",
    example: "5",
    description:
      "requests of one client address per second; more than the burst above it get `limit-req-status-code`. `0` and less: no limit",
  },
  rpm: {
    ...limit,
    name: "limit-rpm",
    example: "300",
    description: "the same per minute; with both a request has to keep to both",
  },
  burstMultiplier: {
    ...family,
    ...count,
    name: "limit-burst-multiplier",
    default: "`5`",
    example: "3",
    description: "how many times `limit-rps` and `limit-rpm` may come at once, beyond the first request",
  },
  exempt: {
    ...family,
    ...addressList,
    name: "limit-allowlist",
    aliases: ["limit-whitelist"],
    default: none,
    example: "10.0.0.0/8",
    description: "clients that are not limited",
  },
  /** parts of `by`, docs/wire.md, LIMITS */
  by: {
    ...family,
    ...limitBy,
    isOwn: true,
    name: "limit-by",
    default: fromConfigMap,
    example: "header:X-Api-Key",
    description:
      "what tells clients apart for the limits, all of it together; a request that lacks a part counts with its address instead",
  },
  ipv6Bits: {
    ...family,
    isOwn: true,
    name: "limit-ipv6-prefix",
    parse: integer(1, 128),
    values: "1 to 128",
    default: fromConfigMap,
    example: "56",
    description: "addresses of IPv6 that agree in so many first bits are one client",
  },
  hasHeaders: {
    ...family,
    ...falseByDefault,
    isOwn: true,
    name: "limit-headers",
    description:
      "whether responses carry `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, and refusals by a rate `Retry-After`",
  },
} satisfies Family
