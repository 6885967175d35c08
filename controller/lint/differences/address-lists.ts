import { type Differences, operation } from "./difference.ts"
import { both, key, keySays, refused, settingRefused, uses } from "./matching.ts"

/** Differences in access control: address lists. */
export const addressListsDifferences = {
  "allowlist-source-range-denylist-source-range": {
    what: "`allowlist-source-range`, `denylist-source-range`: a change",
    before: "Reload",
    now: "Posted",
    why: "Lists are data",
    concerns: operation,
  },
  "source-range-too-long": {
    what: "`allowlist-source-range`, `denylist-source-range` with more than 16,384 networks",
    before: "In effect",
    now: "The Ingress is denied, with a Problem",
    concerns: refused("allowlist-source-range", "denylist-source-range", /at most|more than/),
  },
  "0-0-0-0-0-list": {
    what: "`0.0.0.0/0` in a list",
    before: "Clients with IPv4 addresses",
    now: "The same. In a list of the ConfigMap, too",
    why: "Write `0.0.0.0/0,::/0` for everybody",
    concerns: operation,
  },
  "configmap-source-range-refused": {
    what: "ConfigMap keys `whitelist-source-range`, `denylist-source-range` with an item that is no address or network",
    before: "nginx refuses the whole configuration",
    now: "The list before it stays in force. If there was none, the paths that it is for answer 503. A Problem in either case",
    why: "A typo must neither open nor stop everything",
    concerns: settingRefused("whitelist-source-range", "denylist-source-range"),
  },
  "block-cidrs-with-source-range": {
    what: "`block-cidrs` together with lists of an Ingress",
    before: "Has no effect on its paths",
    now: "Has an effect on all paths, and comes before redirects too",
    why: "A list of one Ingress must not let in who is blocked everywhere",
    concerns: both(key("block-cidrs"), uses("allowlist-source-range", "denylist-source-range")),
  },
  "configmap-global-auth-refused": {
    what: "ConfigMap keys `global-auth-*` with a value that is refused",
    before: "Ignored with a warning; with a bad URL, hosts are served without authentication",
    now: "The value before it stays in force. If there was none, the paths that it is for answer 503. A Problem in either case",
    why: "A typo must not open every host",
    concerns: settingRefused(
      "global-auth-url",
      "global-auth-method",
      "global-auth-signin",
      "global-auth-signin-redirect-param",
      "global-auth-response-headers",
      "global-auth-request-redirect",
      "global-auth-cache-key",
      "global-auth-cache-duration",
      "global-auth-always-set-cookie",
    ),
  },
  "configmap-modsecurity": {
    what: "ConfigMap key `enable-modsecurity` (planned, not in effect yet)",
    before: "In effect for all hosts; only reports unless its rules say otherwise",
    now: "**No effect**, with a Problem. Do not move a cluster that relies on it yet",
    concerns: keySays("enable-modsecurity", /^true$/),
  },
} satisfies Differences
