import { type Differences, operation } from "./difference.ts"
import { anyOf, keySays, refused, says } from "./matching.ts"

const isLimit = (count: number) => count > 0

/** Differences in access control: limits. */
export const limitsDifferences = {
  "limit-change": {
    what: "`limit-*`: a change",
    before: "Reload; a count is lost when its zone changes",
    now: "Posted; counts are kept",
    why: "Limits are data",
    concerns: operation,
  },
  "limit-refused": {
    what: "`limit-rps`, `limit-rpm`, `limit-connections` or another limit has a value that wick refuses",
    before:
      "The Ingress is left out: its paths get 404, or go to another path of the host. For `limit-burst-multiplier` the default applies",
    now: "The Ingress is denied, with a Problem",
    why: "A typo must not open what was limited",
    concerns: refused(
      "limit-rps",
      "limit-rpm",
      "limit-connections",
      "limit-rate",
      "limit-rate-after",
      "limit-allowlist",
      "limit-burst-multiplier",
      /^(?!.*is the least)/,
    ),
  },
  "limit-burst-multiplier-negative": {
    what: "`limit-burst-multiplier` is below 0",
    before: "nginx refuses the whole configuration",
    now: "The multiplier is 0",
    concerns: refused("limit-burst-multiplier", /is the least/),
  },
  "limit-memory": {
    what: "`limit-*`: memory",
    before: "5 MB for each limit of each Ingress",
    now: "65,536 clients of all Ingresses together, or as many as `zone-sizes` gives room for (`limits`). When that is full the namespace with most clients gives way, and those of its clients that have no place share one, so that nobody gets more than the own limit; the metric `wick_zone_shortages_total` counts them",
    why: "A tenant with many clients must not make those of others begin anew",
    concerns: operation,
  },
  "limit-ipv6": {
    what: "`limit-rps`, `limit-rpm` or `limit-connections` counts clients with IPv6, too",
    before: "Each address is a client",
    now: 'Each network of /64 is a client; with `client-ipv6-prefix: "128"` each address is',
    why: "The owner of one address has all of its /64",
    concerns: anyOf(
      says("limits", "rps", isLimit),
      says("limits", "rpm", isLimit),
      says("limits", "connections", isLimit),
    ),
  },
  "limit-worker-killed": {
    what: "`limit-*`: a worker that is killed",
    before: "Its requests count until nginx is started anew",
    now: "They count no more",
    concerns: operation,
  },
  "limit-conn-zone-variable": {
    what: "`limit-conn-zone-variable` is not `$binary_remote_addr`",
    before: "Any text goes into nginx.conf as it is; requests without a value are not limited",
    now: "One or several of `$binary_remote_addr`, `$http_NAME` and `$cookie_NAME` tell clients apart; without a value the address counts",
    why: "Nobody gets round a limit by leaving a header out",
    concerns: keySays("limitsBy", (parts) => parts.some((part) => part !== "address")),
  },
  "limit-zone-names-error-log": {
    what: "`limit-*`: zone names in the error log",
    before: "Namespace, name and a hash of the Ingress",
    now: "Namespace and name, with the same endings `_rps`, `_rpm`, `_conn`",
    concerns: operation,
  },
} satisfies Differences
