import type { Fields } from "./field.ts"

// A web application firewall: docs/wire.md, ROUTE.

const since = "0.1.0"

/** The web application firewall of a route. */
export const waf: Fields = [
  {
    name: "owner",
    model: {
      meaning: "`SourceName` of whose rules these are: those that it had serve until new ones are ready",
    },
    type: "label",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "whose rules these are, at most 1024 bytes: while a worker compiles a set, that which it had of the same owner inspects; without one requests wait",
  },
  {
    name: "rules",
    model: { meaning: "`RuleSet.digest`" },
    type: "rules_digest",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "SHA-256 of the rule set's file in the directory of `ingress_modsecurity`, 64 hexadecimal digits in lower case (ingress-module.md)",
  },
  {
    name: "transaction_id",
    model: { meaning: "template; absent: `$req_id`" },
    type: "template",
    id: 3,
    since,
    meaning: "what logs of the rules call a request; absent, or empty for a request: `$req_id`",
  },
  {
    name: "fail_open",
    model: { name: "failsOpen", meaning: "requests pass without it where a worker cannot ask it" },
    type: "mark",
    id: 4,
    since,
    meaning:
      "where a worker has no library, or cannot use the rules, requests pass uninspected in the place of 503",
  },
]
