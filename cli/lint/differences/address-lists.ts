import { withFirewall, withoutAuditLog, withoutPermission } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { both, either, key, problem, refused, settingProblem, settingRefused, uses } from "./matching.ts"

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
  "modsecurity-rules-refused": {
    what: "ModSecurity is on for the Ingress, and its `modsecurity-snippet` has a directive, operator or action that wick refuses, as the Problem says: what names files, programs or other machines, and collections that are kept from one request to the next",
    before: "It is in effect where the ConfigMap allows it. A mistake in the rules stops all changes",
    now: "None of the rules is in effect, and the paths of the Ingress get 503, with a Problem; nobody else is concerned. [modsecurity.md](guides/modsecurity.md) says what is taken",
    why: "Rules of one Ingress must not read nginx's files or reach other Ingresses",
    concerns: either(problem("modsecurity-rules-refused"), problem("modsecurity-rules-invalid")),
  },
  "modsecurity-image": {
    what: "Rules of ModSecurity look at requests of the Ingress",
    before: "The image has libmodsecurity and the OWASP Core Rule Set",
    now: "The image's variant `full` has them (in the chart `controller.image.tag: VERSION-full`). With another one the paths get 503, with the Problem `modsecurity-absent`",
    why: "They are 17 MB that most have no use for",
    concerns: withFirewall,
  },
  "modsecurity-audit-log": {
    what: "ModSecurity is on for the Ingress, and the ConfigMap's key `modsecurity-audit-log` is not set",
    before:
      "The recommended rules write an audit log into `/var/log/audit`, without bounds; `SecAuditLog` says where another one is",
    now: "There is no audit log; what is denied is in nginx's error log. The key names a folder, `modsecurity-audit-log-max-size` its bounds",
    why: "A log that nobody takes away fills the disk of the node",
    concerns: withoutAuditLog,
  },
  "configmap-modsecurity-rules": {
    what: "The ConfigMap has a `modsecurity-snippet` with a directive, operator or action that wick refuses, or `enable-modsecurity` or `enable-owasp-modsecurity-crs` with a value that is neither true nor false",
    before: "The snippet is in effect; a mistake in it stops all changes. A switch with another value is off",
    now: "The value before it stays in force, with a Problem. Without one all paths where ModSecurity is on get 503",
    why: "A typo must not open every host",
    concerns: settingRefused("enable-modsecurity", "enable-owasp-modsecurity-crs", "modsecurity-snippet"),
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
