import type { Fields } from "./field.ts"

const since = "0.1.0"

/** How much a client may request of a route's Ingress. Who does not know one of them must not let everything in. */
export const limits: Fields = [
  {
    name: "key",
    model: { meaning: "32 hexadecimal digits; of another Ingress it is another" },
    type: "id",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "32 hexadecimal digits, of the Ingress: routes with the same key count together",
  },
  {
    name: "rps",
    type: "limit",
    id: 2,
    isCritical: true,
    since,
    meaning: "requests per second",
  },
  {
    name: "rpm",
    type: "limit",
    id: 3,
    isCritical: true,
    since,
    meaning: "requests per minute, asked after `rps`",
  },
  {
    name: "burst_multiplier",
    type: "burst_multiplier",
    id: 4,
    isCritical: true,
    since,
    meaning: "so many times `rps` and `rpm` may come at once. Default 5",
  },
  {
    name: "connections",
    type: "limit",
    id: 5,
    isCritical: true,
    since,
    meaning: "requests at a time, asked after the rates",
  },
  {
    name: "exempt",
    model: { meaning: "`AddressList.id` of clients that are not limited" },
    type: "id",
    id: 6,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST whose clients are not limited",
  },
  {
    name: "by",
    model: { meaning: "what tells clients apart; absent: the address" },
    type: "limit_by",
    id: 7,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "what tells clients apart, all of it together: `address`, `header:NAME`, `cookie:NAME`, or `path:N`, the Nth part of the normalised path, 1–9. A request that lacks one counts with its address instead. Absent: the address",
  },
  {
    name: "ipv6_bits",
    model: { meaning: "" },
    type: "ipv6_bits",
    id: 8,
    isCritical: true,
    since,
    meaning: "addresses of IPv6 that agree in so many first bits are one. Default 128",
  },
  {
    name: "headers",
    model: { name: "hasHeaders", meaning: "" },
    type: "mark",
    id: 9,
    since,
    meaning:
      "responses carry `RateLimit-Limit`, `-Remaining` and `-Reset`, refusals by a rate also `Retry-After`",
  },
]
