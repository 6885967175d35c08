import { withoutPermission } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import {
  both,
  either,
  key,
  keyMayKeepOut,
  mayKeepOut,
  problem,
  refused,
  settingProblem,
  settingRefused,
  uses,
} from "./matching.ts"

const snippets = ["configuration-snippet", "server-snippet", "auth-snippet"] as const

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
    what: "`allowlist-source-range` or `denylist-source-range` has more than 16,384 networks",
    before: "The list is in effect",
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
    what: "The key `whitelist-source-range` or `denylist-source-range` of the ConfigMap has an item that is no address or network",
    before: "nginx refuses the whole configuration",
    now: "The list before it stays in force. If there was none, the paths that it is for answer 503. There is a Problem in either case",
    why: "A typo must neither open nor stop everything",
    concerns: settingRefused("whitelist-source-range", "denylist-source-range"),
  },
  "block-cidrs-with-source-range": {
    what: "The ConfigMap has `block-cidrs`, and the Ingress has a list of addresses",
    before: "`block-cidrs` has no effect on the paths of the Ingress",
    now: "`block-cidrs` has an effect on all paths, and comes before redirects, too",
    why: "A list of one Ingress must not let in who is blocked everywhere",
    concerns: both(key("block-cidrs"), uses("allowlist-source-range", "denylist-source-range")),
  },
  "configmap-global-auth-refused": {
    what: "A key `global-auth-*` of the ConfigMap has a value that wick refuses",
    before: "The value is ignored with a warning; with a bad URL, hosts are served without authentication",
    now: "The value before it stays in force. If there was none, the paths that it is for answer 503. There is a Problem in either case",
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
  "source-range-empty": {
    what: "`allowlist-source-range` or `denylist-source-range` is empty, or the former by its older name `whitelist-source-range`",
    before:
      "Requests are denied, but for the older name: with that, or where the name of today has a value, the ConfigMap's list counts",
    now: "The Ingress is denied, with a Problem. Where one of both names has a value, that counts",
    why: "A list that lost its entries must not let everybody in",
    concerns: refused("allowlist-source-range", "denylist-source-range", /it is empty/),
  },
  "block-keys-refused": {
    what: "The key `block-cidrs`, `block-user-agents` or `block-referers` of the ConfigMap has a value that wick refuses",
    before: "nginx refuses the whole configuration",
    now: "The value before it stays in force. If there was none, all paths answer 503. There is a Problem in either case",
    why: "A typo must not let in who is blocked",
    concerns: settingRefused("block-cidrs", "block-user-agents", "block-referers"),
    breadth: "several",
  },
  "snippets-of-ingresses": {
    what: "The Ingress has a `configuration-snippet`, `server-snippet` or `auth-snippet` with a directive that wick does not do, as the Problem says",
    before:
      "The snippet is in effect where the ConfigMap allows snippets; a directive that nginx does not know stops all changes",
    now: "The directive has **no effect**; the others have. One that may keep requests out closes with 503 what the snippet is for: the paths of the Ingress, for a `server-snippet` also those that other Ingresses of its namespace have on its hosts, for a location block in it that alone. [snippets.md](guides/snippets.md) says what compiles",
    why: "What keeps requests out and cannot be done must not let them in",
    concerns: either(
      ...snippets.flatMap((name) => [
        problem("annotation-guard-closes", name),
        problem("guard-ignored", name),
        problem("snippet-in-part", name),
        problem("snippet-not-allowed", name),
      ]),
    ),
  },
  "snippets-without-permission": {
    what: 'The Ingress has a snippet, and the ConfigMap has not both `annotations-risk-level: Critical` and `allow-snippet-annotations: "true"`',
    before:
      "Below that risk level the Ingress is left out: its paths get 404, or go to another path of the host. With the level alone the snippet counts as empty",
    now: "wick reads snippets itself, none of their text reaches nginx, and so they need no permission (risk level `Parsed`, the default): the Ingress is served as where they are allowed",
    why: "What a snippet can do is bounded by what wick understands of it. `annotations-risk-level: High` forbids them",
    concerns: withoutPermission,
  },
  "modsecurity-of-ingresses": {
    what: "`enable-modsecurity` is on for the Ingress, and wick has no ModSecurity yet (planned)",
    before: "ModSecurity is in effect; it only reports unless its rules say otherwise",
    now: "ModSecurity has **no effect**: the paths of the Ingress get 503, with a Problem",
    why: "What keeps requests out and cannot be done must not let them in",
    concerns: mayKeepOut("enable-modsecurity"),
  },
  "configmap-modsecurity": {
    what: "The ConfigMap has `enable-modsecurity`, and wick has no ModSecurity yet (planned)",
    before: "ModSecurity is in effect for all hosts; it only reports unless its rules say otherwise",
    now: 'ModSecurity has **no effect**: all paths get 503, with a Problem, but those of Ingresses with `enable-modsecurity: "false"`. `unsupported-guards: close-ingresses` opens them',
    why: "What keeps requests out and cannot be done must not let them in",
    concerns: keyMayKeepOut("enable-modsecurity"),
  },
  "configmap-snippets": {
    what: "The ConfigMap has an `http-snippet`, `server-snippet` or `location-snippet` with a directive that wick does not do and that may keep requests out, or a `global-auth-snippet` with one that it does not do",
    before: "The snippet is in effect for all hosts",
    now: "The directive has **no effect**, with a Problem: all paths get 503, `global-auth-snippet` those that `global-auth-url` is asked about. `unsupported-guards: close-ingresses` opens them",
    why: "What keeps requests out of every host and cannot be done must not let them in",
    concerns: both(
      key("http-snippet", "server-snippet", "location-snippet", "global-auth-snippet"),
      either(settingProblem("key-guard-closes"), settingProblem("guard-ignored")),
    ),
  },
} satisfies Differences
